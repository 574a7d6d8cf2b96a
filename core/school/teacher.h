// The exact teacher: what a solver can prove of the positions of a finished game takes the place of what the search
// thought of them.
#pragma once

#include <algorithm>

#include "base/limit.h"
#include "school/playing.h"

namespace ludus {

// How a value for `of` looks to `viewer`.
inline int seen_by(Player viewer, Player of, int value) { return viewer == of ? value : -value; }

// A policy with all its weight on actions that keep the true `value`. An action that the search never looked at is
// tried only while none is found; where the time is up, what was found so far counts.
template <State S, class Solver>
std::vector<float> exact_policy(const S& state, int value, const std::vector<float>& policy, Solver& solver,
                                double seconds) {
  std::vector<Action> order;
  for (const Action action : state.actions()) order.push_back(action);
  const auto share = [&](Action action) { return policy[static_cast<std::size_t>(action)]; };
  std::stable_sort(order.begin(), order.end(), [&](Action a, Action b) { return share(a) > share(b); });
  std::vector<float> exact(policy.size());
  float sum = 0;
  const Limit all = Limit::seconds(4 * seconds);
  for (const Action action : order) {
    if (all.reached() || (sum > 0 && share(action) == 0)) break;
    S child = state;
    child.play(action);
    const std::optional<int> found = solver.value(child, Limit::seconds(seconds));
    if (found && seen_by(state.player(), child.player(), *found) == value)
      sum += exact[static_cast<std::size_t>(action)] = share(action) + 1e-3f;
  }
  if (sum == 0) return policy;
  for (float& number : exact) number /= sum;
  return exact;
}

// Teaches all lessons of a game that began at `state`.
template <State S, class Solver>
void teach(Finished& game, S state, Solver& solver, double seconds) {
  for (const Action action : game.opening) state.play(action);
  int ply = 0;
  for (Lesson& lesson : game.lessons) {
    for (; ply < lesson.ply; ++ply) state.play(game.actions[static_cast<std::size_t>(ply)]);
    const std::optional<int> value = solver.value(state, Limit::seconds(seconds));
    if (!value) continue;
    lesson.score = static_cast<float>(*value);
    if (*value > -1) lesson.policy = exact_policy(state, *value, lesson.policy, solver, seconds);
  }
}

}  // namespace ludus
