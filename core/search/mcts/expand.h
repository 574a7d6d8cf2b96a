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
  if (!tree.grown(leaf)) tree.grow(leaf, state);
  const Family family = tree.family(leaf);
  const int tried = family.tried(), untried = family.children() - tried;
  assert(untried > 0);
  std::swap(family.action(tried), family.action(tried + rng.below(untried)));
  const NodeIndex child = tree.make_child(family, tried);
  family.set_tried(tried + 1);
  return child;
}

// Sets the priors of a node's children from a policy (a number per action), normalised over the legal actions; without
// a policy they are uniform.
template <State S>
void write_hints(Tree& tree, const Family& family, const S& state) {
  if constexpr (requires { state.hint(Action{}); }) {
    constexpr float even = 10;
    for (int k = 0; k < family.children(); ++k) {
      const float bet = state.hint(family.action(k));
      *tree.amaf_visits(family.child(k)) = static_cast<std::int32_t>(even + std::abs(bet));
      *tree.amaf_total(family.child(k)) = bet;
    }
  }
}

// All actions of a leaf at once, none of them visited.
template <State S>
void expand_all(Tree& tree, NodeIndex leaf, const S& state, std::span<const float> policy, bool hints) {
  if (!tree.grown(leaf)) tree.grow(leaf, state);
  const Family family = tree.family(leaf);
  for (int k = family.tried(); k < family.children(); ++k) tree.make_child(family, k);
  if (tree.more().prior) write_priors(tree, family, policy);
  if (hints) write_hints(tree, family, state);
  family.set_tried(family.children());
}

}  // namespace ludus
