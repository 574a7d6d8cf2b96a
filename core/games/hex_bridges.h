// Bridges of Hex: two stones of a player, or a stone in the second row and the player's side, with two empty cells
// between them. Whoever loses one of the two cells takes the other, so they are as good as joined.
//
//      X .          . X        . X        side
//      . X        X .          . .        . .      the dots are the two cells between
//                              X          X
#pragma once

#include <vector>

#include "base/bits.h"
#include "base/grid.h"

namespace ludus {

// Every cell of `b` so many numbers on; negative: back.
template <int W>
Bits<W> moved(const Bits<W>& b, int by) {
  return by > 0 ? b << by : by < 0 ? b >> -by : b;
}

// One way to be a bridge, as steps from its stone.
template <int W>
struct Bridge {
  Bits<W> from;    // where the stone may stand
  int to;          // the other stone; 0: the side itself is there
  int one, other;  // the two cells between

  // The stones of a player that are joined like this, if the cells of `open` are empty.
  Bits<W> of(const Bits<W>& stones, const Bits<W>& open) const {
    const Bits<W> free = from & stones & moved(open, -one) & moved(open, -other);
    return to == 0 ? free : free & moved(stones, -to);
  }
};

// All ways to be a bridge on a board, for each player.
template <int W>
struct HexBridges {
  std::vector<Bridge<W>> of[2];

  explicit HexBridges(const Grid<W>& grid) {
    const int n = grid.width;
    const auto rows = [&](int first, int last) { return cells(grid, first, last, 0, n - 1); };
    const auto columns = [&](int first, int last) { return cells(grid, 0, n - 1, first, last); };
    for (const int p : {0, 1}) {
      of[p].push_back({columns(0, n - 2) & rows(0, n - 2), n + 1, 1, n});
      of[p].push_back({columns(1, n - 1) & rows(0, n - 3), 2 * n - 1, n - 1, n});
      of[p].push_back({columns(2, n - 1) & rows(0, n - 2), n - 2, -1, n - 1});
    }
    of[0].push_back({rows(1, 1) & columns(0, n - 2), 0, -n, 1 - n});
    of[0].push_back({rows(n - 2, n - 2) & columns(1, n - 1), 0, n, n - 1});
    of[1].push_back({columns(1, 1) & rows(0, n - 2), 0, -1, n - 1});
    of[1].push_back({columns(n - 2, n - 2) & rows(1, n - 1), 0, 1, 1 - n});
  }

  // The cells of some rows and columns; none where there are no such rows or columns.
  static Bits<W> cells(const Grid<W>& grid, int top, int bottom, int left, int right) {
    Bits<W> b;
    for (int r = top; r <= bottom && r >= 0; ++r)
      for (int c = left; c <= right && c >= 0; ++c) b.add(r * grid.width + c);
    return b;
  }
};

}  // namespace ludus
