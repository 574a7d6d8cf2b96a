// Phase four, backup: the score goes up the path, to every node as its chooser sees it.
#pragma once

#include <cmath>

#include "search/mcts/tree.h"

namespace ludus {

// `score` is player 0's.
inline void backup(Tree& tree, const Path& path, double score) {
  assert(score >= -1.001 && score <= 1.001);
  for (const NodeIndex node : path) {
    ++tree.visits(node);
    tree.total(node) += tree.chooser(node) == 0 ? score : -score;
    assert(std::abs(tree.total(node)) <= 1.001 * tree.visits(node));
  }
}

// Virtual loss: while a simulation is on its way it counts as a loss of everybody on its path, so that other threads
// look elsewhere. Afterwards the loss becomes the score; the visit is counted already.
template <class T>
void add_atomically(T& sum, T more) {
  std::atomic_ref(sum).fetch_add(more, std::memory_order_relaxed);
}
inline void add_virtual_loss(Tree& tree, NodeIndex node) {
  add_atomically(tree.visits(node), 1);
  add_atomically(tree.total(node), -1.0);
}
inline void take_back_virtual_loss(Tree& tree, const Path& path) {
  for (const NodeIndex node : path) add_atomically(tree.visits(node), -1), add_atomically(tree.total(node), 1.0);
}
inline void backup_over_virtual_loss(Tree& tree, const Path& path, double score) {
  for (const NodeIndex node : path) add_atomically(tree.total(node), 1 + (tree.chooser(node) == 0 ? score : -score));
}

}  // namespace ludus
