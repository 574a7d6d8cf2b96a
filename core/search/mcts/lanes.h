// Many numbers at once: the scores of four or eight children are computed side by side.
//
// The vectors are those of GCC and Clang: + - * / and comparisons work lane by lane. Where the processor has no
// registers of that width the compiler splits them. Every operation is the exact IEEE one, so no result depends on
// the processor.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#ifdef __AVX__
#include <immintrin.h>
#endif

// Functions of such vectors are always inlined: it is faster, and the calling convention for them does not matter then.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace ludus {

constexpr int most_lanes = 8;

template <class T, int N>
struct LanesOf {
  using Type __attribute__((vector_size(N * sizeof(T)))) = T;
};
template <class T, int N>
using Lanes = typename LanesOf<T, N>::Type;
template <int N>
using Doubles = Lanes<double, N>;
template <int N>
using Truths = Lanes<std::int64_t, N>;  // what comparing two Doubles gives: all bits set, or none

// Numbers in a row of an array, as they are stored.
template <int N, class T>
[[gnu::always_inline]] inline Lanes<T, N> load(const T* from) {
  Lanes<T, N> loaded;
  std::memcpy(&loaded, from, sizeof loaded);
  return loaded;
}
// The same as doubles.
template <int N, class T>
[[gnu::always_inline]] inline Doubles<N> doubles(const T* from) {
  return __builtin_convertvector(load<N>(from), Doubles<N>);
}
template <int N>
[[gnu::always_inline]] inline Doubles<N> all(double number) {
  return number - Doubles<N>{};  // not 0 + number, which would have to be computed, because it turns -0 into 0
}
template <int N>
[[gnu::always_inline]] inline Truths<N> lane_numbers() {
  if constexpr (N == 4)
    return Truths<N>{0, 1, 2, 3};
  else
    return Truths<N>{0, 1, 2, 3, 4, 5, 6, 7};
}

// The first `count` doubles of an array, and zeros in the other lanes.
template <int N>
[[gnu::always_inline]] inline Doubles<N> first_doubles(const double* from, int count) {
#ifdef __AVX512VL__
  const auto mask = static_cast<__mmask8>((1u << count) - 1);
  if constexpr (N == 4)
    return _mm256_maskz_loadu_pd(mask, from);
  else
    return _mm512_maskz_loadu_pd(mask, from);
#else
  return lane_numbers<N>() < count ? doubles<N>(from) : all<N>(0);
#endif
}

// The first `count` lanes, and `other` in those beyond.
template <int N>
[[gnu::always_inline]] inline Doubles<N> first_lanes(Doubles<N> x, int count, double other) {
#ifdef __AVX512VL__
  const auto mask = static_cast<__mmask8>((1u << count) - 1);
  if constexpr (N == 4)
    return _mm256_mask_mov_pd(all<N>(other), mask, x);
  else
    return _mm512_mask_mov_pd(all<N>(other), mask, x);
#else
  return lane_numbers<N>() < count ? x : all<N>(other);
#endif
}

template <class V>  // Doubles<4> or Doubles<8>
[[gnu::always_inline]] inline V square_root(V x) {
#ifdef __AVX__
  __m256d parts[sizeof x / sizeof(__m256d)];
  std::memcpy(parts, &x, sizeof x);
  for (__m256d& part : parts) part = _mm256_sqrt_pd(part);
  std::memcpy(&x, parts, sizeof x);
#else
  for (std::size_t lane = 0; lane < sizeof x / sizeof(double); ++lane) x[lane] = std::sqrt(x[lane]);
#endif
  return x;
}

// One bit per lane in which both are equal.
template <int N>
[[gnu::always_inline]] inline unsigned equal_bits(Doubles<N> x, Doubles<N> y) {
  unsigned bits = 0;
#if defined(__AVX512F__)
  if constexpr (N == 8) return _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ);
#endif
#ifdef __AVX__
  const Truths<N> truths = x == y;
  __m256d parts[N / 4];
  std::memcpy(parts, &truths, sizeof truths);
  for (int i = 0; i < N / 4; ++i) bits |= static_cast<unsigned>(_mm256_movemask_pd(parts[i])) << 4 * i;
#else
  for (int lane = 0; lane < N; ++lane) bits |= static_cast<unsigned>(x[lane] == y[lane]) << lane;
#endif
  return bits;
}

[[gnu::always_inline]] inline double largest(Doubles<2> x) { return x[0] > x[1] ? x[0] : x[1]; }
[[gnu::always_inline]] inline double largest(Doubles<4> x) {
  const Doubles<2> low = __builtin_shufflevector(x, x, 0, 1), high = __builtin_shufflevector(x, x, 2, 3);
  return largest(low > high ? low : high);
}
[[gnu::always_inline]] inline double largest(Doubles<8> x) {
  const Doubles<4> low = __builtin_shufflevector(x, x, 0, 1, 2, 3), high = __builtin_shufflevector(x, x, 4, 5, 6, 7);
  return largest(low > high ? low : high);
}

// A function of the first so many whole numbers, in a table: the hottest numbers of a search.
template <int size, double (*function)(double)>
inline const std::array<double, size> table_of = [] {
  std::array<double, size> values{};
  for (int i = 1; i < size; ++i) values[static_cast<std::size_t>(i)] = function(i);
  return values;
}();
inline double plain_root_of_log(double x) { return std::sqrt(std::log(x)); }

inline double root_of_log(std::int32_t visits) {
  constexpr int size = 1 << 14;
  if (visits <= 0 || visits >= size) return plain_root_of_log(visits);
  return table_of<size, plain_root_of_log>[static_cast<std::size_t>(visits)];
}

}  // namespace ludus
