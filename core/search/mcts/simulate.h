// Phase three, simulate: play on from the leaf to the end of the game.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "base/rollout.h"
#include "search/mcts/field.h"

namespace ludus {

// How a simulation chooses: uniform (by a shortcut if the game has one), the game's own quick policy, or
// uniform by listing all actions, as the textbook page does it. Or it does not play at all and takes the game's own
// estimate of the leaf. A game without a policy or an estimate of its own plays uniformly.
enum class Playout : std::uint8_t { uniform, quick, textbook, estimate };

// The players and actions of a playout in order, which RAVE needs.
using Played = std::vector<std::pair<Player, Action>>;

// One choice of a playout.
template <State S>
Action playout_action(const S& state, Playout playout, Rng& rng) {
  if (playout == Playout::textbook) {
    const auto actions = state.actions();
    return actions[rng.below(static_cast<int>(actions.size()))];
  }
  if constexpr (requires { state.quick_action(rng); })
    if (playout == Playout::quick) return state.quick_action(rng);
  return random_action(state, rng);
}

// Plays to the end. Returns the score for player 0, or an estimate of it. With `played`, writes down every action. A
// game that may never end is given up when the time is over, and counts as drawn.
template <State S>
float simulate(S& state, Playout playout, Rng& rng, Played* played = nullptr, const Limit& limit = {}) {
  if constexpr (requires { estimate(state, Player{}); })
    if (playout == Playout::estimate) return state.over() ? state.score(0) : estimate(state, 0);
  const bool shortcut = played == nullptr || HasHolds<S>;
  if (shortcut && playout == Playout::uniform && !MayNeverEnd<S>) {
    rollout(state, rng);
  } else if (shortcut && playout == Playout::quick && HasQuickFinish<S>) {
    quick_rollout(state, rng);
  } else {
    while (!state.over()) {
      if (MayNeverEnd<S> && limit.late()) return 0;
      const Action action = playout_action(state, playout, rng);
      if (played != nullptr) played->emplace_back(state.player(), action);
      state.play(action);
    }
  }
  return state.score(0);
}

// How a playout chooses from a policy: with probability epsilon any legal action, else the likeliest (greedy) or one
// drawn by its likelihood.
struct Actor {
  static constexpr const char* name = "Actor";
  double epsilon = 0;
  bool greedy = false;
  static constexpr auto fields() {
    return std::tuple{Field{"epsilon", &Actor::epsilon}, Field{"greedy", &Actor::greedy}};
  }
};

// A choice from a policy (a number per action), only among the legal actions.
template <State S>
Action policy_action(const S& state, std::span<const float> policy, const Actor& how, Rng& rng) {
  const auto actions = state.actions();
  const int count = static_cast<int>(actions.size());
  if (rng.uniform() < how.epsilon) return actions[rng.below(count)];
  const auto weight = [&](Action a) { return policy[static_cast<std::size_t>(a)]; };
  if (how.greedy) {
    Action best = actions[0];
    for (const Action a : actions)
      if (weight(a) > weight(best)) best = a;
    return best;
  }
  double sum = 0;
  for (const Action a : actions) sum += weight(a);
  double left = rng.uniform() * sum;
  Action chosen = actions[0];
  for (const Action a : actions) {
    if (weight(a) <= 0) continue;
    chosen = a;
    left -= weight(a);
    if (left < 0) break;
  }
  return chosen;
}

}  // namespace ludus
