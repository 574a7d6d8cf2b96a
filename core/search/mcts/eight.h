// Eight numbers at once: the scores of up to eight children are computed side by side.
//
// The vectors are those of GCC and Clang: + - * / and comparisons work lane by lane. Where the processor has no
// registers of that width the compiler splits them. Every operation is the exact IEEE one, so no result depends on
// the processor.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#ifdef __AVX__
#include <immintrin.h>
#endif

// These vectors are only handed to functions that are inlined, so the calling convention for them does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace ludus {

constexpr int lanes = 8;

template <class T>
struct LanesOf {
  using Type __attribute__((vector_size(lanes * sizeof(T)))) = T;
};
template <class T>
using Lanes = typename LanesOf<T>::Type;

using Eight = Lanes<double>;
using EightTruths = Lanes<std::int64_t>;  // what comparing two Eights gives: all bits set, or none

// Eight numbers in a row of an array, as they are stored.
template <class T>
inline Lanes<T> load(const T* from) {
  Lanes<T> loaded;
  std::memcpy(&loaded, from, sizeof loaded);
  return loaded;
}
// The same as doubles.
template <class T>
inline Eight eight(const T* from) {
  return __builtin_convertvector(load(from), Eight);
}
inline Eight all(double number) { return Eight{} + number; }

inline Eight square_root(Eight x) {
#ifdef __AVX__
  __m256d half[2];
  std::memcpy(half, &x, sizeof x);
  for (__m256d& h : half) h = _mm256_sqrt_pd(h);
  std::memcpy(&x, half, sizeof x);
#else
  for (int lane = 0; lane < lanes; ++lane) x[lane] = std::sqrt(x[lane]);
#endif
  return x;
}

// Square roots and logarithms of numbers of visits, the hottest numbers of a search, mostly from tables.
template <int size, double (*function)(double)>
inline const std::array<double, size> table_of = [] {
  std::array<double, size> numbers{};
  for (int i = 1; i < size; ++i) numbers[static_cast<std::size_t>(i)] = function(i);
  return numbers;
}();
inline double plain_log(double x) { return std::log(x); }
inline double plain_root(double x) { return std::sqrt(x); }

inline double log_of(std::int32_t visits) {
  constexpr int size = 1 << 14;
  return visits > 0 && visits < size ? table_of<size, plain_log>[static_cast<std::size_t>(visits)] : std::log(visits);
}
inline Eight root_of(const std::int32_t* visits) {
  constexpr int size = 1 << 11;
  std::int32_t any = 0;
  for (int lane = 0; lane < lanes; ++lane) any |= visits[lane];
  if (any < 0 || any >= size) return square_root(eight(visits));
  const double* const roots = table_of<size, plain_root>.data();
  return Eight{roots[visits[0]], roots[visits[1]], roots[visits[2]], roots[visits[3]],
               roots[visits[4]], roots[visits[5]], roots[visits[6]], roots[visits[7]]};
}

}  // namespace ludus
