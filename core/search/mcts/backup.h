// Phase four, backup: the score goes up the path, to every node as its chooser sees it.
#pragma once

#include <cmath>

#include "search/mcts/tree.h"

namespace ludus {

// `score` is player 0's.
inline void backup(Tree& tree, const Path& path, double score) {
  assert(score >= -1.001 && score <= 1.001);
  for (const NodeIndex node : path) {
    tree.add(node, 1, tree.chooser(node) == 0 ? score : -score);
    assert(std::abs(tree.total(node)) <= 1.001 * tree.visits(node));
  }
}

// Virtual loss: among several threads, a simulation on its way counts as a loss for everybody on its path, so that the
// others look elsewhere. Afterwards the score takes the place of the loss; the visit has been counted.
inline void add_virtual_loss(Tree& tree, const Path& path) {
  for (const NodeIndex node : path) tree.add(node, 1, -1);
}
inline void replace_virtual_loss(Tree& tree, const Path& path, double score) {
  for (const NodeIndex node : path) tree.total(node) += 1 + (tree.chooser(node) == 0 ? score : -score);
}

}  // namespace ludus
