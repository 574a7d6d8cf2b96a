// What a Connect Four solver asks of a board: which empty cells would complete a line, and what a
// player who always answers on top of the other's stone can hold.
#pragma once

#include <algorithm>

#include "games/connect_four.h"

namespace ludus {

template <class B>
struct ConnectFourLines {
  int width, height, line;
  LineGaps<B> gaps{width, height, line};
  B board, bottom;
  B lower, upper;  // column by column in pairs from the top down: a pair's lower and its upper cell

  explicit ConnectFourLines(const ConnectFour<B>& state)
      : width(state.width), height(state.height), line(state.line), board(state.board), bottom(state.bottom) {
    lower = upper = 0;
    for (int row = 0; row < height; ++row) ((height - row) % 2 == 0 ? lower : upper) |= bottom << row;
  }

  int cells() const { return width * height; }
  bool fits(const ConnectFour<B>& state) const {
    return width == state.width && height == state.height && line == state.line;
  }
  B column(int c) const { return ((B{1} << height) - 1) << c * (height + 1); }
  B landings(B filled) const { return (filled + bottom) & board; }

  // The empty cells that would give `stones` a line.
  B completing(B stones, B filled) const { return gaps(stones) & board & ~filled; }

  // Can `cells` hold a whole line? Answers yes, which is always safe, where the board is not plain.
  bool holds_line(B cells) const {
    if (!gaps.plain) return true;
    const int right = height + 1;
    return run(cells, 1) || run(cells, right) || run(cells, right + 1) || run(cells, right - 1);
  }

  // The mirror image, left and right exchanged.
  B mirrored(B cells) const {
    if (width == 1) return cells;  // one column may use all bits of B, and a shift by all bits is undefined
    const B one_column = (B{1} << (height + 1)) - 1;
    B image = 0;
    for (int c = 0; c < width; ++c) image = image << (height + 1) | (cells >> c * (height + 1) & one_column);
    return image;
  }

 private:
  static bool run(B s, int step) {
    s &= s >> step;
    return (s & s >> 2 * step) != 0;
  }
};

}  // namespace ludus
