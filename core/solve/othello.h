// Solves Othello positions: the proven margin, never a guess.
// Reading order: othello_board.h (the map), othello_table.h (the transposition table), othello_last.h (the last moves),
// othello_stable.h (a bound), othello_order.h (which moves first), then this search.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/limit.h"
#include "solve/othello_board.h"
#include "solve/othello_last.h"
#include "solve/othello_order.h"
#include "solve/othello_stable.h"
#include "solve/othello_table.h"

namespace ludus {

// Both variants: a blocked player passes, or the game is over; the state says which. One solver may be asked about
// many positions, which share its table; another size or variant clears the table.
template <int W>
class OthelloSolver {
 public:
  using Table = OthelloTable<W>;
  explicit OthelloSolver(std::size_t table_bytes = std::size_t{64} << 20)
      : OthelloSolver(std::make_shared<Table>(table_bytes)) {}
  // With the table of other solvers, all of which are asked about one size and variant.
  explicit OthelloSolver(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  const std::shared_ptr<Table>& table() const { return table_; }

  // The final lead in discs of the player to move; nothing if the limit was reached first.
  std::optional<int> margin(const Othello<W>& state, const Limit& limit = {}) {
    return between(state, -state.cell_count(), state.cell_count(), limit);
  }

  // +1, 0 or -1 for the player to move. Cheaper: it needs at most two null-window searches.
  std::optional<int> value(const Othello<W>& state, const Limit& limit = {}) { return between(state, -1, 1, limit); }

  std::int64_t nodes() const { return nodes_ + (last_ ? last_->nodes : 0); }  // visited so far, by all calls

 private:
  using Sides = OthelloSides<W>;
  using Move = OthelloMove<W>;
  static constexpr int nothing = -10000;

  // The margin, cut off below `low` and above `high`, by asking "more than this?" near a guess and then near the last
  // answer: MTD(f) (Plaat et al. 1996).
  std::optional<int> between(const Othello<W>& state, int low, int high, const Limit& limit) {
    prepare(state, limit);
    const Sides sides{state.stones[state.turn], state.stones[1 - state.turn]};
    for (int alpha = order_->guess(sides); low < high;) {
      alpha = std::clamp(alpha, low, high - 1);
      const int found = search(sides, alpha);
      if (stopped_) return std::nullopt;
      if (found > alpha)
        low = std::min(found, high);
      else
        high = std::max(found, low);
      alpha = found > alpha ? low : high - 1;
    }
    return low;
  }

  void prepare(const Othello<W>& state, const Limit& limit) {
    if (!map_ || rays_ != state.rays || passing_ != state.passing) {
      if (map_) table_->clear();
      map_.emplace(state.size());
      rays_ = state.rays;
      passing_ = state.passing;
      last_.emplace(*rays_, *map_, passing_);
      stable_.emplace(rays_->grid);
    }
    order_.emplace(*rays_, *map_);
    limit_ = &limit;
    stopped_ = limit.reached();
  }

  // Is the margin more than `alpha`? Returns a number above alpha that the margin reaches, or a number up to alpha
  // that it does not exceed. So do all functions below that take an `alpha`.
  int search(const Sides& sides, int alpha) {
    const Bits<W> empty = rays_->grid.board.without(sides.mine | sides.theirs);
    const int left = empty.count();
    if (left <= OthelloLast<W>::most_cells) return last_->search(sides, empty, left, alpha);
    if (4 * left < 3 * map_->cells) return deep(sides, empty, left, alpha);
    const Sides image = map_->canonical(sides);  // openings come in up to eight images
    return deep(image, rays_->grid.board.without(image.mine | image.theirs), left, alpha);
  }

  // The player to move has no move: either the game is over, or it is the other player's turn.
  int blocked(const Sides& sides, int alpha) {
    const Sides other = sides.swapped();
    if (!passing_ || !rays_->moves(other.mine, other.theirs).any()) return sides.lead();
    return -search(other, -alpha - 1);
  }

  int deep(const Sides& sides, const Bits<W>& empty, int left, int alpha) {
    if ((++deep_nodes_ & 255) == 0) stopped_ = stopped_ || limit_->reached();
    if (stopped_) return 0;
    ++nodes_;
    table_->prefetch(sides);
    if (const int most = most_by_stable(sides, empty, left, alpha); most <= alpha) return most;
    const Bits<W> moves = rays_->moves(sides.mine, sides.theirs);
    if (!moves.any()) return blocked(sides, alpha);

    OthelloKnown known = table_->find(sides, nothing_known());
    if (known.lower > alpha) return known.lower;
    if (known.upper <= alpha) return known.upper;

    const std::int64_t start = nodes();
    const int best = try_all(sides, empty, left, moves, known, alpha);
    if (stopped_) return 0;
    (best > alpha ? known.lower : known.upper) = best;
    table_->keep(sides, known, nodes() - start);
    return best;
  }

  // What the margin cannot exceed because of discs that stay theirs, if there is hope that this is not more than alpha.
  int most_by_stable(const Sides& sides, const Bits<W>& empty, int left, int alpha) const {
    const int cells = map_->cells;
    if (alpha < left || cells - 2 * sides.theirs.count() > alpha) return cells;
    return cells - 2 * stable_->find(sides.theirs, sides.mine, empty).count();
  }

  // Tries the favourite of the table before the others are even listed. Leaves the best move in known.first.
  int try_all(const Sides& sides, const Bits<W>& empty, int left, Bits<W> moves, OthelloKnown& known, int alpha) {
    int best = nothing;
    if (known.first >= 0) {
      best = -search(order_->after(sides, known.first), -alpha - 1);
      if (best > alpha || stopped_) return best;
      moves.remove(known.first);
    }
    const std::size_t first = pile_.size();
    order_->list(pile_, sides, empty, left, moves);
    if (left - 1 > OthelloLast<W>::most_cells) best = std::max(best, remembered_reply(first, alpha));
    for (std::size_t i = first, end = pile_.size(); i < end && best <= alpha && !stopped_; ++i) {
      const auto by_rank = [](const Move& a, const Move& b) { return a.rank < b.rank; };
      std::swap(pile_[i], *std::max_element(pile_.begin() + i, pile_.begin() + end, by_rank));
      const Move move = pile_[i];  // a copy: the pile may grow and move
      const int found = -search(move.after, -alpha - 1);
      if (found <= best) continue;
      best = found;
      known.first = move.cell;
    }
    pile_.resize(first);
    return best;
  }

  // A bound above alpha, if the table knows a reply that gives it; else `nothing`.
  int remembered_reply(std::size_t first, int alpha) const {
    for (std::size_t i = first; i < pile_.size(); ++i) table_->prefetch(pile_[i].after);
    for (std::size_t i = first; i < pile_.size(); ++i)
      if (const int lower = -table_->find(pile_[i].after, nothing_known()).upper; lower > alpha) return lower;
    return nothing;
  }

  OthelloKnown nothing_known() const { return {-map_->cells, map_->cells}; }

  std::shared_ptr<Table> table_;
  std::vector<Move> pile_;  // the moves still to be tried, of every level of the search
  std::optional<OthelloMap<W>> map_;
  std::optional<OthelloLast<W>> last_;
  std::optional<OthelloOrder<W>> order_;
  std::optional<OthelloStability<W>> stable_;
  const OthelloRays<W>* rays_ = nullptr;
  bool passing_ = true, stopped_ = false;
  const Limit* limit_ = nullptr;
  std::int64_t nodes_ = 0, deep_nodes_ = 0;
};

}  // namespace ludus
