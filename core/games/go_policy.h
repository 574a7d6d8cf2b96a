// Go knowledge that needs no search: a policy for playouts, and hints for a tree search. The shapes and the order of
// the playout policy's rules are those of MoGo (Gelly, Wang, Munos and Teytaud 2006).
#pragma once

#include <bitset>
#include <string_view>

#include "games/go.h"

namespace ludus {

// Shapes of three by three points worth a stone in the middle: hanes, cuts, and blocks at the edge. X and O are
// the two colours either way round, x and o anything but them, a dot is empty, # off the board, ? anything.
constexpr std::string_view go_shapes[] = {
    "XOX ... ???", "XO. ... ?.?", "XO? X.. x.?", ".O. X.. ...",                 // hanes
    "XO? O.o ?o?", "XO? O.X ???", "?X? O.O ooo", "OX? o.O ???",                 // cuts
    "X.? O.? ###", "OX? X.O ###", "?X? x.O ###", "?XO x.x ###", "?OX X.O ###",  // edge
};

// Is there a good shape around a point? By the eight points around it, two bits each: `near`, then `diagonal`.
class GoShapes {
 public:
  static bool good(unsigned around) {
    static const GoShapes shapes;
    return shapes.good_[around];
  }

 private:
  GoShapes() {
    for (const std::string_view shape : go_shapes)
      for (int turn = 0; turn < 16; ++turn) add(shape, turn, 0, 0);
  }

