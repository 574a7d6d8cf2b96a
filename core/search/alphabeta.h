// Alpha-beta: minimax that skips what cannot matter; with a memory of states and a better order, if asked.
#pragma once

#include <algorithm>
#include <memory>

#include "search/minimax.h"
#include "search/transposition.h"

namespace ludus {

template <State S>
class AlphaBeta {
 public:
  // `table` null: no caching.
  AlphaBeta(Guess<S> guess, const Limit& limit, std::shared_ptr<Transpositions<S>> table, bool ordering)
      : guess_(std::move(guess)), limit_(limit), table_(std::move(table)), ordering_(ordering) {}

  Found search(const S& state, int depth) {
    found_ = {};
    guesses_ = 0;
    found_.value = look(state, depth, -infinity, infinity, found_.line);
    found_.action = found_.line.empty() ? -1 : found_.line.front();
    found_.depth = depth;
    found_.complete = guesses_ == 0;
    return found_;
  }

 private:
  // The value for the player to move, right if it lies between alpha and beta, else a bound on that side.
  double look(const S& state, int depth, double alpha, double beta, std::vector<Action>& line) {
    line.clear();
    if ((++found_.nodes & 1023) == 0 && limit_.reached()) found_.stopped = true;
    if (found_.stopped) return 0;
    if (state.over()) return state.score(state.player());
    if (depth == 0) {
      ++guesses_;
      return guess_(state);
    }
    const std::int64_t guesses_before = guesses_;
    Action hint = -1;
    if (table_) {
      if (const Known* known = table_->find(state)) {
        if (known->settles(depth, alpha, beta)) {
          guesses_ += !known->complete;
          line.assign(1, known->action);
          return known->value;
        }
        hint = known->action;
      }
    }
    double best = -infinity, low = alpha;
    std::vector<Action> behind;
    for (const Action action : ordered(state, depth, hint)) {
      S child = state;
      child.play(action);
      const bool same = child.player() == state.player();
      const double value =
          same ? look(child, depth - 1, low, beta, behind) : -look(child, depth - 1, -beta, -low, behind);
      if (found_.stopped) return 0;
      if (value > best) {
        best = value;
        line.assign(1, action);
        line.insert(line.end(), behind.begin(), behind.end());
      }
      low = std::max(low, best);
      if (low >= beta) break;
    }
    if (table_) {
      const Bound bound = best <= alpha ? Bound::at_most : best >= beta ? Bound::at_least : Bound::exact;
      table_->store(state, {best, depth, line.front(), bound, guesses_ == guesses_before});
    }
    return best;
  }

  // The actions as they come, or the most promising first: what the memory says, then by a look one ply ahead.
  // Right above the leaves the look would cost as much as it saves.
  std::vector<Action> ordered(const S& state, int depth, Action hint) {
    std::vector<Action> actions;
    for (const Action action : state.actions()) actions.push_back(action);
    if (!ordering_ || depth <= 1) return actions;
    std::vector<std::pair<double, Action>> promise;
    for (const Action action : actions) {
      S child = state;
      child.play(action);
      const double value = child.over() ? child.score(child.player()) : guess_(child);
      promise.emplace_back(action == hint ? infinity : seen_by(state.player(), child, value), action);
    }
    std::stable_sort(promise.begin(), promise.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < actions.size(); ++i) actions[i] = promise[i].second;
    return actions;
  }

  Guess<S> guess_;
  Limit limit_;
  std::shared_ptr<Transpositions<S>> table_;
  bool ordering_;
  std::int64_t guesses_ = 0;
  Found found_;
};

}  // namespace ludus
