// The exact teacher: what a solver can prove of the positions of a finished game takes the place of what the search
// thought of them.
#pragma once

#include <algorithm>

#include "base/limit.h"
#include "school/playing.h"

namespace ludus {

// How a value for `of` looks to `viewer`.
inline int seen_by(Player viewer, Player of, int value) { return viewer == of ? value : -value; }

inline Limit teaching_limit(double seconds, const std::atomic<bool>* stop) {
  Limit limit = Limit::work(seconds);
  limit.stop = stop;
  return limit;
}

// A policy with all its weight on actions that keep the true `value`. An action that the search never looked at is
// tried only while none is found; where the time is up, what was found so far counts.
template <State S, class Solver>
std::vector<float> exact_policy(const S& state, int value, const std::vector<float>& policy, Solver& solver,
                                double seconds, const std::atomic<bool>* stop) {
  std::vector<Action> order;
  for (const Action action : state.actions()) order.push_back(action);
  const auto share = [&](Action action) { return policy[static_cast<std::size_t>(action)]; };
  std::stable_sort(order.begin(), order.end(), [&](Action a, Action b) { return share(a) > share(b); });
  std::vector<float> exact(policy.size());
  float sum = 0;
  const Limit all = teaching_limit(4 * seconds, stop);
  for (const Action action : order) {
    if (all.reached() || (sum > 0 && share(action) == 0)) break;
    S child = state;
    child.play(action);
    const std::optional<int> found = solver.value(child, teaching_limit(seconds, stop));
    if (found && seen_by(state.player(), child.player(), *found) == value)
      sum += exact[static_cast<std::size_t>(action)] = share(action) + 1e-3f;
  }
  if (sum == 0) return policy;
  for (float& number : exact) number /= sum;
  return exact;
}

// Teaches all lessons of a game that began at `state`, the last ones first: they are quick to prove, and what was found
// of them helps with those before. Another thread may say `stop`.
template <State S, class Solver>
void teach(Finished& game, S state, Solver& solver, double seconds, const std::atomic<bool>* stop = nullptr) {
  for (const Action action : game.opening) state.play(action);
  std::vector<S> states{state};
  for (const Action action : game.actions) states.emplace_back(states.back()).play(action);
  for (auto lesson = game.lessons.rbegin(); lesson != game.lessons.rend(); ++lesson) {
    const S& asked = states[static_cast<std::size_t>(lesson->ply)];
    const std::optional<int> value = solver.value(asked, teaching_limit(seconds, stop));
    if (!value) continue;
    lesson->score = static_cast<float>(*value);
    if (*value > -1) lesson->policy = exact_policy(asked, *value, lesson->policy, solver, seconds, stop);
  }
}

}  // namespace ludus