  // Adds all surroundings that a shape fits and that begin with the first `i` points of `around`.
  // Bits of `turn`: mirror the rows, mirror the columns, swap rows and columns, swap the colours.
  void add(std::string_view shape, int turn, int i, unsigned around) {
    if (i == 8) {
      good_[around] = true;
      return;
    }
    constexpr int rows[] = {0, 2, 1, 1, 0, 0, 2, 2}, columns[] = {1, 1, 0, 2, 0, 2, 0, 2};
    int r = turn & 1 ? 2 - rows[i] : rows[i], c = turn & 2 ? 2 - columns[i] : columns[i];
    if (turn & 4) std::swap(r, c);
    for (unsigned colour = 0; colour < 4; ++colour) {
      const unsigned turned = (turn & 8) && colour < 2 ? 1 - colour : colour;
      if (matches(shape[static_cast<std::size_t>(4 * r + c)], turned))
        add(shape, turn, i + 1, around | colour << 2 * i);
    }
  }
  static bool matches(char sign, unsigned colour) {
    switch (sign) {
      case 'X':
        return colour == 0;
      case 'O':
        return colour == 1;
      case '.':
        return colour == 2;
      case '#':
        return colour == 3;
      case 'x':
        return colour == 1 || colour == 2;
      case 'o':
        return colour == 0 || colour == 2;
      default:
        return true;
    }
  }
  std::bitset<1 << 16> good_;
};

template <int Max>
bool Go<Max>::good_shape(int p) const {
  unsigned around = 0;
  for (int i = 0; i < 4; ++i)
    around |= unsigned{colour[board->near[p][i]]} << 2 * i | unsigned{colour[board->diagonal[p][i]]} << (8 + 2 * i);
  return GoShapes::good(around);
}

// The only liberty of the chain at q; -1 if it has more. One empty point has four sides, so a chain that counts
// more than four liberties cannot be in atari.
template <int Max>
int Go<Max>::last_liberty(int q) const {
  if (chain[head[q]].liberties > 4) return -1;
  int found = -1, stone = q;
  do {
    for (int r : board->near[stone])
      if (colour[r] == none && r != found) {
        if (found >= 0) return -1;
        found = r;
      }
    stone = next[stone];
  } while (stone != q);
  return found;
}

// How many stones the chain would have that a stone at p leaves with one liberty; 0 if it gets more or captures.
template <int Max>
int Go<Max>::self_atari(int p) const {
  int found = -1, stones_joined = 1;
  const auto second = [&](int r) {  // is r a second liberty?
    if (colour[r] != none || r == p || r == found) return false;
    if (found >= 0) return true;
    found = r;
    return false;
  };
  for (int q : board->near[p])
    if (second(q)) return 0;
  for (int q : board->near[p]) {
    if (colour[q] == 1 - turn && only_liberty(q, p)) return 0;
    if (colour[q] != turn) continue;
    stones_joined += chain[head[q]].stones;
    int stone = q;
    do {
      for (int r : board->near[stone])
        if (second(r)) return 0;
      stone = next[stone];
    } while (stone != q);
  }
  return stones_joined;
}

// Where a stone saves the own chain at q from its atari: by taking one of the enemies around it, or by running.
template <int Max>
int Go<Max>::rescue(int q, int liberty) const {
  int stone = q;
  do {
    for (int r : board->near[stone]) {
      if (colour[r] != 1 - turn) continue;
      const int taking = last_liberty(r);
      if (taking >= 0 && legal_stone(taking)) return taking;
    }
    stone = next[stone];
  } while (stone != q);
  return !self_atari(liberty) && legal_stone(liberty) ? liberty : -1;
}

// An answer to the last stone: take it, save what it threatens, or play a good shape beside it; -1: none.
template <int Max>
int Go<Max>::answer(Rng& rng) const {
  if (last < 0) return -1;
  if (const int taking = last_liberty(last); taking >= 0 && legal_stone(taking)) return taking;
  for (int q : board->near[last]) {
    if (colour[q] != turn) continue;
    const int liberty = last_liberty(q);
    if (liberty < 0) continue;
    if (const int saving = rescue(q, liberty); saving >= 0) return saving;
  }
  int found = 0, chosen = -1;
  const auto consider = [&](int p) {
    if (colour[p] != none || !good_shape(p) || self_atari(p) || !legal_stone(p)) return;
    if (rng.below(++found) == 0) chosen = p;
  };
  for (int p : board->near[last]) consider(p);
  for (int p : board->diagonal[last]) consider(p);
  return chosen;
}

template <int Max>
Action Go<Max>::quick_action(Rng& rng) const {
  constexpr int large = 5;  // stones; sacrificing so many is hardly ever right, not even to destroy an eye
  if (rng.below(10) > 0)
    if (const int point = answer(rng); point >= 0) return point;
  Bits<W> open = empty();
  for (int left = open.count(); left > 0; --left) {
    const int p = open.select(rng.below(left));
    if (!own_eye(p) && legal_stone(p)) {
      const int risked = self_atari(p);
      if (risked == 0 || (risked < large && rng.below(8) == 0)) return p;
    }
    open.remove(p);
  }
  return pass();
}

// A prior in games won (below zero: lost), by the rules of thumb that beginners learn.
template <int Max>
float Go<Max>::hint(Action p) const {
  if (p == pass()) return -20;
  if (own_eye(p)) return -20;
  float bet = 0;
  for (int q : board->near[p]) {
    if (colour[q] == 1 - turn && only_liberty(q, p)) bet += chain[head[q]].stones > 1 ? 30 : 15;
    if (colour[q] == turn && only_liberty(q, p) && !self_atari(p)) bet += 15;
  }
  if (bet == 0 && self_atari(p)) return -10;
  if (good_shape(p)) bet += 10;
  const int row = p / size(), column = p % size();
  if (last >= 0) {
    const int down = std::abs(row - last / size()), across = std::abs(column - last % size());
    const int away = down + across + std::max(down, across);
    if (away <= 5) bet += away <= 3 ? 15 : 8;
  }
  const int line = std::min({row, column, size() - 1 - row, size() - 1 - column});
  if (line <= 1 && bet == 0) bet -= line == 0 ? 10 : 3;
  return bet;
}

template <int Max>
auto hints(const Go<Max>& state) {
  return [&state](Action action) { return state.hint(action); };
}

}  // namespace ludus
