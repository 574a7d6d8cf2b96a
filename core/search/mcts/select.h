// Phase one, select: from the root down to a leaf, by the tree policy.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <variant>

#include "base/random.h"
#include "search/mcts/tree.h"

namespace ludus {

// The tree policies. Each scores the children of a node; the largest score is followed, the first of equals.
// `tries_all_first`: whether every action is tried once before any is compared.

// The square root of a count of visits, most often from a table: it is the hottest number of a search.
inline double root_of(std::uint32_t visits) {
  static const auto table = [] {
    std::array<double, 1024> roots;
    for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = std::sqrt(static_cast<double>(i));
    return roots;
  }();
  return visits < table.size() ? table[visits] : std::sqrt(static_cast<double>(visits));
}

// UCT (Kocsis and Szepesvári 2006): share of wins + c·sqrt(ln N / n). With two_ln, 2·ln N, as UCB1 has it.
struct Uct {
  static constexpr bool tries_all_first = true;
  double c = 1.4142135623730951;
  bool two_ln = false;

  auto scorer(const Tree&, const Node& parent) const {
    const double log_visits = std::log(static_cast<double>(parent.visits));
    const double explore = c * std::sqrt(two_ln ? 2 * log_visits : log_visits);
    return [explore](const Node& child) { return child.share() + explore / root_of(child.visits); };
  }
};

// The best so far, but any child with probability epsilon.
struct EpsilonGreedy {
  static constexpr bool tries_all_first = true;
  double epsilon = 0.1;

  auto scorer(const Tree&, const Node&) const {
    return [](const Node& child) { return child.share(); };
  }
};

// PUCT (Silver et al. 2017): share + c·prior·sqrt(N) / (1 + n). What was not visited counts as its parent does. With
// `forced`, a child of the root that was visited at all gets at least sqrt(forced·prior·N) visits (Wu 2019).
struct Puct {
  static constexpr bool tries_all_first = false;
  double c = 1;
  double forced = 0;

  auto scorer(const Tree& tree, const Node& parent) const {
    const Player mover = tree[parent.first].chooser;
    const double unvisited = ((parent.chooser == mover ? parent.mean() : -parent.mean()) + 1) / 2;
    const double root = std::sqrt(static_cast<double>(parent.visits));
    const double least = &parent == &tree.root() ? forced * parent.visits : 0;
    return [this, unvisited, root, least](const Node& child) {
      if (child.visits > 0 && static_cast<double>(child.visits) * child.visits < least * child.prior) return 1e9;
      const double share = child.visits > 0 ? child.share() : unvisited;
      return share + c * child.prior * root / (1 + child.visits);
    };
  }
};

// Whose turn it is in a sequential halving of `simulations` among `candidates`: the visits that a child has when it is
// visited at this `step`. Each round gives the better half of the round before the same number of visits.
inline std::uint32_t halving_turn(std::uint32_t candidates, std::uint32_t simulations, std::uint32_t step) {
  const auto rounds = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::bit_width(candidates - 1)));
  std::uint32_t visits = 0;
  for (std::uint32_t left = candidates;; left = std::max<std::uint32_t>(2, left / 2)) {
    const std::uint32_t each = std::max<std::uint32_t>(1, simulations / (rounds * left));
    if (step < each * left) return visits + step / left;
    step -= each * left;
    visits += each;
  }
}

// Gumbel root choice (Danihelka et al. 2022): the children of the root that lead by log prior + Gumbel noise share the
// simulations by sequential halving, ranked by log prior + noise + worth. Below the root it is PUCT. The noise of a
// child lies where RAVE would keep its sums.
struct Gumbel {
  static constexpr bool tries_all_first = false;
  static constexpr std::uint32_t candidates = 16;
  static constexpr double scale = 0.1, base = 50;  // how much a share of wins weighs beside a log prior
  Puct below = {};
  std::uint32_t simulations = 32;

