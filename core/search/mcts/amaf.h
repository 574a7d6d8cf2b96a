// AMAF ("all moves as first"), the sums that RAVE wants: an action that the same player played later in the game
// counts for the child of that action, too.
#pragma once

#include <array>

#include "search/mcts/simulate.h"
#include "search/mcts/tree.h"

namespace ludus {

// Adds a score (of player 0) to the AMAF sums along a path. `came_later(player, action)` says whether the player played
// the action after a node; it is asked from the leaf up to the root, and `join(node)` is called when a node's own
// action becomes one that came later.
template <class CameLater, class Join>
void backup_amaf(Tree& tree, const Path& path, double score, CameLater came_later, Join join) {
  assert(tree.more().amaf);
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    if (tree.grown(*at)) {
      const Family family = tree.family(*at);
      const int tried = family.tried();
      for (int k = 0; k < tried; ++k) {
        const NodeIndex child = family.child(k);
        const Player chooser = tree.chooser(child);
        if (!came_later(chooser, family.action(k))) continue;
        ++*tree.amaf_visits(child);
        *tree.amaf_total(child) += static_cast<float>(chooser == 0 ? score : -score);
      }
    }
    join(*at);
  }
}

// Who played what in one simulation, found quickly: an action carries the number of the last simulation it came in.
class Stamps {
 public:
  // With `first_counts`, a player who plays an action earlier than the other takes it away from the other.
  explicit Stamps(bool first_counts = false) : first_counts_(first_counts) {}

  void begin() { ++now_; }
  void mark(Player p, Action a) {
    const auto at = static_cast<std::size_t>(a);
    if (at >= stamps_[p].size()) stamps_[p].resize(at + 64);
    stamps_[p][at] = now_;
    if (first_counts_ && at < stamps_[1 - p].size()) stamps_[1 - p][at] = 0;
  }
  bool marked(Player p, Action a) const {
    const auto at = static_cast<std::size_t>(a);
    return at < stamps_[p].size() && stamps_[p][at] == now_;
  }

 private:
  bool first_counts_;
  std::uint32_t now_ = 0;
  std::array<std::vector<std::uint32_t>, 2> stamps_;
};

// The AMAF backup of one simulation, from what was played in its playout and along its path; or from its last state,
// if that still shows who played what.
template <State S>
void backup_amaf(Tree& tree, const Path& path, const S& last, const Played& played, double score, Stamps& stamps) {
  if constexpr (HasHolds<S>) {
    backup_amaf(tree, path, score, [&](Player p, Action a) { return last.holds(p, a); }, [](NodeIndex) {});
  } else {
    stamps.begin();
    for (auto at = played.rbegin(); at != played.rend(); ++at) stamps.mark(at->first, at->second);
    backup_amaf(
        tree, path, score, [&](Player p, Action a) { return stamps.marked(p, a); },
        [&](NodeIndex node) {
          if (node != 0) stamps.mark(tree.chooser(node), tree.action(node));
        });
  }
}

}  // namespace ludus
