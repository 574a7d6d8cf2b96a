// What a finished search teaches the actor: D, a share for every action of the root.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "search/mcts/select.h"

namespace ludus {

// What a search knows of one action of its root. The value is for the player who would play it.
struct RootChild {
  Action action = 0;
  int visits = 0;
  double value = 0, prior = 0;
  int proven = unproven;
  double noise = 0;  // of the Gumbel root choice
};

// All actions of the root, the tried ones first.
inline std::vector<RootChild> known_actions(const Tree& tree) {
  std::vector<RootChild> all;
  if (!tree.grown(0)) return all;
  const Family family = tree.family(0);
  for (int k = 0; k < family.children(); ++k) {
    RootChild known{family.action(k)};
    if (k < family.tried()) {
      const NodeIndex child = family.child(k);
      known.visits = tree.visits(child), known.value = tree.mean(child), known.proven = tree.proven(child);
      if (tree.more().prior) known.prior = *tree.prior(child);
      if (!tree.gumbel.empty()) known.noise = tree.gumbel[static_cast<std::size_t>(k)];
    }
    all.push_back(known);
  }
  return all;
}

using Shares = std::vector<double>;  // one for each of the actions, in their order, not yet summing to one

// The visits, as the textbooks have it.
inline Shares visit_shares(std::span<const RootChild> actions) {
  Shares shares;
  for (const RootChild& known : actions) shares.push_back(known.visits);
  return shares;
}

inline const RootChild& most_visited(std::span<const RootChild> actions) {
  return *std::max_element(actions.begin(), actions.end(),
                           [](const RootChild& a, const RootChild& b) { return a.visits < b.visits; });
}

// The visits without those that were forced and did not pay (Wu 2019, section 3.2).
inline Shares pruned_visits(std::span<const RootChild> actions, double forced, double c) {
  double total = 0;
  for (const RootChild& known : actions) total += known.visits;
  const RootChild& best = most_visited(actions);
  const auto puct = [&](const RootChild& known, double visits) {
    return (known.value + 1) / 2 + c * known.prior * std::sqrt(total) / (1 + visits);
  };
  const double top = puct(best, best.visits);
  Shares shares;
  for (const RootChild& known : actions) {
    double left = known.visits;
    if (&known != &best && left > 0) {
      const double least = std::max(0.0, left - std::sqrt(forced * known.prior * total));
      while (left > least && puct(known, left - 1) < top) --left;
      if (left <= 1) left = 0;
    }
    shares.push_back(left);
  }
  return shares;
}

// Log prior + weighed share of wins; an unvisited action gets the mean of the visited ones (Danihelka et al. 2022).
inline Shares gumbel_scores(std::span<const RootChild> actions) {
  double weights = 0, won = 0;
  bool all_lost = true;
  for (const RootChild& known : actions) {
    all_lost &= known.proven == -1;
    if (known.visits == 0) continue;
    weights += known.prior + 1e-9;
    won += (known.prior + 1e-9) * (known.value + 1) / 2;
  }
  const double mean = weights > 0 ? won / weights : 0.5;
  const double scale = Gumbel::scale * (Gumbel::base + most_visited(actions).visits);
  Shares scores;
  for (const RootChild& known : actions) {
    const double share = known.visits > 0 ? (known.value + 1) / 2 : mean;
    const bool lost = known.proven == -1 && !all_lost;
    scores.push_back(lost ? -50.0 : std::log(known.prior + 1e-9) + scale * share);
  }
  return scores;
}

// The priors, raised or lowered by the values that the search found (Danihelka et al. 2022, section 4).
inline Shares improved_policy(std::span<const RootChild> actions) {
  Shares shares = gumbel_scores(actions);
  const double most = *std::max_element(shares.begin(), shares.end());
  for (double& share : shares) share = std::exp(share - most);
  return shares;
}

// Of the most visited actions the one with the highest score, noise included: a draw from the improved policy.
inline Action gumbel_choice(std::span<const RootChild> actions) {
  const Shares scores = gumbel_scores(actions);
  const int most = most_visited(actions).visits;
  const RootChild* chosen = nullptr;
  double lead = 0;
  for (std::size_t k = 0; k < actions.size(); ++k) {
    const double mine = scores[k] + actions[k].noise;
    if (actions[k].visits == most && (chosen == nullptr || mine > lead)) chosen = &actions[k], lead = mine;
  }
  return chosen->action;
}

// How the visits of a search become D.
struct Target {
  bool gumbel = false;
  double forced = 0, c = 1;
};

// D over all `num_actions` actions of the game, summing to one: everything on a move that is proven to win.
inline std::vector<float> distribution(std::span<const RootChild> actions, const Target& target, int num_actions) {
  std::vector<float> policy(static_cast<std::size_t>(num_actions));
  const auto at = [&](std::size_t k) -> float& { return policy[static_cast<std::size_t>(actions[k].action)]; };
  const RootChild* won = nullptr;
  for (const RootChild& known : actions)
    if (known.proven == 1 && (won == nullptr || known.visits > won->visits)) won = &known;
  if (won != nullptr) {
    policy[static_cast<std::size_t>(won->action)] = 1;
    return policy;
  }
  Shares shares(actions.size(), 1.0);  // if nothing was visited: the result was proven before this search began
  if (most_visited(actions).visits > 0)
    shares = target.gumbel       ? improved_policy(actions)
             : target.forced > 0 ? pruned_visits(actions, target.forced, target.c)
                                 : visit_shares(actions);
  double sum = 0;
  for (const double share : shares) sum += share;
  for (std::size_t k = 0; k < actions.size(); ++k) at(k) = static_cast<float>(shares[k] / sum);
  return policy;
}

// The mean of all simulations, for the player to move: true, if the root is proven.
inline double root_value(std::span<const RootChild> actions) {
  double visits = 0, sum = 0;
  int best = -1;
  bool all_proven = true;
  for (const RootChild& known : actions) {
    visits += known.visits, sum += known.visits * known.value;
    all_proven &= known.proven != unproven;
    if (known.proven != unproven) best = std::max(best, known.proven);
  }
  if (best == 1 || all_proven) return best;
  return visits > 0 ? sum / visits : 0;
}

// How far D is from the priors: the divergence of Kullback and Leibler. Zero where there are no priors.
inline double surprise_of(std::span<const RootChild> actions, const std::vector<float>& policy) {
  double sum = 0;
  for (const RootChild& known : actions) {
    const double share = policy[static_cast<std::size_t>(known.action)];
    if (share > 0 && known.prior > 0) sum += share * std::log(share / known.prior);
  }
  return std::max(0.0, sum);
}

}  // namespace ludus