  auto scorer(const Tree& tree, const Node& parent) const {
    const auto puct = below.scorer(tree, parent);
    const bool at_root = &parent == &tree.root();
    std::uint32_t turn = 0;
    double weight = 0;
    if (at_root) {
      std::uint32_t most = 0;
      for (NodeIndex i = parent.first; i < parent.first + parent.children; ++i) most = std::max(most, tree[i].visits);
      turn = halving_turn(std::min<std::uint32_t>(candidates, parent.children), simulations, parent.visits - 1);
      weight = scale * (base + most);
    }
    return [puct, at_root, turn, weight](const Node& child) {
      if (!at_root) return puct(child);
      const double worth = child.visits > 0 ? weight * child.share() : 0;
      return (child.visits == turn ? 1e6 : 0.0) + std::log(child.prior + 1e-12) + child.amaf_total + worth;
    };
  }
};

// RAVE (Gelly and Silver 2011): the share, mixed with how games went in which the action came at any time. How much
// that counts falls with the visits of the parent. With `hints`, nodes begin with the game's own bets on the actions,
// and it falls with the visits of the child (equation 17 of the paper).
struct Rave {
  static constexpr bool tries_all_first = false;
  double c = 0.1;
  double k = 1000;  // visits at which both weigh the same
  bool hints = false;

  auto scorer(const Tree&, const Node& parent) const {
    const double even = std::sqrt(k / (3.0 * parent.visits + k));
    const double log_visits = std::log(static_cast<double>(parent.visits) + 1);
    return [this, even, log_visits](const Node& child) {
      const double amaf = child.amaf_visits > 0 ? (child.amaf_total / child.amaf_visits + 1) / 2 : 1;
      const double beta = hints ? child_beta(child) : even;
      const double share = child.visits > 0 ? (1 - beta) * child.share() + beta * amaf : amaf;
      return c > 0 ? share + c * std::sqrt(log_visits / (child.visits + 1)) : share;
    };
  }
  double child_beta(const Node& child) const {
    const double n = child.visits, amaf = child.amaf_visits;
    return amaf / (amaf + n + amaf * n / k);
  }
};

using Rule = std::variant<Uct, EpsilonGreedy, Puct, Gumbel, Rave>;

// The child to follow from a node whose children are all in play. Proven losses are passed over while
// anything else is left.
template <class R>
NodeIndex best_child(const Tree& tree, const Node& parent, const R& rule, Rng& rng) {
  if constexpr (std::is_same_v<R, EpsilonGreedy>)
    if (rng.uniform() < rule.epsilon) return parent.first + static_cast<NodeIndex>(rng.below(parent.children));
  const auto score = rule.scorer(tree, parent);
  NodeIndex best = parent.first;
  double highest = -std::numeric_limits<double>::infinity();
  for (NodeIndex i = parent.first; i < parent.first + parent.children; ++i) {
    const Node& child = tree[i];
    if (child.proven == -1) continue;
    const double s = score(child);
    if (s > highest) {
      highest = s;
      best = i;
    }
  }
  return best;
}

// Is this where a simulation leaves the tree? At the end of the game, at a proven node, and where there is
// something new to try.
template <class R>
bool is_leaf(const Node& node) {
  if (node.proven != unproven || node.children == 0) return true;
  return R::tries_all_first && node.tried < node.children;
}

// Plays down the tree to a leaf. `state` goes along and ends as the state of the leaf. The way ends early at a
// state that `known` says is known.
template <State S, class R, class Known>
void select(const Tree& tree, S& state, const R& rule, Rng& rng, Path& path, Known known) {
  path.assign(1, 0);
  while (!is_leaf<R>(tree[path.back()])) {
    const NodeIndex next = best_child(tree, tree[path.back()], rule, rng);
    state.play(tree[next].action);
    path.push_back(next);
    if (known(state)) return;
  }
}
template <State S, class R>
void select(const Tree& tree, S& state, const R& rule, Rng& rng, Path& path) {
  select(tree, state, rule, rng, path, [](const S&) { return false; });
}

}  // namespace ludus
