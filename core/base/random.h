// The random numbers. Everything random in Ludus is handed one of these generators, in C++ and in Python.
#pragma once

#include "base/bits.h"

namespace ludus {

// SplitMix64 (Steele, Lea and Flood 2014): one addition and one scramble per number. The state is a
// plain counter, so the processor can compute several numbers at the same time.
class Rng {
 public:
  explicit Rng(Word seed = 0) : state_(scramble(seed + step)) {}

  Word next() { return scramble(state_ += step); }

  // Uniform in {0, …, n - 1}, n > 0. The high word of a product (Lemire 2019); for the small n of
  // board games its bias is below 2^-50.
  int below(int n) {
    assert(n > 0);
    __extension__ using Wide = unsigned __int128;
    return static_cast<int>(static_cast<Wide>(next()) * static_cast<Word>(n) >> 64);
  }

  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // in [0, 1)

  // A generator for a child task; the numbers that it draws do not change the parent's.
  Rng split() { return Rng(next()); }

  // For saving a generator and restoring it.
  Word state() const { return state_; }
  static Rng from_state(Word state) {
    Rng rng;
    rng.state_ = state;
    return rng;
  }

 private:
  static constexpr Word step = 0x9e3779b97f4a7c15u;
  Word state_;
};

}  // namespace ludus
