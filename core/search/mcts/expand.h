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
inline void write_priors(Tree& tree, const Family& family, std::span<const float> policy) {
  const auto weight = [&](int k) { return policy.empty() ? 1.f : policy[family.action(k)]; };
  double sum = 0;
  for (int k = 0; k < family.children(); ++k) sum += weight(k);
  assert(sum > 0);
  for (int k = 0; k < family.children(); ++k) *tree.prior(family.child(k)) = static_cast<float>(weight(k) / sum);
}

// Initialises the AMAF sums from the game's hints, as if that many games had been won or lost, plus a few drawn ones.
template <State S>
void write_hints(Tree& tree, const Family& family, const S& state) {
  if constexpr (HasHints<S>) {
    constexpr float drawn = 10;
    const auto hint_of = hints(state);
    for (int k = 0; k < family.children(); ++k) {
      const float hint = hint_of(family.action(k));
      *tree.amaf_visits(family.child(k)) = static_cast<std::int32_t>(drawn + std::abs(hint));
      *tree.amaf_total(family.child(k)) = hint;
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
