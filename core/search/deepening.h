// Iterative deepening: depth 1, 2, 3, … until the time is up, the game is solved or the deepest depth is done.
#pragma once

#include "search/alphabeta.h"

namespace ludus {

// Searches deeper and deeper. Returns what the last finished depth found, with the nodes of all of them.
template <State S>
Found deepen(const S& state, Guess<S> guess, const Limit& limit, std::shared_ptr<Transpositions<S>> table,
             bool ordering, int deepest) {
  Found best;
  std::int64_t nodes = 0;
  for (int depth = 1; depth <= deepest; ++depth) {
    AlphaBeta<S> search(guess, depth == 1 ? Limit{} : limit, table, ordering);  // depth 1 always finishes
    const Found found = search.search(state, depth);
    nodes += found.nodes;
    if (found.stopped) {
      best.stopped = true;
      best.too_deep = found.too_deep;
      break;
    }
    best = found;
    if (found.value >= 1 || found.value <= -1) best.complete = true;  // no guess is so sure
    if (best.complete) break;
    best.stopped = limit.reached();
    if (best.stopped) break;
  }
  best.nodes = nodes;
  return best;
}

}  // namespace ludus
