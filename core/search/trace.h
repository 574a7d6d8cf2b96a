// A record of the top of the tree of a depth-limited search, made on request, for example for `ludus explain`.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state.h"
#include "search/transposition.h"

namespace ludus {

// How a node came by its value.
enum class Ending : std::uint8_t {
  searched,    // from its children
  over,        // the game is over there
  horizon,     // the depth was used up: a guess
  remembered,  // from the transposition table
  stopped      // the limit was reached first: it has no value
};

// One node. Values are for the player to move there.
struct TraceNode {
  Action action = -1;  // that led here; -1: the root
  Player player = 0;
  double alpha = 0, beta = 0;  // the window it was searched with
  Ending ending = Ending::searched;
  Bound bound = Bound::exact;
  int legal = 0;  // actions
  int tried = 0;  // actions; fewer than legal after a cut-off
  double value = 0;
  Action best = -1;        // the best action; after a cut-off the one that refuted the parent's action
  std::int64_t nodes = 0;  // in the subtree, with this one
  int parent = -1;         // index in the trace; -1: the root
};

// The nodes of the first plies in the order in which they were entered, about `most` of them.
class Trace {
 public:
  explicit Trace(int plies, std::size_t most = std::size_t{1} << 17) : plies_(plies), most_(most) {}

  // Are nodes at this ply recorded, or at least counted as tried?
  bool reaches(std::size_t ply) const { return static_cast<int>(ply) <= plies_ + 1; }
  const std::vector<TraceNode>& nodes() const { return nodes_; }
  Trace empty_copy() const { return Trace(plies_, most_); }

  // Records the node that `look` searches. `counter` counts nodes; `line` and `stopped` are what the search left.
  template <class Look>
  double record(std::size_t ply, const TraceNode& begun, const std::int64_t& counter, const std::vector<Action>& line,
                const bool& stopped, Look look) {
    const int place = enter(ply, begun);
    const std::int64_t before = counter;
    const double value = look();
    if (place < 0) return value;
    TraceNode& node = nodes_[static_cast<std::size_t>(place)];
    node.value = value;
    node.nodes = counter - before;
    node.best = line.empty() ? -1 : line.front();
    if (stopped)
      node.ending = Ending::stopped;
    else if (node.ending == Ending::searched)
      node.bound = value <= node.alpha ? Bound::at_most : value >= node.beta ? Bound::at_least : Bound::exact;
    return value;
  }

 private:
  // Returns the index of the new node, or -1 if it is only counted.
  int enter(std::size_t ply, TraceNode node) {
    node.parent = ply == 0 ? -1 : path_[ply - 1];
    if (node.parent >= 0) ++nodes_[static_cast<std::size_t>(node.parent)].tried;
    const bool room = ply <= 1 || nodes_.size() < most_;  // the moves at the root are always recorded
    const bool kept = static_cast<int>(ply) <= plies_ && room && (ply == 0 || node.parent >= 0);
    path_.resize(ply);
    path_.push_back(kept ? static_cast<int>(nodes_.size()) : -1);
    if (kept) nodes_.push_back(node);
    return path_.back();
  }

  int plies_;
  std::size_t most_;
  std::vector<TraceNode> nodes_;
  std::vector<int> path_;  // the index of the current node of every ply; -1: not recorded
};

}  // namespace ludus
