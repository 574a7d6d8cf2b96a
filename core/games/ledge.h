// Ledge, the Old Gold game: coins on a row of cells, one of them gold, cell 0 the ledge.
// A turn picks up the coin on the ledge or slides a coin left without hopping; taking the gold wins.
#pragma once

#include <array>
#include <cassert>
#include <vector>

#include "base/action_list.h"

namespace ludus {

// The slide from cell j to cell i < j is action 1 + (0 + 1 + … + j-1) + i; picking up is action 0.
//     pick up   1→0   2→0 2→1   3→0 3→1 3→2   …
//        0       1     2   3     4   5   6
struct Ledge {
  static constexpr int max_length = 64;
  static constexpr int slides_before(int from) { return 1 + from * (from - 1) / 2; }

  int length;
  int gold;      // where the gold coin is; -1 once it is taken
  Word coppers;  // where the copper coins are
  Player turn;

  // `cells` holds 0 (empty), 1 (copper) or 2 (gold, exactly once).
  Ledge(const std::vector<int>& cells, Player starter)
      : length(static_cast<int>(cells.size())), gold(-1), coppers(0), turn(starter) {
    for (int i = 0; i < length; ++i) {
      if (cells[i] == 1) coppers |= Word{1} << i;
      if (cells[i] == 2) gold = i;
    }
  }

  Player player() const { return turn; }
  bool over() const { return gold < 0; }
  float score(Player p) const { return p == turn ? -1.f : 1.f; }  // the other took the gold

  // Each empty cell belongs to the next coin on its right, so there are at most `length` actions.
  ActionList<max_length> actions() const {
    ActionList<max_length> list;
    if (over()) return list;
    const Word coins = coppers | Word{1} << gold;
    if (coins & 1) list.push(0);
    int open = 0;  // the leftmost cell that the next coin can slide to
    for (Word left = coins; left != 0; left &= left - 1) {
      const int from = std::countr_zero(left);
      for (int to = open; to < from; ++to) list.push(slides_before(from) + to);
      open = from + 1;
    }
    return list;
  }

  void play(Action a) {
    assert(is_legal(*this, a));
    if (a == 0) {
      if (gold == 0)
        gold = -1;
      else
        coppers &= ~Word{1};
    } else {
      int from = 1;
      while (slides_before(from + 1) <= a) ++from;
      const int to = a - slides_before(from);
      if (from == gold)
        gold = to;
      else
        coppers ^= Word{1} << from | Word{1} << to;
    }
    turn = 1 - turn;
  }

  friend bool operator==(const Ledge&, const Ledge&) = default;
  Word key() const { return Fingerprint().add(coppers).add(gold + 1).add(turn).value; }

  // Two rows: the coppers, the gold.
  std::array<int, 3> plane_shape() const { return {2, 1, length}; }
  void planes(float* out) const {
    for (int i = 0; i < length; ++i) {
      out[i] = coppers >> i & 1;
      out[length + i] = i == gold;
    }
  }
  std::vector<int> cells() const {
    std::vector<int> row(length, 0);
    for (int i = 0; i < length; ++i) row[i] = i == gold ? 2 : static_cast<int>(coppers >> i & 1);
    return row;
  }
};
static_assert(State<Ledge>);

}  // namespace ludus
