// A guess at the score of a tic-tac-toe game, from the lines that each player can still complete.
#pragma once

#include "games/squash_estimate.h"
#include "games/tic_tac_toe.h"

namespace ludus {

// The points for all lines without enemy stones along one direction: 1 for a line that lacks three stones, 5 for
// two, 25 for one. All lines are counted at once: a bit stands for the line that ends at this cell so far. It lacks at
// most k stones if it lacked at most k a step before and the cell is mine, or at most k - 1 and the cell is `usable`.
template <int W, class Step>
int points_along(const Bits<W>& mine, const Bits<W>& usable, int line, Step step) {
  Bits<W> full = mine, one = usable, two = usable, three = usable;
  for (int i = 1; i < line; ++i) {
    full = step(full), one = step(one), two = step(two), three = step(three);
    three = (three & mine) | (two & usable);
    two = (two & mine) | (one & usable);
    one = (one & mine) | (full & usable);
    full &= mine;
  }
  return 20 * one.count() + 4 * two.count() + three.count();  // a line that lacks one stone is in all three sets
}

template <int W>
int worth_of_lines(const TicTacToe<W>& state, Player p) {
  const Grid<W>& grid = state.grid;
  const Bits<W> mine = state.stones[p], usable = grid.board.without(state.stones[1 - p]);
  const auto worth = [&](auto step) { return points_along(mine, usable, state.line, step); };
  return worth([&](const Bits<W>& b) { return grid.east(b); }) +
         worth([&](const Bits<W>& b) { return grid.south(b); }) +
         worth([&](const Bits<W>& b) { return grid.south(grid.east(b)); }) +
         worth([&](const Bits<W>& b) { return grid.south(grid.west(b)); });
}

template <int W>
float estimate(const TicTacToe<W>& state, Player p) {
  const int lead = worth_of_lines(state, p) - worth_of_lines(state, 1 - p);
  return squash(static_cast<float>(lead) / 25.f);
}

}  // namespace ludus
