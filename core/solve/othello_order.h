// Which moves the Othello solver tries first. Nothing here changes what is proven, only how soon.
#pragma once

#include <algorithm>
#include <vector>

#include "games/othello_patterns.h"
#include "solve/othello_board.h"
#include "solve/othello_table.h"

namespace ludus {

template <int W>
struct OthelloMove {
  OthelloSides<W> after;  // as the other player sees it
  int cell, rank;
};

// By the number of replies and, where the board has patterns, by a shallow search with their values.
template <int W>
class OthelloOrder {
 public:
  using Sides = OthelloSides<W>;
  using Move = OthelloMove<W>;

  OthelloOrder(const OthelloRays<W>& rays, const OthelloMap<W>& map) : rays_(&rays), map_(&map) {
    if (W == 1 && map.cells == OthelloPatterns::cells && OthelloPatterns::shared().loaded())
      patterns_ = &OthelloPatterns::shared();
  }

  // A guess at the margin, by a search of some plies; 0 without patterns, and where the proof takes no longer.
  int guess(const Sides& sides) const {
    if (patterns_ == nullptr || map_->cells - (sides.mine | sides.theirs).count() <= 10) return 0;
    return searched(sides, guess_depth, -far, far) / OthelloPatterns::unit;
  }

  Sides after(const Sides& sides, int cell) const {
    return sides.after(cell, rays_->flips(cell, sides.mine, sides.theirs));
  }

  // Puts the moves on the pile.
  void list(std::vector<Move>& pile, const Sides& sides, const Bits<W>& empty, int left, const Bits<W>& moves) const {
    const Bits<W> odd = map_->odd(empty);
    const int depth = depth_for(left);
    int least = far;
    for (int cell : moves) {
      const Sides next = after(sides, cell);
      int rank = map_->rank(cell, rays_->moves(next.mine, next.theirs), odd);
      if (left >= 9) rank -= (rays_->grid.around(next.theirs) & empty).count();  // where they may move some day
      if (depth >= 0) {
        const int theirs = searched(next, depth, -far, std::min(far, least + worse));
        least = std::min(least, theirs);
        rank -= theirs * (depth == 0 ? 2 : 4) / OthelloPatterns::unit;
      }
      pile.push_back({next, cell, rank});
    }
  }

 private:
  static constexpr int far = 1 << 20;
  static constexpr int guess_depth = 4;
  // By so much a move may look worse than another before the search stops looking how bad it is.
  static constexpr int worse = 8 * OthelloPatterns::unit;

  // How far to look after a move; -1: not at all.
  int depth_for(int left) const {
    if (patterns_ == nullptr || left < 12) return -1;
    return left < 14 ? 0 : left < 17 ? 1 : left < 20 ? 2 : 3;
  }

  // What the player to move may expect, in units of the patterns, by alpha-beta of `depth` plies. Where the game ends
  // when a player is blocked, this guess is wrong about it.
  int searched(const Sides& sides, int depth, int alpha, int beta) const {
    if constexpr (W == 1) {
      if (depth == 0) return patterns_->sum(sides.mine, sides.theirs);
      const Bits<W> moves = rays_->moves(sides.mine, sides.theirs);
      if (!moves.any()) {
        const Sides other = sides.swapped();
        if (!rays_->moves(other.mine, other.theirs).any()) return sides.lead() * OthelloPatterns::unit;
        return -searched(other, depth, -beta, -alpha);
      }
      int best = -far;
      for (int cell : moves) {
        best = std::max(best, -searched(after(sides, cell), depth - 1, -beta, -std::max(alpha, best)));
        if (best >= beta) break;
      }
      return best;
    }
    return 0;
  }

  const OthelloRays<W>* rays_;
  const OthelloMap<W>* map_;
  const OthelloPatterns* patterns_ = nullptr;
};

}  // namespace ludus
