// What a Connect Four solver asks of a board: which empty cells would complete a line, and what a
// player who always answers on top of the other's stone can hold.
#pragma once

#include <algorithm>

#include "games/connect_four.h"

namespace ludus {

template <class B>
struct ConnectFourLines {
  int width, height, line;
  B board, bottom;
  B lower, upper;  // column by column in pairs from the top down: a pair's lower and its upper cell
  bool plain;      // four in a row, and room for it in every direction

  explicit ConnectFourLines(const ConnectFour<B>& state)
      : width(state.width), height(state.height), line(state.line), board(state.board), bottom(state.bottom) {
    lower = upper = 0;
    for (int row = 0; row < height; ++row) ((height - row) % 2 == 0 ? lower : upper) |= bottom << row;
    plain = line == 4 && width >= 4 && height >= 4;
  }

  int cells() const { return width * height; }
  bool fits(const ConnectFour<B>& state) const {
    return width == state.width && height == state.height && line == state.line;
  }
  B column(int c) const { return ((B{1} << height) - 1) << c * (height + 1); }
  B landings(B filled) const { return (filled + bottom) & board; }

  // The empty cells that would give `stones` a line.
  B completing(B stones, B filled) const {
    const int right = height + 1;
    B found;
    if (plain) {
      found = (stones << 1) & (stones << 2) & (stones << 3);
      found |= four_along(stones, right) | four_along(stones, right + 1) | four_along(stones, right - 1);
    } else {
      found = line <= height ? any_along(stones, 1) : 0;
      if (line <= width) found |= any_along(stones, right);
      if (line <= std::min(width, height)) found |= any_along(stones, right + 1) | any_along(stones, right - 1);
    }
    return found & board & ~filled;
  }

  // Can `cells` hold a whole line? Answers yes, which is always safe, where the board is not `plain`.
  bool holds_line(B cells) const {
    if (!plain) return true;
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
  // Three stones around a gap, along one direction: xxx_ xx_x x_xx _xxx.
  static B four_along(B s, int step) {
    const B before = (s << step) & (s << 2 * step), after = (s >> step) & (s >> 2 * step);
    return (before & ((s << 3 * step) | (s >> step))) | (after & ((s >> 3 * step) | (s << step)));
  }

  // k stones before the gap and line - 1 - k after it, for every k.
  B any_along(B s, int step) const {
    B found = 0;
    for (int k = 0; k < line; ++k) {
      B gaps = ~B{0};
      for (int i = 1; i <= k; ++i) gaps &= s << i * step;
      for (int i = 1; i < line - k; ++i) gaps &= s >> i * step;
      found |= gaps;
    }
    return found;
  }

  static bool run(B s, int step) {
    s &= s >> step;
    return (s & s >> 2 * step) != 0;
  }
};

}  // namespace ludus
