// MCTS-solver (Winands et al. 2008): true scores, once they are known, go up the tree.
#pragma once

#include <algorithm>
#include <new>

#include "search/mcts/tree.h"
#include "search/transposition.h"

namespace ludus {

// The true score of a node for the player to move there, as far as its children show it: it is known when one child is
// a proven win, or when all are proven; then it is that of the best child.
inline int proven_by_children(const Tree& tree, NodeIndex node) {
  if (!tree.grown(node)) return unproven;
  const Family family = tree.family(node);
  int best = -1;
  bool all_proven = family.tried() == family.children();
  for (int k = 0; k < family.tried(); ++k) {
    const int proven = tree.proven(family.child(k));
    all_proven &= proven != unproven;
    if (proven != unproven) best = std::max(best, proven);
  }
  return best == 1 || all_proven ? best : unproven;
}

// The last node of the path is proven: proves those above it, as far as that goes.
inline void prove(Tree& tree, const Path& path) {
  for (std::size_t at = path.size() - 1; at-- > 0;) {
    const NodeIndex node = path[at];
    if (tree.proven(node) != unproven) return;
    const Player mover = tree.chooser(path[at + 1]);
    const int score = tree.proven(path[at + 1]) == 1 ? 1 : proven_by_children(tree, node);
    if (score == unproven) return;
    tree.proven(node) = static_cast<std::int8_t>(tree.chooser(node) == mover ? score : -score);
  }
}

// The root is proven only as far as its own children show it: a proof from elsewhere names no action to play.
inline void prove_root(Tree& tree) { tree.proven(0) = static_cast<std::int8_t>(proven_by_children(tree, 0)); }

// What was proven, by state: other actions may lead to the same state.
template <State S>
class Proofs {
 public:
  bool has(const S& state) const { return !scores_.empty() && scores_.contains(Map::name(state)); }
  // The true score of player 0; `unproven` if it is not known.
  int find(const S& state) const {
    const auto found = scores_.find(Map::name(state));
    return found == scores_.end() ? unproven : found->second;
  }

  // The leaf of a path from `root` has this true score (player 0's): writes down everything that this proves.
  void prove_leaf(Tree& tree, const S& root, const Path& path, int score) {
    const NodeIndex leaf = path.back();
    tree.proven(leaf) = static_cast<std::int8_t>(tree.chooser(leaf) == 0 ? score : -score);
    prove(tree, path);
    try {
      remember(tree, root, path);
    } catch (const std::bad_alloc&) {  // what the tree shows is enough
    }
  }

 private:
  void remember(const Tree& tree, const S& root, const Path& path) {
    S state = root;
    for (std::size_t i = 1; i + 1 < path.size(); ++i) {
      state.play(tree.action(path[i]));
      const int proven = tree.proven(path[i]);
      if (proven != unproven)
        scores_[Map::name(state)] = static_cast<std::int8_t>(tree.chooser(path[i]) == 0 ? proven : -proven);
    }
  }

  using Map = StateMapOf<S, std::int8_t>;
  typename Map::Type scores_;
};

}  // namespace ludus
