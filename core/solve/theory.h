// Games whose winner is known by a formula, without search: Nim, and Ledge with the gold coin at one end of the coins.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "games/ledge.h"
#include "games/nim.h"

namespace ludus {

// A player who leaves a multiple of most + 1 stones can do so again after any reply, and takes the last stone.
inline int nim_value(const Nim& state) { return state.stones % (state.most + 1) == 0 ? -1 : 1; }

// The gaps between coins that are paired from the right; an odd coin is paired with a wall left of cell `wall`.
//     wall=0   . . o . . . o o     one odd coin: gaps 2 and 0
inline std::vector<int> ledge_gaps(const Ledge& state, int wall) {
  std::vector<int> at;
  const Word coins = state.coppers | Word{1} << state.gold;
  if (std::popcount(coins) % 2 == 1) at.push_back(wall - 1);
  for (Word left = coins; left != 0; left &= left - 1) at.push_back(std::countr_zero(left));
  std::vector<int> gaps;
  for (std::size_t i = 0; i + 1 < at.size(); i += 2) gaps.push_back(at[i + 1] - at[i] - 1);
  return gaps;
}

// Gold leftmost, not on the ledge. Whoever slides it onto the ledge loses it, so nobody does while another move is
// left: it stays at cell 1, and the player who finds all coins packed from there on must give it away. A gap is then a
// heap of Nim: its right coin makes it smaller, and when its left coin makes it bigger the right one follows at once.
inline bool ledge_lost_gold_leftmost(const Ledge& state) {
  int sum = 0;
  for (int gap : ledge_gaps(state, 1)) sum ^= gap;
  return sum == 0;
}

// Gold rightmost. Heaps of Nim again, from the ledge on x1, x2, … xk, with one more move: an odd coin on the ledge
// (x1 = 0) may be picked up, and its heap is gone. (With an even number of coins, picking up only widens x1 by one
// and is answered like a slide.) Let j be the number of heaps of at most 1 before the first bigger one, j = k if
// none is. The player to move loses exactly if x1 ^ … ^ xk == j % 2:
//   No move leads from such a sum to another. A heap of at most 1 changes the sum and not j; the first bigger heap
//   brought down to at most 1 leaves a sum above 1; picking up leaves the sum and makes j one less.
//   From a wrong sum of 0 or 1 with x1 <= 1, a move exists: x1 from 1 to 0; x1 from 0 to nothing; or, with an even
//   number of coins, x1 from 0 to 1, for the left coin has room to its left, if only off the ledge.
//   From any other wrong sum take the usual move of Nim. Should it bring the first bigger heap down to at most 1, j
//   changes, but both 0 and 1 are open and one of them fits.
//   k = 1, x1 = 0 and an odd number of coins is the gold on the ledge: the sum 0 is wrong, and picking it up wins.
inline bool ledge_lost_gold_rightmost(const Ledge& state) {
  const std::vector<int> gaps = ledge_gaps(state, 0);
  int sum = 0;
  for (int gap : gaps) sum ^= gap;
  const auto first_big = std::find_if(gaps.begin(), gaps.end(), [](int gap) { return gap > 1; });
  return sum == (first_big - gaps.begin()) % 2;
}

// +1 or -1 for the player to move; nothing where no formula is known (coppers on both sides of the gold).
inline std::optional<int> ledge_value(const Ledge& state) {
  if (state.over()) return -1;  // the other took it
  if (state.gold == 0) return 1;
  const Word left = state.coppers & ((Word{1} << state.gold) - 1);
  if (left == state.coppers) return ledge_lost_gold_rightmost(state) ? -1 : 1;
  if (left == 0) return ledge_lost_gold_leftmost(state) ? -1 : 1;
  return std::nullopt;
}

}  // namespace ludus
