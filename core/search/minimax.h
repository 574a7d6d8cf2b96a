// Minimax: looks at every state down to its depth. Slow and simple; every other search must agree with it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limit.h"
#include "base/stack.h"
#include "search/trace.h"
#include "search/value.h"

namespace ludus {

// One depth of iterative deepening.
struct DepthResult {
  int depth;
  double value;
  Action action;
  std::int64_t nodes;
  double seconds;
  bool finished;  // false: the limit was reached first; the value is that of the last finished depth
};

// What a search found: the value for the player to move, the action that reaches it and the principal variation.
struct Found {
  double value = 0;
  Action action = -1;
  std::vector<Action> line;
  std::int64_t nodes = 0;
  int depth = 0;                    // of the search that found it
  bool complete = true;             // no guess was needed: the value is the true utility
  bool stopped = false;             // the limit was reached before the end
  bool too_deep = false;            // the game went on longer than a recursion can
  std::vector<DepthResult> depths;  // of iterative deepening
};

template <State S>
class Minimax {
 public:
  // `trace` null: nothing is recorded.
  Minimax(Evaluation<S> evaluation, const Limit& limit, Trace* trace = nullptr)
      : evaluation_(std::move(evaluation)), limit_(limit), trace_(trace) {}

  Found search(const S& state, int depth) {
    found_ = {};
    stack_ = {};
    found_.value = visit(state, depth, found_.line, 0, -1);
    found_.action = found_.line.empty() ? -1 : found_.line.front();
    found_.depth = depth;
    if (found_.stopped) found_.complete = false;
    return found_;
  }

 private:
  // Searches a state, and records it if there is a trace.
  double visit(const S& state, int depth, std::vector<Action>& line, std::size_t ply, Action action) {
    if (trace_ && trace_->reaches(ply)) [[unlikely]]
      return record(state, depth, line, ply, action);
    return look(state, depth, line, ply);
  }
  [[gnu::noinline, gnu::cold]] double record(const S& state, int depth, std::vector<Action>& line, std::size_t ply,
                                             Action action) {
    TraceNode node{action, state.player(), -infinity, infinity};
    node.ending = state.over() ? Ending::over : depth == 0 ? Ending::horizon : Ending::searched;
    node.legal = static_cast<int>(state.actions().size());
    return trace_->record(ply, node, found_.nodes, line, found_.stopped, [&] { return look(state, depth, line, ply); });
  }

  double look(const S& state, int depth, std::vector<Action>& line, std::size_t ply) {
    line.clear();
    if ((++found_.nodes & (look_every<S> - 1)) == 0 && limit_.reached()) found_.stopped = true;
    if (stack_.spent()) found_.stopped = found_.too_deep = true;
    if (found_.stopped) return 0;
    if (state.over()) return evaluation_.end(state);
    if (depth == 0) {
      found_.complete = false;
      return evaluation_.guess(state);
    }
    double best = -infinity;
    std::vector<Action> behind;
    for (const Action action : state.actions()) {
      S child = state;
      child.play(action);
      const double value = seen_by(state.player(), child, visit(child, depth - 1, behind, ply + 1, action));
      if (found_.stopped) return 0;
      if (value > best) {
        best = value;
        line.assign(1, action);
        line.insert(line.end(), behind.begin(), behind.end());
      }
    }
    return best;
  }

  Evaluation<S> evaluation_;
  Limit limit_;
  Trace* trace_;
  StackLeft stack_;
  Found found_;
};

}  // namespace ludus
