// Minimax: look at everything. Slow, simple, and what every other search must agree with.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limit.h"
#include "search/value.h"

namespace ludus {

// What a search found: the value for the player to move, the action that reaches it and the line behind it.
struct Found {
  double value = 0;
  Action action = -1;
  std::vector<Action> line;
  std::int64_t nodes = 0;
  int depth = 0;          // of the search that found it
  bool complete = true;   // no guess was needed: the value is the true score
  bool stopped = false;   // the limit was reached before the end
  bool too_deep = false;  // the game went on longer than a recursion can
};

template <State S>
class Minimax {
 public:
  Minimax(Guess<S> guess, const Limit& limit) : guess_(std::move(guess)), limit_(limit) {}

  Found search(const S& state, int depth) {
    found_ = {};
    found_.value = look(state, depth, found_.line, 0);
    found_.action = found_.line.empty() ? -1 : found_.line.front();
    found_.depth = depth;
    if (found_.stopped) found_.complete = false;
    return found_;
  }

 private:
  double look(const S& state, int depth, std::vector<Action>& line, std::size_t ply) {
    line.clear();
    if ((++found_.nodes & 63) == 0 && limit_.reached()) found_.stopped = true;
    if (ply > deepest_ply<S>) found_.stopped = found_.too_deep = true;
    if (found_.stopped) return 0;
    if (state.over()) return state.score(state.player());
    if (depth == 0) {
      found_.complete = false;
      return guess_(state);
    }
    double best = -infinity;
    std::vector<Action> behind;
    for (const Action action : state.actions()) {
      S child = state;
      child.play(action);
      const double value = seen_by(state.player(), child, look(child, depth - 1, behind, ply + 1));
      if (found_.stopped) return 0;
      if (value > best) {
        best = value;
        line.assign(1, action);
        line.insert(line.end(), behind.begin(), behind.end());
      }
    }
    return best;
  }

  Guess<S> guess_;
  Limit limit_;
  Found found_;
};

}  // namespace ludus
