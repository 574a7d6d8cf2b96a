// The last moves of an Othello game: plain search without a table or a limit. Nearly all positions that the solver
// visits are these.
#pragma once

#include <algorithm>
#include <array>

#include "solve/othello_board.h"

namespace ludus {

// All functions that take an `alpha` ask: is the margin of the player to move more than `alpha`? They return a number
// above alpha that the margin reaches, or a number up to alpha that it does not exceed.
template <int W>
class OthelloLast {
 public:
  using Sides = OthelloSides<W>;
  static constexpr int most_cells = 6;  // with more empty cells, a table finds more than it costs

  OthelloLast(const OthelloRays<W>& rays, const OthelloMap<W>& map, bool passing)
      : rays_(&rays), map_(&map), passing_(passing) {}

  std::int64_t nodes = 0;  // visited so far

  // With up to most_cells empty cells.
  int search(Sides sides, const Bits<W>& empty, int left, int alpha) {
    switch (left) {
      case 0:
        return sides.lead();
      case 1:
        return few<1>(sides, {static_cast<std::uint8_t>(empty.lowest())}, alpha);
      case 2:
        return few<2>(sides, cells_of<2>(empty), alpha);
      case 3:
        return few<3>(sides, cells_of<3>(empty), alpha);
      case 4:
        return few<4>(sides, cells_of<4>(empty), alpha);
      default:
        return some(sides, empty, left, alpha);
    }
  }

 private:
  static constexpr int nothing = -10000;
  template <int N>
  using Cells = std::array<std::uint8_t, N>;

  // Those in odd quarters first.
  template <int N>
  Cells<N> cells_of(const Bits<W>& empty) const {
    const Bits<W> odd = map_->odd(empty);
    Cells<N> cells{};
    int n = 0;
    for (int cell : empty& odd) cells[n++] = static_cast<std::uint8_t>(cell);
    for (int cell : empty.without(odd)) cells[n++] = static_cast<std::uint8_t>(cell);
    return cells;
  }

  // More than four empty cells: looks for moves, and tries the most promising first.
  int some(Sides sides, Bits<W> empty, int left, int alpha) {
    ++nodes;
    const Bits<W> moves = rays_->moves(sides.mine, sides.theirs);
    if (!moves.any()) {
      const Sides other = sides.swapped();
      if (!passing_ || !rays_->moves(other.mine, other.theirs).any()) return sides.lead();
      return -some(other, empty, left, -alpha - 1);
    }
    Move sorted[most_cells];
    const int count = sort(sides, empty, moves, sorted);
    int best = nothing;
    for (int k = 0; k < count; ++k) {
      Bits<W> rest = empty;
      rest.remove(sorted[k].cell);
      const Sides& next = sorted[k].after;
      const int found =
          left == 5 ? -few<4>(next, cells_of<4>(rest), -alpha - 1) : -some(next, rest, left - 1, -alpha - 1);
      if (found > alpha) return found;
      best = std::max(best, found);
    }
    return best;
  }

  struct Move {
    Sides after;
    int cell, rank;
  };
  // Returns how many moves there are.
  int sort(const Sides& sides, const Bits<W>& empty, const Bits<W>& moves, Move* sorted) const {
    const Bits<W> odd = map_->odd(empty);
    int count = 0;
    for (int cell : moves) {
      const Sides next = sides.after(cell, rays_->flips(cell, sides.mine, sides.theirs));
      const int rank = map_->rank(cell, rays_->moves(next.mine, next.theirs), odd);
      int k = count++;
      for (; k > 0 && sorted[k - 1].rank < rank; --k) sorted[k] = sorted[k - 1];
      sorted[k] = {next, cell, rank};
    }
    return count;
  }

  // Tries every empty cell, which is quicker than looking for moves.
  template <int N>
  int few(Sides sides, Cells<N> cells, int alpha, bool passed = false) {
    ++nodes;
    if constexpr (N == 1) {
      return last(sides, cells[0], alpha);
    } else {
      if constexpr (N == 3) lone_first(cells);
      int best = nothing;
      for (int i = 0; i < N; ++i) {
        const int cell = cells[i];
        if (!(map_->beside[cell] & sides.theirs).any()) continue;
        const Bits<W> turned = rays_->flips(cell, sides.mine, sides.theirs);
        if (!turned.any()) continue;
        Cells<N - 1> rest;
        for (int k = 0; k < N - 1; ++k) rest[k] = cells[k + (k >= i)];
        const int found = -few<N - 1>(sides.after(cell, turned), rest, -alpha - 1);
        if (found > alpha) return found;
        best = std::max(best, found);
      }
      if (best != nothing) return best;
      if (!passing_ || passed) return sides.lead();
      return -few<N>(sides.swapped(), cells, -alpha - 1, true);
    }
  }

  // Of three cells, two in one quarter: the other one first.
  void lone_first(Cells<3>& cells) const {
    const auto quarter = [&](int i) { return map_->quarter_of[cells[i]]; };
    if (quarter(0) == quarter(1))
      std::swap(cells[0], cells[2]);
    else if (quarter(0) == quarter(2))
      std::swap(cells[0], cells[1]);
  }

  // One empty cell: a disc turned counts twice, the disc set once.
  int last(const Sides& sides, int cell, int alpha) const {
    const int lead = sides.lead();
    const int mine = rays_->last_flips(cell, sides.mine).count();
    if (mine > 0) return lead + 2 * mine + 1;
    if (!passing_ || lead <= alpha) return lead;
    const int theirs = rays_->last_flips(cell, sides.theirs).count();
    return theirs > 0 ? lead - 2 * theirs - 1 : lead;
  }

  const OthelloRays<W>* rays_;
  const OthelloMap<W>* map_;
  bool passing_;
};

}  // namespace ludus
