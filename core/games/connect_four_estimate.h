// A guess at the score of a Connect Four game, from the lines that each player can still complete.
#pragma once

#include <type_traits>

#include "games/connect_four.h"
#include "games/squash_estimate.h"

namespace ludus {

// The lines without enemy stones that lack at most two or three stones, and the empty cells that complete one.
template <class B>
struct OpenLines {
  int lack_two = 0, lack_three = 0;
  B threats = 0;
};

// All lines at once: bit i stands for the line that begins at cell i and goes on `step` bits at a time. A line
// with one more cell lacks at most k stones if it lacked at most k before and the cell is mine, or at most k - 1
// and the cell is `usable`. `Line` is an int, or a constant that lets the compiler unroll.
template <class B, class Line>
OpenLines<B> open_lines(const ConnectFour<B>& state, Player p, Line line) {
  const B mine = state.stones[p], usable = state.board & ~state.stones[1 - p];
  OpenLines<B> open;
  const int up = 1, right = state.height + 1;
  for (int step : {up, right, right + 1, right - 1}) {
    const bool fits = (step == up || line <= state.width) && (step == right || line <= state.height);
    if (!fits) continue;
    B full = mine, one = usable, two = usable, three = usable;
    for (int i = 1; i < line; ++i) {
      const B stone = mine >> i * step, free = usable >> i * step;
      three = (three & stone) | (two & free);
      two = (two & stone) | (one & free);
      one = (one & stone) | (full & free);
      full &= stone;
    }
    open.lack_two += count_bits(two);
    open.lack_three += count_bits(three);
    for (int i = 0; i < line; ++i) open.threats |= one << i * step;  // its one gap is among these cells
  }
  open.threats &= usable & ~mine;
  return open;
}

// The same for four in a row on a board of one word, with the four directions in the lanes of a vector register.
inline OpenLines<Word> open_fours(const ConnectFour<Word>& state, Player p) {
  using Lanes = Word __attribute__((vector_size(32)));
  const Word own = state.stones[p], free_or_own = state.board & ~state.stones[1 - p];
  const Word right = static_cast<Word>(state.height) + 1;
  const Lanes step = {1, right, right + 1, right - 1};
  const Lanes mine = {own, own, own, own}, usable = {free_or_own, free_or_own, free_or_own, free_or_own};
  Lanes full = mine, one = usable, two = usable, three = usable;
  Lanes by = step;
  for (int i = 1; i < 4; ++i, by += step) {
    const Lanes stone = mine >> by, free = usable >> by;
    three = (three & stone) | (two & free);
    two = (two & stone) | (one & free);
    one = (one & stone) | (full & free);
    full &= stone;
  }
  const Lanes gaps = one | (one << step) | (one << 2 * step) | (one << 3 * step);
  OpenLines<Word> open;
  for (int lane = 0; lane < 4; ++lane) {
    open.lack_two += count_bits(two[lane]);
    open.lack_three += count_bits(three[lane]);
    open.threats |= gaps[lane];
  }
  open.threats &= free_or_own & ~own;
  return open;
}

template <class B>
OpenLines<B> open_lines(const ConnectFour<B>& state, Player p) {
  if (state.line != 4 || state.width < 4 || state.height < 4) return open_lines(state, p, state.line);
  if constexpr (std::is_same_v<B, Word>)
    return open_fours(state, p);
  else
    return open_lines(state, p, std::integral_constant<int, 4>{});
}

// Every other row, from the lowest. When all columns but one are full, the player to move now will get these
// cells of the last one, or else the rows between: a threat there wins at the end of the game.
template <class B>
B rows_of_mover(const ConnectFour<B>& state) {
  B rows = 0;
  for (int row = 0; row < state.height; row += 2) rows |= state.bottom << row;
  const int elsewhere = (state.width - 1) * state.height - count_bits(state.filled());
  return elsewhere % 2 == 0 ? rows : state.board & ~rows;
}

// How far the player to move is ahead. Weights move from their first to their second value as the board fills;
// they were fitted to the results of self-play on 7x6 (logistic regression) and rounded.
template <class B>
float connect_four_lead(const ConnectFour<B>& state) {
  const OpenLines<B> mine = open_lines(state, state.turn), theirs = open_lines(state, 1 - state.turn);
  const B landings = state.landings(), own_rows = rows_of_mover(state);
  const int cells = state.width * state.height;
  const float stage = static_cast<float>(count_bits(state.filled())) / static_cast<float>(cells);

  float lead = 0;
  const auto add = [&](float first, float second, int amount) {
    lead += (first + (second - first) * stage) * static_cast<float>(amount);
  };
  const auto count = [](B b) { return count_bits(b); };
  add(0.14f, 0.11f, mine.lack_two - theirs.lack_two);
  add(0.07f, 0.01f, mine.lack_three - theirs.lack_three);
  add(0.22f, 1.5f, count(mine.threats & own_rows) - count(theirs.threats & ~own_rows));
  add(0.24f, -0.05f, count(mine.threats & ~own_rows) - count(theirs.threats & own_rows));
  add(2.8f, 4.f, (mine.threats & landings) != 0);            // wins at once
  add(-2.9f, -1.6f, count(theirs.threats & landings) >= 2);  // can stop only one of two
  return lead;
}

template <class B>
float estimate(const ConnectFour<B>& state, Player p) {
  const float guess = squash(connect_four_lead(state));
  return p == state.turn ? guess : -guess;
}

}  // namespace ludus
