// Everything that makes one Monte Carlo tree search differ from another.
#pragma once

#include "search/mcts/select.h"
#include "search/mcts/simulate.h"

namespace ludus {

struct MctsOptions {
  Rule rule = Uct{};
  bool simulate_all = false;  // a leaf gets one simulation for each child at once, instead of for one child
  Playout playout = Playout::uniform;
  bool priors = false;     // ask a policy for the priors of a new node (PUCT)
  bool actor = false;      // ask a policy for every action of a playout
  double epsilon = 0;      //   … but play any action with this probability
  bool greedy = false;     //   … else the likeliest, or (false) one drawn by its likelihood
  double sigma = 1;        // the probability of a playout; else a critic is asked for a value
  bool solver = false;     // wins and losses that are proven are propagated
  double noise_alpha = 0;  // Dirichlet noise on the priors of the root
  double noise_fraction = 0;
};

}  // namespace ludus
