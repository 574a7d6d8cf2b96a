// Everything that makes one Monte Carlo tree search differ from another.
#pragma once

#include <optional>

#include "search/mcts/noise.h"
#include "search/mcts/select.h"
#include "search/mcts/simulate.h"

namespace ludus {

struct MctsOptions {
  Rule rule = Uct{};
  bool simulate_all = false;  // a leaf gets one simulation for each child at once, instead of for one child
  Playout playout = Playout::uniform;
  bool priors = false;                        // ask a policy for the priors of a new node (PUCT)
  std::optional<Actor> actor;                 // ask a policy for every action of a playout
  double sigma = 1;                           // the probability of a playout; else a critic is asked for a value
  bool solver = false;                        // propagate proven wins and losses (MCTS-solver)
  std::optional<Noise> noise;                 // on the priors of the root
  std::size_t memory = std::size_t{1} << 30;  // bytes; a tree of that size grows no further

  // Does a simulation ask for its leaf's policy, perhaps its value, and for nothing else?
  bool one_question() const { return priors && !actor; }
  bool tries_all_first() const {
    return std::visit([](const auto& r) { return r.tries_all_first; }, rule);
  }
  bool hints() const {
    return std::visit([](const auto& r) { return takes_hints(r); }, rule);
  }
  bool amaf() const {
    return std::visit([]<class R>(const R&) { return wants_amaf<R>; }, rule);
  }
  bool gumbel() const {
    return std::visit([]<class R>(const R&) { return wants_gumbel<R>; }, rule);
  }
  MoreColumns columns() const {
    return std::visit([]<class R>(const R&) { return MoreColumns{wants_root<R>, wants_prior<R>, wants_amaf<R>}; },
                      rule);
  }
};

}  // namespace ludus
