// The search tree: nodes in one array, the children of a node side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state.h"

namespace ludus {

using NodeIndex = std::uint32_t;
using Path = std::vector<NodeIndex>;  // from the root down

constexpr std::int8_t unproven = 2;

// What is known of one action. Everything is seen by the chooser, the player who chose (or would choose) it.
struct Node {
  double total = 0;               // sum of the scores of all simulations through here
  std::uint32_t visits = 0;       // how many those were
  NodeIndex first = 0;            // the first child; 0: none yet (the root is nobody's child)
  Action action = -1;             // that leads here
  float prior = 0;                // what a policy thought of it beforehand
  float amaf_total = 0;           // RAVE: the same sums over all simulations in which the
  std::uint32_t amaf_visits = 0;  //       chooser played this action at any later time
  std::uint16_t children = 0;     // legal actions here
  std::uint16_t tried = 0;        // the first so many children have been visited
  std::int8_t chooser = 0;
  std::int8_t proven = unproven;  // the true score, once it is proven: -1, 0 or +1

  double mean() const { return visits == 0 ? 0 : total / visits; }
  double share() const { return (total / visits + 1) / 2; }  // of wins, a draw counting half; needs a visit
};
static_assert(sizeof(Node) <= 40);

class Tree {
 public:
  explicit Tree(Player to_move) { clear(to_move); }

  // One root, nothing else. The root counts as chosen by the player to move there.
  void clear(Player to_move) {
    nodes_.clear();
    nodes_.emplace_back().chooser = static_cast<std::int8_t>(to_move);
  }

  Node& operator[](NodeIndex i) { return nodes_[i]; }
  const Node& operator[](NodeIndex i) const { return nodes_[i]; }
  Node& root() { return nodes_.front(); }
  const Node& root() const { return nodes_.front(); }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

  // Gives a node one child per legal action, none of them visited.
  template <State S>
  void grow(NodeIndex parent, const S& state) {
    const auto first = static_cast<NodeIndex>(nodes_.size());
    for (const Action action : state.actions()) {
      Node& child = nodes_.emplace_back();
      child.action = action;
      child.chooser = static_cast<std::int8_t>(state.player());
    }
    nodes_[parent].first = first;
    nodes_[parent].children = static_cast<std::uint16_t>(nodes_.size() - first);
  }

  // The child that an action leads to; 0 if there is none.
  NodeIndex child(NodeIndex parent, Action action) const {
    const Node& node = nodes_[parent];
    for (NodeIndex i = node.first; i < node.first + node.children; ++i)
      if (nodes_[i].action == action) return i;
    return 0;
  }

  // Makes a node the root: what lies below it survives, the rest is freed.
  void keep(NodeIndex new_root, Player to_move) {
    std::vector<Node> kept{nodes_[new_root]};
    for (std::size_t i = 0; i < kept.size(); ++i) {  // breadth first, so children stay side by side
      const Node node = kept[i];
      if (node.children == 0) continue;
      kept[i].first = static_cast<NodeIndex>(kept.size());
      kept.insert(kept.end(), nodes_.begin() + node.first, nodes_.begin() + node.first + node.children);
    }
    Node& root = kept.front();
    if (root.chooser != to_move) {  // from here on the root is seen by the player to move
      root.total = -root.total;
      if (root.proven != unproven) root.proven = static_cast<std::int8_t>(-root.proven);
    }
    root.chooser = static_cast<std::int8_t>(to_move);
    root.action = -1;
    nodes_ = std::move(kept);
  }

 private:
  std::vector<Node> nodes_;
};

}  // namespace ludus
