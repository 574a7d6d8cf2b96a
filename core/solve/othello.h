// Othello played out to the end: the proven margin of a position, never a guess.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "base/limit.h"
#include "games/othello.h"
#include "solve/othello_table.h"

namespace ludus {
template <int W>
class OthelloSolver {
 public:
  explicit OthelloSolver(std::size_t table_bytes = std::size_t{64} << 20) : table_(table_bytes) {}

  std::optional<int> margin(const Othello<W>& state, const Limit& limit = {}) {
    prepare(state, limit);
    const auto [mine, theirs] = sides(state);
    int low = -cells_, high = cells_, guess = 0;
    while (low < high) {
      const int alpha = std::clamp(guess, low, high - 1);
      const int found = search(mine, theirs, alpha);
      if (stopped_) return std::nullopt;
      if (found <= alpha) { high = found; guess = found - 1; }
      else { low = found; guess = found; }
    }
    return low;
  }
  std::optional<int> value(const Othello<W>& state, const Limit& limit = {}) {
    prepare(state, limit);
    const auto [mine, theirs] = sides(state);
    const int f = search(mine, theirs, 0);
    if (stopped_) return std::nullopt;
    if (f > 0) return 1;
    if (f < 0) return -1;
    const int g = search(mine, theirs, -1);
    if (stopped_) return std::nullopt;
    return g < 0 ? -1 : 0;
  }
  std::int64_t nodes() const { return nodes_; }
  // test a bound
  std::optional<int> bound(const Othello<W>& state, int alpha, const Limit& limit = {}) {
    prepare(state, limit);
    const auto [mine, theirs] = sides(state);
    const int f = search(mine, theirs, alpha);
    if (stopped_) return std::nullopt;
    return f;
  }

 private:
#include "osearch.inc"
};
}  // namespace ludus
