// Alpha-beta: minimax that skips moves which cannot change the value; with a transposition table and move ordering,
// if asked.
#pragma once

#include <algorithm>
#include <memory>

#include "search/minimax.h"
#include "search/transposition.h"

namespace ludus {

template <State S>
class AlphaBeta {
 public:
  // `table` null: no caching. `trace` null: nothing is recorded.
  AlphaBeta(Evaluation<S> evaluation, const Limit& limit, std::shared_ptr<Transpositions<S>> table, bool ordering,
            Trace* trace = nullptr)
      : evaluation_(std::move(evaluation)),
        limit_(limit),
        table_(std::move(table)),
        ordering_(ordering),
        trace_(trace) {}

  Found search(const S& state, int depth) {
    found_ = {};
    stack_ = {};
    guesses_ = 0;
    found_.value = visit(state, depth, -infinity, infinity, 0, -1);
    found_.line = at(0).line;
    found_.action = found_.line.empty() ? -1 : found_.line.front();
    found_.depth = depth;
    found_.complete = guesses_ == 0 && !found_.stopped;
    return found_;
  }

 private:
  // What the search needs at each ply, kept so that nothing is allocated twice.
  struct Ply {
    std::vector<Action> line;  // the principal variation from here on
    std::vector<std::pair<double, Action>> order;
  };
  Ply& at(std::size_t ply) {
    while (plies_.size() <= ply) plies_.push_back(std::make_unique<Ply>());
    return *plies_[ply];
  }

  // Searches a state, and records it if there is a trace.
  double visit(const S& state, int depth, double alpha, double beta, std::size_t ply, Action action) {
    if (trace_ && trace_->reaches(ply)) [[unlikely]]
      return record(state, depth, alpha, beta, ply, action);
    return look(state, depth, alpha, beta, ply);
  }
  [[gnu::noinline, gnu::cold]] double record(const S& state, int depth, double alpha, double beta, std::size_t ply,
                                             Action action) {
    TraceNode node{action, state.player(), alpha, beta};
    if (state.over() || depth == 0) {
      node.ending = state.over() ? Ending::over : Ending::horizon;
    } else if (const Known* known = table_ ? table_->find(state) : nullptr;
               known && known->settles(depth, alpha, beta)) {
      node.ending = Ending::remembered;
      node.bound = known->bound;
    }
    node.legal = static_cast<int>(state.actions().size());
    return trace_->record(ply, node, found_.nodes, at(ply).line, found_.stopped,
                          [&] { return look(state, depth, alpha, beta, ply); });
  }

  // The value for the player to move, right if it lies between alpha and beta, else a bound on that side.
  double look(const S& state, int depth, double alpha, double beta, std::size_t ply) {
    std::vector<Action>& line = at(ply).line;
    line.clear();
    if ((++found_.nodes & (look_every<S> - 1)) == 0 && limit_.reached()) found_.stopped = true;
    if (stack_.spent()) found_.stopped = found_.too_deep = true;
    if (found_.stopped) return 0;
    if (state.over()) return evaluation_.end(state);
    if (depth == 0) {
      ++guesses_;
      return evaluation_.guess(state);
    }
    const std::int64_t guesses_before = guesses_;
    const Known* known = table_ ? table_->find(state) : nullptr;
    if (known && known->settles(depth, alpha, beta)) {
      guesses_ += !known->complete;
      line.assign(1, known->action);
      return known->value;
    }
    double best = -infinity, low = alpha;
    const auto cuts = [&](Action action) {  // tries an action; true if the others can be skipped
      S child = state;
      child.play(action);
      const bool same = child.player() == state.player();
      const double value = same ? visit(child, depth - 1, low, beta, ply + 1, action)
                                : -visit(child, depth - 1, -beta, -low, ply + 1, action);
      if (found_.stopped) return true;
      if (value > best) {
        best = value;
        const std::vector<Action>& behind = at(ply + 1).line;
        line.assign(1, action);
        line.insert(line.end(), behind.begin(), behind.end());
      }
      low = std::max(low, best);
      return low >= beta;
    };
    if (ordering_ && depth > 1) {  // one ply above the leaves, ordering would cost as much as it saves
      sort_actions(state, known ? known->action : -1, at(ply).order);
      for (const auto& [promise, action] : at(ply).order)
        if (cuts(action)) break;
    } else {
      for (const Action action : state.actions())
        if (cuts(action)) break;
    }
    if (found_.stopped) return 0;
    if (table_) {
      const Bound bound = best <= alpha ? Bound::at_most : best >= beta ? Bound::at_least : Bound::exact;
      table_->store(state, {best, depth, line.front(), bound, guesses_ == guesses_before});
    }
    return best;
  }

  // The most promising first: the best action in the table, then by the value one ply ahead. Equals stay in order.
  void sort_actions(const S& state, Action hint, std::vector<std::pair<double, Action>>& order) {
    order.clear();
    for (const Action action : state.actions()) {
      S child = state;
      child.play(action);
      const double promise = action == hint ? infinity : seen_by(state.player(), child, evaluation_(child));
      auto place = order.end();
      while (place != order.begin() && std::prev(place)->first < promise) --place;
      order.insert(place, {promise, action});
    }
  }

  Evaluation<S> evaluation_;
  Limit limit_;
  std::shared_ptr<Transpositions<S>> table_;
  bool ordering_;
  Trace* trace_;
  StackLeft stack_;
  std::int64_t guesses_ = 0;
  Found found_;
  std::vector<std::unique_ptr<Ply>> plies_;
};

}  // namespace ludus
