// Iterative deepening: depth 1, 2, 3, … until the time is up, the game is solved or the deepest depth is done.
#pragma once

#include "search/alphabeta.h"

namespace ludus {

// Searches deeper and deeper. Returns what the last finished depth found, with the nodes of all of them. A depth that
// was cut short still counts if it found something better than the old choice, which it looked at first. After `enough`
// seconds no new depth is begun, unless the last one has just changed its mind.
template <State S>
Found deepen(const S& state, Guess<S> guess, const Limit& limit, std::shared_ptr<Transpositions<S>> table,
             bool ordering, int deepest, double enough = 1e9) {
  Found best;
  const auto began = Limit::Clock::now();
  std::int64_t nodes = 0;
  for (int depth = 1; depth <= deepest; ++depth) {
    AlphaBeta<S> search(guess, depth == 1 ? Limit{} : limit, table, ordering);  // depth 1 always finishes
    const Found found = search.search(state, depth);
    nodes += found.nodes;
    if (found.stopped) {
      best.stopped = true;
      if (table && ordering && !found.line.empty()) {
        best.action = found.action;
        best.line = found.line;
      }
      best.too_deep = found.too_deep;
      break;
    }
    const bool same_mind = depth > 1 && found.action == best.action;
    best = found;
    if (found.value >= 1 || found.value <= -1) best.complete = true;  // no guess is so sure
    if (best.complete) break;
    best.stopped = limit.reached();
    if (best.stopped) break;
    if (same_mind && std::chrono::duration<double>(Limit::Clock::now() - began).count() >= enough) break;
  }
  best.nodes = nodes;
  return best;
}

}  // namespace ludus
