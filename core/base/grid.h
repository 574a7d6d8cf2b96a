// A rectangle of cells as Bits, numbered row by row:   0 1 2
// and steps over it that never wrap round an edge.     3 4 5
#pragma once

#include "base/bits.h"

namespace ludus {

template <int W>
struct Grid {
  int width = 0, height = 0;
  Bits<W> board;                // every cell
  Bits<W> not_first, not_last;  // all but the first column, all but the last column

  Grid() = default;
  Grid(int width, int height) : width(width), height(height), board(Bits<W>::first(width * height)) {
    assert(width > 0 && height > 0);
    not_first = not_last = board;
    for (int row = 0; row < height; ++row) {
      not_first.remove(row * width);
      not_last.remove(row * width + width - 1);
    }
  }

  int cells() const { return width * height; }
  Bits<W> row(int r) const {
    assert(0 <= r && r < height);
    Bits<W> b;
    for (int c = 0; c < width; ++c) b.add(r * width + c);
    return b;
  }
  Bits<W> column(int c) const {
    assert(0 <= c && c < width);
    Bits<W> b;
    for (int r = 0; r < height; ++r) b.add(r * width + c);
    return b;
  }

  // Every cell of `b` one step on; what would leave the board is dropped.
  Bits<W> east(const Bits<W>& b) const { return (b & not_last) << 1; }
  Bits<W> west(const Bits<W>& b) const { return (b & not_first) >> 1; }
  Bits<W> south(const Bits<W>& b) const { return (b << width) & board; }
  Bits<W> north(const Bits<W>& b) const { return b >> width; }

  // The four neighbours of every cell of `b`.
  Bits<W> around(const Bits<W>& b) const { return east(b) | west(b) | south(b) | north(b); }
};

// What can be reached from `start` by steps of `grow` without leaving `within`.
template <int W, class Grow>
Bits<W> flood(Bits<W> start, const Bits<W>& within, Grow grow) {
  for (;;) {
    const Bits<W> more = start | (grow(start) & within);
    if (more == start) return start;
    start = more;
  }
}

}  // namespace ludus
