// Random play to the end, and perft: counting the sequences of legal actions.
#pragma once

#include <cassert>

#include "base/random.h"
#include "base/state.h"

namespace ludus {

// A uniform choice among the legal actions of a state that is not over.
template <State S>
Action random_action(const S& state, Rng& rng) {
  if constexpr (HasRandomAction<S>) {
    return state.random_action(rng);
  } else {
    const auto actions = state.actions();
    return actions[rng.below(actions.size())];
  }
}

// Uniform random play to the end, action by action. Returns how many were played.
template <State S>
int walk_to_end(S& state, Rng& rng) {
  int length = 0;
  for (; !state.over(); ++length) state.play(random_action(state, rng));
  assert(scores_agree(state));
  return length;
}

// Uniform random play to the end. Where a game has finish(), that shortcut is taken; results are as likely.
template <State S>
void rollout(S& state, Rng& rng) {
  if (state.over()) return;
  if constexpr (HasFinish<S>)
    state.finish(rng);
  else
    walk_to_end(state, rng);
  assert(scores_agree(state));
}

// Play to the end by the game's own quick policy, uniform where it has none.
template <State S>
void quick_rollout(S& state, Rng& rng) {
  if constexpr (HasQuickFinish<S>) {
    if (!state.over()) state.quick_finish(rng);
  } else if constexpr (HasQuickAction<S>) {
    while (!state.over()) state.play(state.quick_action(rng));
    assert(scores_agree(state));
  } else {
    rollout(state, rng);
  }
}

// How many sequences of `depth` legal actions start here. The classic check on rules ("perft").
template <State S>
std::int64_t perft(const S& state, int depth) {
  if (depth == 0) return 1;
  std::int64_t total = 0;
  for (const Action action : state.actions()) {
    S next = state;
    next.play(action);
    total += perft(next, depth - 1);
  }
  return total;
}

}  // namespace ludus
