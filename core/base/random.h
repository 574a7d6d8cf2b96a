// The dice. Everything random in Ludus is handed one of these, from C++ or from Python.
#pragma once

#include "base/bits.h"

namespace ludus {

// SplitMix64 (Steele, Lea and Flood 2014): one addition and one scramble a number. The state is a
// plain counter, so the next number never waits for the last one.
class Rng {
 public:
  explicit Rng(Word seed = 0) : state_(scramble(seed + step)) {}

  Word next() { return scramble(state_ += step); }

  // Uniform in {0, …, n - 1}, n > 0. The high word of a product (Lemire 2019); for the small n of
  // board games its bias is below 2^-50.
  int below(int n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<int>(static_cast<Wide>(next()) * static_cast<Word>(n) >> 64);
  }

  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // in [0, 1)

  // Dice of their own for a child task; what the child rolls does not move the parent.
  Rng split() { return Rng(next()); }

  // To put the dice away and take them up again.
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
