// A network that answers the questions of self-play, a full batch at a time, without Python.
#pragma once

#include <memory>
#include <stdexcept>

#include "network/network.h"
#include "school/self_play.h"

namespace ludus {

// The answers of a network are of no use: they are no longer finite, or no legal action has a probability.
struct Unusable : std::runtime_error {
  Unusable() : std::runtime_error("the network gives some position no usable policy or value") {}
};

// How a network sees player 1's states as player 0's, where the players of a game can change places: for every number
// of the planes and for every action, where it is taken from.
struct Turn {
  std::vector<int> planes, actions;
};

class Judge {
 public:
  Judge(Network network, Turn turn) : network_(std::move(network)), turn_(std::move(turn)) {}

  // Answers all questions that are open. A thread has a Desk of its own to work on.
  struct Desk {
    Numbers planes = {}, policies = {}, values = {}, turned = {};
  };
  template <State S>
    requires HasPlanes<S>
  void answer(SelfPlay<S>& games, Desk& desk) const {
    judge(games.questions(), [&](std::size_t k) -> const S& { return games.question(k); }, desk);
    refuse_unusable(games, desk);
    games.answer(desk.policies.data(), desk.values.data());
  }

  // Policies and values of `count` states, on the desk; state(k) is one of them.
  template <class States>
  void judge(std::size_t count, const States& state, Desk& desk) const {
    const std::size_t actions = network_.actions();
    const std::array<int, 3> shape = state(0).plane_shape();
    const std::size_t inputs = static_cast<std::size_t>(shape[0]) * shape[1] * shape[2];
    desk.planes.resize(count * inputs), desk.policies.resize(count * actions), desk.values.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      state(k).planes(desk.planes.data() + k * inputs);
      if (state(k).player() == 1) take(turn_.planes, desk.planes.data() + k * inputs, desk.turned);
    }
    network_.answer(desk.planes.data(), inputs, count, desk.policies.data(), desk.values.data());
    for (std::size_t k = 0; k < count; ++k)
      if (state(k).player() == 1) take(turn_.actions, desk.policies.data() + k * actions, desk.turned);
  }

  // Does a policy give some legal action a probability? Not if it is not a number.
  template <State S>
  static bool usable(const S& state, const float* policy) {
    float sum = 0;
    for (const Action action : state.actions()) sum += policy[action];
    return sum > 0;
  }

  // An action drawn from the network's policy.
  template <State S>
    requires HasPlanes<S>
  Action draw(const S& state, Rng& rng, Desk& desk) const {
    judge(1, [&](std::size_t) -> const S& { return state; }, desk);
    const auto share = [&](Action action) { return desk.policies[static_cast<std::size_t>(action)]; };
    float sum = 0;
    for (const Action action : state.actions()) sum += share(action);
    if (!(sum > 0)) throw Unusable();
    Action chosen = state.actions()[0];
    double left = rng.uniform() * sum;
    for (const Action action : state.actions()) {
      if (share(action) <= 0) continue;
      chosen = action;
      if ((left -= share(action)) < 0) break;
    }
    return chosen;
  }

 private:
  // Puts numbers[from[k]] at place k.
  static void take(const std::vector<int>& from, float* numbers, Numbers& turned) {
    if (from.empty()) return;
    turned.assign(numbers, numbers + from.size());
    for (std::size_t k = 0; k < from.size(); ++k) numbers[k] = turned[static_cast<std::size_t>(from[k])];
  }
  // A policy must give some legal action a probability, if it was asked for; a value must be a number.
  template <State S>
  static void refuse_unusable(const SelfPlay<S>& games, const Desk& desk) {
    for (std::size_t k = 0; k < games.questions(); ++k) {
      const float* policy = desk.policies.data() + k * static_cast<std::size_t>(games.num_actions());
      const bool wrong_policy = games.asker(k).wants_policy() && !usable(games.question(k), policy);
      if (wrong_policy || !std::isfinite(desk.values[k])) throw Unusable();
    }
  }

  Network network_;
  Turn turn_;
};

}  // namespace ludus
