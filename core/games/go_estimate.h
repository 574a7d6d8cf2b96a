// Guesses at the score of a Go game, for searches that must stop before its end.
#pragma once

#include <algorithm>

#include "games/go.h"
#include "games/squash_estimate.h"

namespace ludus {

// The simple guess: who has more stones on the board, as a guess at the margin and at the score.
template <int Max>
int simple_margin(const Go<Max>& state, Player p) {
  return state.stones[p].count() - state.stones[1 - p].count();
}
template <int Max>
float simple_estimate(const Go<Max>& state, Player p) {
  return static_cast<float>(simple_margin(state, p)) / static_cast<float>(state.cell_count() + 1);
}

// Black's points less White's if each player gets the cells nearest to its stones: both colours grow
// step by step over empty cells, and what they reach together stays neutral.
template <int Max>
int nearer_cells(const Go<Max>& state) {
  const auto& grid = state.board->grid;
  auto black = state.stones[0], white = state.stones[1], open = state.empty();
  while (open.any()) {
    const auto next_black = grid.around(black) & open, next_white = grid.around(white) & open;
    const auto reached = next_black | next_white;
    if (!reached.any()) break;
    black |= next_black.without(next_white);
    white |= next_white.without(next_black);
    open = open.without(reached);
  }
  return black.count() - white.count();
}

// The empty points beside the chain of the stone at `first`.
template <int Max>
Bits<Go<Max>::W> chain_liberties(const Go<Max>& state, int first) {
  Bits<Go<Max>::W> liberties;
  int stone = first;
  do {
    for (int q : state.board->near[stone])
      if (state.colour[q] == Go<Max>::none) liberties.add(q);
    stone = state.next[stone];
  } while (stone != first);
  return liberties;
}

// What a chain costs its owner because it may be captured, in fifths of a point so that sums are exact. A
// capture costs two points a stone: the stone and its place. Whose turn it is was tried and did not help.
template <int Max>
int chain_danger(const Go<Max>& state, int stone) {
  constexpr int per_stone[] = {10, 10, 4, 2, 0};  // by liberties: 0, 1, 2, 3, more
  const int liberties = std::min(chain_liberties(state, stone).count(), 4);
  return per_stone[liberties] * state.chain[state.head[stone]].stones;
}

template <int Max>
int total_danger(const Go<Max>& state, Player p) {
  int danger = 0;
  for (int stone : state.stones[p])
    if (state.head[stone] == stone) danger += chain_danger(state, stone);
  return danger;
}

// How many points Black is ahead. The weights were tuned by matches of depth 2 on 9x9.
template <int Max>
float go_lead(const Go<Max>& state) {
  const float danger = static_cast<float>(total_danger(state, 1) - total_danger(state, 0)) / 5.f;
  return static_cast<float>(nearer_cells(state)) - state.rules.komi + danger;
}

// The same lead as a guess at the margin, in points, and at the score.
template <int Max>
float margin_estimate(const Go<Max>& state, Player p) {
  return p == 0 ? go_lead(state) : -go_lead(state);
}
template <int Max>
float estimate(const Go<Max>& state, Player p) {
  return squash(margin_estimate(state, p) / static_cast<float>(state.size()));
}

}  // namespace ludus
