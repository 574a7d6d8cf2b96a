// Guesses at the score of an Othello game, for searches that must stop before its end.
#pragma once

#include <optional>

#include "games/othello.h"
#include "games/othello_patterns.h"
#include "games/squash_estimate.h"

namespace ludus {

// The simple guess: who has more discs, as a guess at the margin and at the score.
template <int W>
int simple_margin(const Othello<W>& state, Player p) {
  return state.margin(p);
}
template <int W>
float simple_estimate(const Othello<W>& state, Player p) {
  return static_cast<float>(simple_margin(state, p)) / static_cast<float>(state.cell_count() + 1);
}

template <int W>
Bits<W> border_cells(const Grid<W>& grid) {
  const Bits<W> inner = grid.not_first & grid.not_last & grid.north(grid.board) & grid.south(grid.board);
  return grid.board.without(inner);
}

// Stable discs, which nobody can turn over, as far as they can be found from the corners: along each of the four axes
// such a disc has the border or another stable disc on one side.
template <int W>
Bits<W> stable_discs(const Grid<W>& grid, const Bits<W>& discs, const Bits<W>& corners) {
  Bits<W> stable = discs & corners;
  if (!stable.any()) return stable;  // most of the game
  const Bits<W> side = grid.board.without(grid.not_first & grid.not_last);
  const Bits<W> end = grid.board.without(grid.north(grid.board) & grid.south(grid.board));
  const Bits<W> border = side | end;
  for (;;) {
    const Bits<W> north = grid.north(stable), south = grid.south(stable);
    const Bits<W> held = (side | grid.east(stable) | grid.west(stable)) & (end | north | south) &
                         (border | grid.east(north) | grid.west(south)) &
                         (border | grid.west(north) | grid.east(south));
    const Bits<W> more = stable | (held & discs);
    if (more == stable) return stable;
    stable = more;
  }
}

// How far the player to move is ahead. Every weight moves from its first to its second value as the board
// fills; they were fitted to the results of self-play on 8x8 (logistic regression) and rounded.
template <int W>
float othello_lead(const Othello<W>& state) {
  const Grid<W>& grid = state.rays->grid;
  const Bits<W> mine = state.stones[state.turn], theirs = state.stones[1 - state.turn];
  const Bits<W> empty = grid.board.without(mine | theirs), corners = corner_cells(grid), bare = corners & empty;
  const Bits<W> replies = state.rays->moves(theirs, mine);  // were it the other's turn
  const int discs = mine.count() + theirs.count(), open = grid.cells() - discs;
  const float stage = static_cast<float>(discs) / static_cast<float>(grid.cells());

  float lead = 0;
  const auto add = [&](float first, float second, auto amount) {
    lead += (first + (second - first) * stage) * static_cast<float>(amount);
  };
  const auto more = [&](const Bits<W>& zone) { return (mine & zone).count() - (theirs & zone).count(); };
  const auto share = [](int a, int b) { return static_cast<float>(a - b) / static_cast<float>(a + b + 2); };

  add(0.6f, 2.7f, share(state.moves.count(), replies.count()));
  add(-1.5f, 0.9f, share(mine.count(), theirs.count()));
  add(1.05f, -0.2f, more(corners));  // late in the game they count as stable discs below
  add(0.06f, 0.2f, stable_discs(grid, mine, corners).count() - stable_discs(grid, theirs, corners).count());
  add(-0.95f, 0.2f, more(diagonal_to(grid, bare)));  // X squares give the corner away
  add(-0.3f, 0.f, more(grid.around(bare)));          // C squares may
  add(0.08f, -0.03f, more(border_cells(grid)));
  add(0.15f, 0.55f, (state.moves & corners).count());
  add(0.f, -0.4f, (replies & corners).count());
  add(-0.16f, -0.05f, 1);                  // having to move is a small disadvantage
  add(0.f, 0.3f, open % 2 == 1 ? 1 : -1);  // but with an odd number of empty cells the mover gets the last one
  return lead;
}

// Are there patterns for this board? They were fitted to games with passing.
template <int W>
bool has_patterns(const Othello<W>& state) {
  return W == 1 && state.size() == OthelloPatterns::size && state.passing && OthelloPatterns::shared().loaded();
}

// The margin to be expected by patterns, for the player to move; nothing on boards that have none.
template <int W>
std::optional<float> pattern_margin(const Othello<W>& state) {
  if constexpr (W == 1)
    if (has_patterns(state))
      return OthelloPatterns::shared().margin(state.stones[state.turn], state.stones[1 - state.turn]);
  return std::nullopt;
}

template <int W>
float estimate(const Othello<W>& state, Player p) {
  const std::optional<float> margin = pattern_margin(state);
  const float guess = squash(margin ? *margin / discs_of_a_lead : othello_lead(state));
  return p == state.turn ? guess : -guess;
}

// As a guess at the margin. Without patterns, whoever is sure to win gets all cells: that is rough, but rises and falls
// with the estimate.
template <int W>
float margin_estimate(const Othello<W>& state, Player p) {
  const std::optional<float> margin = pattern_margin(state);
  if (!margin) return estimate(state, p) * static_cast<float>(state.cell_count());
  return p == state.turn ? *margin : -*margin;
}

// What a shallow search tells about one of `depth` plies (search/selective.h), on boards that have patterns. The error
// was fitted by eye to 67 plain searches of 10 plies; it grows as the board fills.
inline std::optional<Foresight> foresight(const Othello<1>& state, int depth) {
  if (depth < 3 || !has_patterns(state)) return std::nullopt;
  const int shallow = depth < 5 ? depth - 2 : depth / 4 * 2 + depth % 2;  // of the same parity
  const double stage = static_cast<double>((state.stones[0] | state.stones[1]).count()) / state.cell_count();
  return Foresight{shallow, 0.3 + 0.45 * stage};
}

}  // namespace ludus
