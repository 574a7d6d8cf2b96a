// Phase four, backup: the score goes up the path, to every node as its chooser sees it.
#pragma once

#include <algorithm>

#include "search/mcts/simulate.h"
#include "search/mcts/tree.h"

namespace ludus {

// `score` is player 0's.
inline void backup(Tree& tree, const Path& path, double score) {
  for (const NodeIndex i : path) {
    Node& node = tree[i];
    ++node.visits;
    node.total += node.chooser == 0 ? score : -score;
  }
}

// RAVE: an action that the same player played later in the game counts for the child of that action, too.
// `came_later(player, action)` says so for what came after a node; it is asked from the leaf up to the root,
// and `before(node)` is called when a node's own action joins what came later.
template <class CameLater, class Join>
void backup_amaf(Tree& tree, const Path& path, double score, CameLater came_later, Join join) {
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    const Node& node = tree[*at];
    for (NodeIndex i = node.first; i < node.first + node.children; ++i) {
      Node& child = tree[i];
      if (!came_later(child.chooser, child.action)) continue;
      ++child.amaf_visits;
      child.amaf_total += static_cast<float>(child.chooser == 0 ? score : -score);
    }
    join(node);
  }
}

// MCTS-solver (Winands et al. 2008): a node is proven when one child is a proven win for the player to move
// there, or when all children are proven; then it is worth its best child. Goes up while that holds.
inline void prove(Tree& tree, const Path& path) {
  for (std::size_t at = path.size() - 1; at-- > 0;) {
    Node& node = tree[path[at]];
    if (node.proven != unproven) return;
    const Player mover = tree[path[at + 1]].chooser;
    int best = tree[path[at + 1]].proven;
    if (best != 1) {
      for (NodeIndex i = node.first; i < node.first + node.children; ++i) {
        if (tree[i].proven == unproven) return;
        best = std::max<int>(best, tree[i].proven);
      }
    }
    node.proven = static_cast<std::int8_t>(node.chooser == mover ? best : -best);
  }
}

}  // namespace ludus
