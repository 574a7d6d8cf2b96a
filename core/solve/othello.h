// Solves Othello positions: the proven margin, never a guess.
// Reading order: othello_board.h (the map), othello_table.h (the transposition table), then this search.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "base/limit.h"
#include "solve/othello_board.h"
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

  std::int64_t nodes() const { return nodes_; }  // visited so far, by all calls

 private:
  using Sides = OthelloSides<W>;
  struct Move {
    Sides after;  // as the other player sees it
    int cell, rank;
  };
  static constexpr int few_cells = 4;    // up to here, trying every empty cell is quicker than looking for moves
  static constexpr int table_cells = 7;  // from here on, the table finds more than it costs
  static constexpr int nothing = -10000;

  // The margin, cut off below `low` and above `high`, by asking "more than this?" near the last answer: MTD(f)
  // (Plaat et al. 1996).
  std::optional<int> between(const Othello<W>& state, int low, int high, const Limit& limit) {
    prepare(state, limit);
    const Sides sides{state.stones[state.turn], state.stones[1 - state.turn]};
    for (int alpha = 0; low < high;) {
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
    }
    limit_ = &limit;
    stopped_ = limit.reached();
  }

  // Is the margin more than `alpha`? Returns a number above alpha that the margin reaches, or a number up to alpha
  // that it does not exceed. So do all functions below that take an `alpha`.
  int search(const Sides& sides, int alpha) {
    const Bits<W> empty = rays_->grid.board.without(sides.mine | sides.theirs);
    const int left = empty.count();
    if (left <= few_cells) return few(sides, empty, left, alpha);
    if (4 * left < 3 * map_->cells) return deep(sides, empty, left, alpha);
    const Sides image = map_->canonical(sides);  // openings come in up to eight images
    return deep(image, rays_->grid.board.without(image.mine | image.theirs), left, alpha);
  }

  Sides after(const Sides& sides, int cell, const Bits<W>& turned) const {
    Bits<W> mine = sides.mine | turned;
    mine.add(cell);
    return {sides.theirs.without(turned), mine};
  }

  // The player to move has no move: either the game is over, or it is the other player's turn.
  int blocked(const Sides& sides, int alpha) {
    const Sides other = sides.swapped();
    if (!passing_ || !rays_->moves(other.mine, other.theirs).any()) return sides.lead();
    return -search(other, -alpha - 1);
  }

  // Tries every empty cell, those in odd quarters first.
  int few(const Sides& sides, const Bits<W>& empty, int left, int alpha) {
    ++nodes_;
    if (left == 0) return sides.lead();
    if (left == 1) return last(sides, empty.lowest());
    const Bits<W> odd = left == 2 ? empty : map_->odd(empty);
    int best = nothing;
    for (const Bits<W>& part : {empty & odd, empty.without(odd)})
      for (int cell : part) {
        const Bits<W> turned = rays_->flips(cell, sides.mine, sides.theirs);
        if (!turned.any()) continue;
        Bits<W> rest = empty;
        rest.remove(cell);
        best = std::max(best, -few(after(sides, cell, turned), rest, left - 1, -alpha - 1));
        if (best > alpha) return best;
      }
    return best == nothing ? blocked(sides, alpha) : best;
  }

  // One empty cell: a disc turned counts twice, the disc set once.
  int last(const Sides& sides, int cell) const {
    const int mine = rays_->flips(cell, sides.mine, sides.theirs).count();
    if (mine > 0) return sides.lead() + 2 * mine + 1;
    if (!passing_) return sides.lead();
    const int theirs = rays_->flips(cell, sides.theirs, sides.mine).count();
    return theirs > 0 ? sides.lead() - 2 * theirs - 1 : sides.lead();
  }

  int deep(const Sides& sides, const Bits<W>& empty, int left, int alpha) {
    if ((++deep_nodes_ & 1023) == 0) stopped_ = stopped_ || limit_->reached();
    if (stopped_) return 0;
    ++nodes_;
    const bool tabled = left >= table_cells;
    if (tabled) table_->prefetch(sides);
    const Bits<W> moves = rays_->moves(sides.mine, sides.theirs);
    if (!moves.any()) return blocked(sides, alpha);

    const int cells = map_->cells;
    OthelloEntry<W> known{sides, static_cast<std::int16_t>(-cells), static_cast<std::int16_t>(cells)};
    if (tabled)
      if (const auto entry = table_->find(sides)) known = *entry;
    if (known.lower > alpha) return known.lower;
    if (known.upper <= alpha) return known.upper;

    const std::size_t first = pile_.size();
    list(sides, empty, left, moves, known.first);
    const int best = try_all(known, first, tabled, alpha);
    pile_.resize(first);
    return best;
  }

  // Tries the moves on the pile from `first` on, and stores the result in the table.
  int try_all(OthelloEntry<W> known, std::size_t first, bool tabled, int alpha) {
    if (tabled)
      if (const auto better = remembered_reply(first, alpha)) return *better;
    const std::int64_t start = nodes_;
    int best = nothing;
    for (std::size_t i = first, end = pile_.size(); i < end && best <= alpha; ++i) {
      const auto by_rank = [](const Move& a, const Move& b) { return a.rank < b.rank; };
      std::swap(pile_[i], *std::max_element(pile_.begin() + i, pile_.begin() + end, by_rank));
      const Move move = pile_[i];  // a copy: the pile may grow and move
      const int found = -search(move.after, -alpha - 1);
      if (stopped_) return 0;
      if (found <= best) continue;
      best = found;
      known.first = static_cast<std::int16_t>(move.cell);
    }
    if (!tabled) return best;
    (best > alpha ? known.lower : known.upper) = static_cast<std::int16_t>(best);
    known.work = static_cast<std::int16_t>(std::bit_width(static_cast<Word>(nodes_ - start)));
    table_->keep(known);
    return best;
  }

  // Puts the moves on the pile, `favourite` with the highest rank. The fewer replies the better ("fastest first"):
  // the tree below is smaller, and the move tends to be good.
  void list(const Sides& sides, const Bits<W>& empty, int left, const Bits<W>& moves, int favourite) {
    const Bits<W> odd = map_->odd(empty);
    for (int cell : moves) {
      const Sides next = after(sides, cell, rays_->flips(cell, sides.mine, sides.theirs));
      const Bits<W> replies = rays_->moves(next.mine, next.theirs);
      int rank = -8 * (replies.count() + (replies & map_->corners).count());
      if (odd.has(cell)) rank += 4;
      if (map_->corners.has(cell)) rank += 8;
      if (left >= 9) rank -= (rays_->grid.around(next.theirs) & empty).count();  // where they may move some day
      if (cell == favourite) rank = -nothing;
      pile_.push_back({next, cell, rank});
    }
  }

  // A bound above alpha, if the table knows a reply that gives it.
  std::optional<int> remembered_reply(std::size_t first, int alpha) const {
    for (std::size_t i = first; i < pile_.size(); ++i)
      if (const auto entry = table_->find(pile_[i].after))
        if (-entry->upper > alpha) return -entry->upper;
    return std::nullopt;
  }

  std::shared_ptr<Table> table_;
  std::vector<Move> pile_;  // the moves still to be tried, of every level of the search
  std::optional<OthelloMap<W>> map_;
  const OthelloRays<W>* rays_ = nullptr;
  bool passing_ = true, stopped_ = false;
  const Limit* limit_ = nullptr;
  std::int64_t nodes_ = 0, deep_nodes_ = 0;
};

}  // namespace ludus
