// Selective alpha-beta: it looks past moves that are all but certain not to matter, and so deeper at the others.
// Unlike alpha-beta it may be wrong about the value at its depth; for games that say how far a shallow search errs.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "search/minimax.h"
#include "search/transposition.h"

namespace ludus {

// The lead of a value: like it, but values close to a win are far apart. Errors are measured in it.
inline double lead_of(double value) { return value / (1 - std::abs(value)); }
inline double value_of(double lead) { return lead / (1 + std::abs(lead)); }

template <State S>
  requires HasForesight<S>
class Selective {
 public:
  // As AlphaBeta, but with a table in any case, with an order of its own, and without a trace.
  Selective(Evaluation<S> evaluation, const Limit& limit, std::shared_ptr<Transpositions<S>> table, bool, Trace*)
      : evaluation_(std::move(evaluation)), limit_(limit), table_(std::move(table)) {}

  Found search(const S& state, int depth) {
    found_ = {};
    stack_ = {};
    guesses_ = 0;
    found_.value = look(state, depth, -infinity, infinity, 0);
    found_.line = at(0).line;
    found_.action = found_.line.empty() ? -1 : found_.line.front();
    found_.depth = depth;
    found_.complete = guesses_ == 0 && !found_.stopped;
    return found_;
  }

 private:
  static constexpr double certainty = 1.2;  // how many times the error a bound must be away
  static constexpr double hair = 1e-9;      // a window with nothing in it
  static constexpr double reply = 0.04;     // of a lead: what every reply of the other counts in the order of moves

  struct Child {
    double promise;
    Action action;
    S state;
  };
  struct Ply {
    std::vector<Action> line;
    std::vector<Child> children;
  };
  Ply& at(std::size_t ply) {
    while (plies_.size() <= ply) plies_.push_back(std::make_unique<Ply>());
    return *plies_[ply];
  }

  double look(const S& state, int depth, double alpha, double beta, std::size_t ply) {
    std::vector<Action>& line = at(ply).line;
    line.clear();
    if ((++found_.nodes & 63) == 0 && limit_.reached()) found_.stopped = true;
    if (stack_.spent()) found_.stopped = found_.too_deep = true;
    if (found_.stopped) return 0;
    if (state.over()) return evaluation_.end(state);
    if (depth == 0) {
      ++guesses_;
      return evaluation_.guess(state);
    }
    const std::int64_t guesses_before = guesses_;
    Action hint = -1;
    if (const Known* known = table_->find(state)) {
      hint = known->action;
      if (known->settles(std::max(depth, known->depth), alpha, beta)) {
        guesses_ += !known->complete;
        line.assign(1, hint);
        return known->value;
      }
    }
    if (beta - alpha <= 2 * hair && depth > 2)
      if (const auto value = foreseen(state, depth, alpha, beta, ply)) return *value;
    if (found_.stopped) return 0;

    double best = -infinity, low = alpha;
    const auto cuts = [&](const S& child, Action action) {  // tries an action; true if the others can be skipped
      const bool same = child.player() == state.player();
      const auto value_in = [&](double from, double to) {
        return same ? look(child, depth - 1, from, to, ply + 1) : -look(child, depth - 1, -to, -from, ply + 1);
      };
      const bool first = best == -infinity;
      double value = first ? value_in(low, beta) : value_in(low, low + hair);
      if (!first && value > low && low + hair < beta && !found_.stopped) value = value_in(low, beta);
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
    if (depth > 1) {
      sort_children(state, hint, at(ply).children);
      for (const Child& child : at(ply).children)
        if (cuts(child.state, child.action)) break;
    } else {
      for (const Action action : state.actions()) {
        S child = state;
        child.play(action);
        if (cuts(child, action)) break;
      }
    }
    if (found_.stopped) return 0;
    const Bound bound = best <= alpha ? Bound::at_most : best >= beta ? Bound::at_least : Bound::exact;
    table_->store(state, {best, depth, line.front(), bound, guesses_ == guesses_before});
    return best;
  }

  // A bound that this search would find in all likelihood, because a shallow one is far beyond it: multi-ProbCut (Buro
  // 1997).
  std::optional<double> foreseen(const S& state, int depth, double alpha, double beta, std::size_t ply) {
    if (alpha <= -1 || beta >= 1) return std::nullopt;
    const std::optional<Foresight> sight = foresight(state, depth);
    if (!sight) return std::nullopt;
    const double far = certainty * sight->error, now = evaluation_.guess(state);
    if (now >= beta) {
      const double high = value_of(lead_of(beta) + far);
      if (look(state, sight->shallow, high - hair, high, ply) >= high && !found_.stopped) return beta;
    } else {
      const double low = value_of(lead_of(alpha) - far);
      if (look(state, sight->shallow, low, low + hair, ply) <= low && !found_.stopped) return alpha;
    }
    return std::nullopt;
  }

  // The most promising first: the best action in the table, then by the value one ply ahead, the fewer replies the
  // better: the tree below is smaller.
  void sort_children(const S& state, Action hint, std::vector<Child>& children) {
    children.clear();
    for (const Action action : state.actions()) {
      S child = state;
      child.play(action);
      double promise = infinity;
      if (action != hint) {
        const double value = std::clamp(seen_by(state.player(), child, evaluation_(child)), -0.999, 0.999);
        promise = lead_of(value) - reply * child.actions().size();
      }
      auto place = children.end();
      while (place != children.begin() && std::prev(place)->promise < promise) --place;
      children.insert(place, {promise, action, child});
    }
  }

  Evaluation<S> evaluation_;
  Limit limit_;
  std::shared_ptr<Transpositions<S>> table_;
  StackLeft stack_;
  std::int64_t guesses_ = 0;
  Found found_;
  std::vector<std::unique_ptr<Ply>> plies_;
};

}  // namespace ludus
