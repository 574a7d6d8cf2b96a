// Iterative deepening: depth 1, 2, 3, … until the time is up, the game is solved or the deepest depth is done.
#pragma once

#include <optional>

#include "search/alphabeta.h"

namespace ludus {

// Searches deeper and deeper, with AlphaBeta or another `Search` that is made and asked like it. Returns what the last
// finished depth found, with the nodes of all of them. A depth that was stopped still changes the choice if it found a
// better action than the previous one, which it tried first. After `enough` seconds no new depth is begun, unless the
// last one changed the choice. `trace` receives the tree of the last finished depth.
template <State S, class Search = AlphaBeta<S>>
Found deepen(const S& state, const Evaluation<S>& evaluation, const Limit& limit,
             std::shared_ptr<Transpositions<S>> table, bool ordering, int deepest, double enough = 1e9,
             Trace* trace = nullptr) {
  Found best;
  std::vector<DepthResult> depths;
  const auto began = Limit::Clock::now();
  const auto elapsed = [](Limit::Clock::time_point since) {
    return std::chrono::duration<double>(Limit::Clock::now() - since).count();
  };
  std::int64_t nodes = 0;
  for (int depth = 1; depth <= deepest; ++depth) {
    const auto depth_began = Limit::Clock::now();
    std::optional<Trace> seen;
    if (trace) seen = trace->empty_copy();
    Search search(evaluation, depth == 1 ? Limit{} : limit, table, ordering,  // depth 1 always finishes
                  seen ? &*seen : nullptr);
    const Found found = search.search(state, depth);
    nodes += found.nodes;
    if (found.stopped) {
      best.stopped = true;
      if (table && ordering && !found.line.empty()) {
        best.action = found.action;
        best.line = found.line;
      }
      best.too_deep = found.too_deep;
      depths.push_back({depth, best.value, best.action, found.nodes, elapsed(depth_began), false});
      break;
    }
    const bool same_choice = depth > 1 && found.action == best.action;
    best = found;
    if (trace) *trace = *seen;
    depths.push_back({depth, best.value, best.action, found.nodes, elapsed(depth_began), true});
    if (evaluation.is_certain(found.value)) best.complete = true;
    if (best.complete) break;
    best.stopped = limit.reached();
    if (best.stopped) break;
    if (same_choice && elapsed(began) >= enough) break;
  }
  best.nodes = nodes;
  best.depths = std::move(depths);
  return best;
}

}  // namespace ludus
