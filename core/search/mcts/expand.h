// Phase two, expand: the leaf gets children.
#pragma once

#include <cmath>
#include <span>

#include "base/random.h"
#include "search/mcts/tree.h"

namespace ludus {

// Tries one more action of a leaf, any of the untried ones. Returns its node.
template <State S>
NodeIndex expand(Tree& tree, NodeIndex leaf, const S& state, Rng& rng) {
  if (tree[leaf].children == 0) tree.grow(leaf, state);
  Node& node = tree[leaf];
  const int untried = node.children - node.tried;
  const NodeIndex next = node.first + node.tried;
  std::swap(tree[next], tree[next + static_cast<NodeIndex>(rng.below(untried))]);
  ++node.tried;
  return next;
}

// All actions of a leaf at once, each with what a policy (a number per action) thinks of it. The policy
// counts only as far as it is legal: its legal part is made to sum to one.
template <State S>
void expand_all(Tree& tree, NodeIndex leaf, const S& state, std::span<const float> policy) {
  if (tree[leaf].children == 0) tree.grow(leaf, state);
  Node& node = tree[leaf];
  node.tried = node.children;
  double sum = 0;
  for (NodeIndex i = node.first; i < node.first + node.children; ++i)
    sum += policy.empty() ? 1.f : policy[static_cast<std::size_t>(tree[i].action)];
  for (NodeIndex i = node.first; i < node.first + node.children; ++i) {
    const float p = policy.empty() ? 1.f : policy[static_cast<std::size_t>(tree[i].action)];
    tree[i].prior = static_cast<float>(p / sum);
  }
}

// RAVE: lets the children of a new node begin with the game's own bets on them, as if so many games had been seen,
// and a few even ones.
template <State S>
void take_hints(Tree& tree, NodeIndex leaf, const S& state) {
  if constexpr (requires { state.hint(Action{}); }) {
    constexpr float even = 10;
    const Node& node = tree[leaf];
    for (NodeIndex i = node.first; i < node.first + node.children; ++i) {
      const float bet = state.hint(tree[i].action);
      tree[i].amaf_visits = static_cast<std::uint32_t>(even + std::abs(bet));
      tree[i].amaf_total = bet;
    }
  }
}

// A draw from the gamma distribution (Marsaglia and Tsang 2000), the stuff that Dirichlet noise is made of.
inline double gamma_draw(double shape, Rng& rng) {
  if (shape < 1) return gamma_draw(shape + 1, rng) * std::pow(1 - rng.uniform(), 1 / shape);
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double normal =
        std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(6.283185307179586 * rng.uniform());  // Box and Muller
    const double v = std::pow(1 + c * normal, 3);
    if (v > 0 && std::log(1 - rng.uniform()) < normal * normal / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

// Mixes Dirichlet(alpha) noise into the priors of a node's children, so that nothing is ruled out.
inline void add_noise(Tree& tree, NodeIndex index, double alpha, double fraction, Rng& rng) {
  const Node& node = tree[index];
  std::vector<double> noise(node.children);
  double sum = 0;
  for (double& n : noise) sum += n = gamma_draw(alpha, rng);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    float& prior = tree[node.first + static_cast<NodeIndex>(i)].prior;
    prior = static_cast<float>((1 - fraction) * prior + fraction * noise[i] / sum);
  }
}

// Gives the children of a node their Gumbel noise.
inline void draw_gumbel(Tree& tree, NodeIndex index, Rng& rng) {
  const Node& node = tree[index];
  for (NodeIndex i = node.first; i < node.first + node.children; ++i) {
    tree[i].amaf_visits = 1;
    tree[i].amaf_total = static_cast<float>(-std::log(-std::log(std::max(1e-12, 1 - rng.uniform())) + 1e-12));
  }
}

}  // namespace ludus
