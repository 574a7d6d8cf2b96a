// Exact play for any small game: alpha-beta to the end of the game, with a transposition table.
#pragma once

#include <algorithm>
#include <cassert>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/limit.h"
#include "base/rollout.h"
#include "base/stack.h"
#include "solve/table_locks.h"

namespace ludus {

// For states with key() and ==, of one game with one set of sizes and rules per solver, all of whose lines of play
// end. The table has a fixed size; a state that was overwritten is searched again, so answers stay proofs.
template <State S>
  requires HasKey<S>
class ExactSolver {
 public:
  class Table;
  explicit ExactSolver(std::size_t table_bytes = std::size_t{64} << 20)
      : ExactSolver(std::make_shared<Table>(table_bytes)) {}
  // With the table of other solvers of the same game.
  explicit ExactSolver(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  const std::shared_ptr<Table>& table() const { return table_; }

  // +1, 0 or -1 for the player to move; nothing if the limit, the number of nodes or the end of the
  // stack was reached first.
  std::optional<int> value(const S& state, const Limit& limit = {},
                           std::int64_t max_nodes = std::numeric_limits<std::int64_t>::max()) {
    limit_ = &limit;
    stack_ = {};
    last_node_ = max_nodes > std::numeric_limits<std::int64_t>::max() - nodes_ ? max_nodes : nodes_ + max_nodes;
    stopped_ = limit.reached();
    const int found = search(state, -1, 1);
    if (stopped_) return std::nullopt;
    return found;
  }

  std::int64_t nodes() const { return nodes_; }  // visited so far, by all calls

 private:
  // Small states are stored whole, so two of them are never mixed up. Big ones (Go carries its whole past) are known
  // by their 64-bit key; that any two of a hundred million keys collide has a chance of about one in four thousand.
  static constexpr bool whole = sizeof(S) <= 192;
  using Name = std::conditional_t<whole, std::optional<S>, Word>;
  struct Entry {
    Name name{};
    std::int8_t lower = -1, upper = 1;
  };

  static Name name_of(const S& state) {
    if constexpr (whole)
      return state;
    else
      return state.key();
  }

  // The value for the player to move if it lies between alpha and beta, else a bound beyond the one it passes.
  int search(const S& state, int alpha, int beta) {
    if (state.over()) {
      assert(scores_agree(state));
      return static_cast<int>(state.score(state.player()));
    }
    if ((++nodes_ & 1023) == 0) stopped_ = stopped_ || limit_->reached();
    if (stopped_ || nodes_ > last_node_ || stack_.spent()) {
      stopped_ = true;
      return 0;
    }
    const std::size_t place = table_->place(state);
    Entry known = table_->find(place, name_of(state));
    alpha = std::max<int>(alpha, known.lower);
    beta = std::min<int>(beta, known.upper);
    if (alpha >= beta) return alpha;

    const int best = try_all(state, alpha, beta);
    if (stopped_) return 0;
    if (best > alpha) known.lower = static_cast<std::int8_t>(best);
    if (best < beta) known.upper = static_cast<std::int8_t>(best);
    table_->keep(place, known);
    return best;
  }

  int try_all(const S& state, int alpha, int beta) {
    int best = -1;
    for (const Action action : state.actions()) {
      S next = state;
      next.play(action);
      const bool same = next.player() == state.player();  // turns need not alternate
      const int found = same ? search(next, alpha, beta) : -search(next, -beta, -alpha);
      best = std::max(best, found);
      alpha = std::max(alpha, best);
      if (alpha >= beta || stopped_) break;
    }
    return best;
  }

  std::shared_ptr<Table> table_;
  const Limit* limit_ = nullptr;
  StackLeft stack_;
  bool stopped_ = false;
  std::int64_t nodes_ = 0, last_node_ = 0;
};

// A table of a fixed size, in which the last state that was searched takes the place of another.
template <State S>
  requires HasKey<S>
class ExactSolver<S>::Table {
 public:
  explicit Table(std::size_t bytes) : entries_(std::max<std::size_t>(1, bytes / sizeof(Entry))) {}

  void share() { locks_.share(); }
  std::size_t place(const S& state) const { return state.key() % entries_.size(); }
  Entry find(std::size_t place, Name name) const {
    const TableLocks::Hold hold = locks_.hold(place);
    if (entries_[place].name == name) return entries_[place];
    return {std::move(name), -1, 1};
  }
  void keep(std::size_t place, const Entry& entry) {
    const TableLocks::Hold hold = locks_.hold(place);
    entries_[place] = entry;
  }

 private:
  std::vector<Entry> entries_;
  TableLocks locks_;
};

}  // namespace ludus
