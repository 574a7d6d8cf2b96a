// Bits<W>: a set of up to 64·W small numbers, the cells of a board. Cell i is bit i % 64 of word i / 64.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace ludus {

using Word = std::uint64_t;

// The k-th set bit of `word` alone, counting from 0. `word` has more than k set bits.
inline Word only_bit(Word word, int k) {
  assert(0 <= k && k < std::popcount(word));
#ifdef __BMI2__
  return _pdep_u64(Word{1} << k, word);
#else
  for (; k > 0; --k) word &= word - 1;
  return word & -word;
#endif
}
// Where that bit is.
inline int select_bit(Word word, int k) { return std::countr_zero(only_bit(word, k)); }

template <int W>
struct Bits {
  static constexpr int capacity = 64 * W;
  std::array<Word, W> words{};

  static constexpr Bits one(int i) {
    Bits b;
    b.add(i);
    return b;
  }
  static constexpr Bits first(int n) {  // {0, 1, …, n-1}
    assert(0 <= n && n <= capacity);
    Bits b;
    for (int i = 0; i < n; ++i) b.add(i);
    return b;
  }

  constexpr bool has(int i) const { return words[at(i)] >> (i & 63) & 1; }
  constexpr void add(int i) { words[at(i)] |= Word{1} << (i & 63); }
  constexpr void remove(int i) { words[at(i)] &= ~(Word{1} << (i & 63)); }

  constexpr bool any() const {
    Word all = 0;
    for (Word w : words) all |= w;
    return all != 0;
  }
  constexpr int count() const {
    int n = 0;
    for (Word w : words) n += std::popcount(w);
    return n;
  }
  constexpr int lowest() const {  // of a set that is not empty
    assert(any());
    for (int w = 0; w + 1 < W; ++w)
      if (words[w] != 0) return 64 * w + std::countr_zero(words[w]);
    return 64 * (W - 1) + std::countr_zero(words[W - 1]);
  }
  constexpr void remove_lowest() {
    assert(any());
    for (Word& w : words)
      if (w != 0) {
        w &= w - 1;
        return;
      }
  }
  int select(int k) const {  // the k-th smallest member, counting from 0
    assert(0 <= k && k < count());
    for (int w = 0; w + 1 < W; ++w) {
      const int here = std::popcount(words[w]);
      if (k < here) return 64 * w + select_bit(words[w], k);
      k -= here;
    }
    return 64 * (W - 1) + select_bit(words[W - 1], k);
  }

  friend constexpr bool operator==(const Bits&, const Bits&) = default;
  friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
  constexpr Bits& operator&=(const Bits& b) {
    for (int w = 0; w < W; ++w) words[w] &= b.words[w];
    return *this;
  }
  constexpr Bits& operator|=(const Bits& b) {
    for (int w = 0; w < W; ++w) words[w] |= b.words[w];
    return *this;
  }
  constexpr Bits without(const Bits& b) const {
    Bits r;
    for (int w = 0; w < W; ++w) r.words[w] = words[w] & ~b.words[w];
    return r;
  }

  // Shifts by less than a word, which is all that steps on a board need.
  friend constexpr Bits operator<<(const Bits& a, int by) {
    assert(0 < by && by < 64);
    Bits r;
    for (int w = W - 1; w > 0; --w) r.words[w] = a.words[w] << by | a.words[w - 1] >> (64 - by);
    r.words[0] = a.words[0] << by;
    return r;
  }
  friend constexpr Bits operator>>(const Bits& a, int by) {
    assert(0 < by && by < 64);
    Bits r;
    for (int w = 0; w + 1 < W; ++w) r.words[w] = a.words[w] >> by | a.words[w + 1] << (64 - by);
    r.words[W - 1] = a.words[W - 1] >> by;
    return r;
  }

  // Walks the members in ascending order.
  struct Walk {
    Bits left;
    constexpr int operator*() const { return left.lowest(); }
    constexpr Walk& operator++() {
      left.remove_lowest();
      return *this;
    }
    constexpr bool operator!=(const Walk&) const { return left.any(); }
  };
  constexpr Walk begin() const { return {*this}; }
  constexpr Walk end() const { return {}; }

 private:
  static constexpr int at(int i) {
    assert(0 <= i && i < capacity);
    if constexpr (W == 1) return 0;
    return i >> 6;
  }
};

// Mixes 64 bits: every bit of the result depends on all bits of x (the finaliser of SplitMix64).
constexpr Word scramble(Word x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// A 64-bit hash of the numbers that are added to it, one after the other, for key() of a state.
struct Fingerprint {
  Word value = 0x9e3779b97f4a7c15u;
  constexpr Fingerprint& add(Word x) {
    value = scramble(value ^ x) + 0x9e3779b97f4a7c15u;
    return *this;
  }
  template <int W>
  constexpr Fingerprint& add(const Bits<W>& bits) {
    for (Word w : bits.words) add(w);
    return *this;
  }
};

}  // namespace ludus
