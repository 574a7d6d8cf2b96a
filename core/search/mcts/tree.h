// The search tree. What is known of a node is kept in columns (structure of arrays): all totals side by side, all
// visits side by side, and so on, so that a search reads only the columns it needs, for eight children at once.
//
// A node whose actions are listed has a Family. Children that were never tried cost two bytes there, their action;
// places in the columns are handed out as children are tried, in runs of up to eight. Nothing is moved as it grows.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/state.h"
#include "search/mcts/lanes.h"

namespace ludus {

using NodeIndex = std::uint32_t;
using Path = std::vector<NodeIndex>;  // from the root down

constexpr std::int8_t unproven = 2;

// The columns for 1,024 nodes. Everything is seen by the chooser, the player who chose (or would choose) the node's
// action. There are seven places more, so that eight can be read from any place on.
struct Columns {
  static constexpr NodeIndex nodes = 1024;
  static constexpr std::size_t places = nodes + most_lanes - 1;
  double total[places];          // sum of the scores of all simulations through the node
  std::int32_t visits[places];   // how many those were
  std::uint32_t family[places];  // where its Family is; 0: its actions are not listed yet
  std::uint16_t action[places];  // that leads to it
  std::int8_t proven[places];    // its true score, once it is proven: -1, 0 or +1; else `unproven`
  std::int8_t chooser[places];
  std::unique_ptr<float[]> prior;               // what a policy thought of the node beforehand; only if asked for
  std::unique_ptr<float[]> amaf_total;          // the sums over all simulations in which the chooser played this
  std::unique_ptr<std::int32_t[]> amaf_visits;  // action at any later time (AMAF); only if asked for
};

// The columns that only some searches need.
struct MoreColumns {
  bool prior = true;
  bool amaf = true;
};

// The children of one node, as 32-bit words in the tree's memory:
//     children | tried     16 bits each: how many legal actions there are; the first so many have been tried
//     run 0, run 1, …      where eight children each begin in the columns
//     actions              16 bits each, the tried ones first
class Family {
 public:
  explicit Family(std::uint32_t* words) : words_(words) {}
  explicit operator bool() const { return words_ != nullptr; }
  static std::size_t words(std::size_t children) { return 1 + runs(children) + (children + 1) / 2; }
  static std::size_t runs(std::size_t children) { return (children + most_lanes - 1) / most_lanes; }

  int children() const { return half(0); }
  int tried() const { return half(1); }
  void set_children(int count) { half(0) = static_cast<std::uint16_t>(count), half(1) = 0; }
  void set_tried(int count) const { half(1) = static_cast<std::uint16_t>(count); }
  NodeIndex& run(int r) const { return words_[1 + r]; }
  NodeIndex child(int k) const { return run(k / most_lanes) + static_cast<NodeIndex>(k % most_lanes); }
  std::uint16_t& action(int k) const {
    return reinterpret_cast<std::uint16_t*>(words_ + 1 + runs(static_cast<std::size_t>(children())))[k];
  }

 private:
  std::uint16_t& half(int i) const { return reinterpret_cast<std::uint16_t*>(words_)[i]; }
  std::uint32_t* words_;
};

class Tree {
 public:
  explicit Tree(Player to_move, MoreColumns more = {}) : more_(more) { clear(to_move); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  Tree(Tree&&) = default;
  Tree& operator=(Tree&&) = default;

  // One root, nothing else. The root counts as chosen by the player to move there.
  void clear(Player to_move) {
    columns_.clear(), words_.clear(), memory_.clear();
    nodes_used_ = words_used_ = 0;
    size_ = 1;
    new_words(1);  // so that no family is number 0
    const NodeIndex root = new_run(1, to_move);
    assert(root == 0);
    columns(root).action[root] = no_action;
    gumbel.clear();
  }

  double& total(NodeIndex i) { return columns(i).total[place(i)]; }
  double total(NodeIndex i) const { return columns(i).total[place(i)]; }
  std::int32_t& visits(NodeIndex i) { return columns(i).visits[place(i)]; }
  std::int32_t visits(NodeIndex i) const { return columns(i).visits[place(i)]; }
  std::int8_t& proven(NodeIndex i) { return columns(i).proven[place(i)]; }
  std::int8_t proven(NodeIndex i) const { return columns(i).proven[place(i)]; }
  Player chooser(NodeIndex i) const { return columns(i).chooser[place(i)]; }
  Action action(NodeIndex i) const {  // that leads to a node; -1 for the root
    const std::uint16_t action = columns(i).action[place(i)];
    return action == no_action ? -1 : action;
  }
  float* prior(NodeIndex i) const { return more_.prior ? &columns(i).prior[place(i)] : nullptr; }
  float* amaf_total(NodeIndex i) const { return more_.amaf ? &columns(i).amaf_total[place(i)] : nullptr; }
  std::int32_t* amaf_visits(NodeIndex i) const { return more_.amaf ? &columns(i).amaf_visits[place(i)] : nullptr; }
  double mean(NodeIndex i) const { return visits(i) == 0 ? 0 : total(i) / visits(i); }
  Columns& columns(NodeIndex i) const { return *columns_[i / Columns::nodes]; }
  static std::size_t place(NodeIndex i) { return i % Columns::nodes; }

  bool grown(NodeIndex i) const { return family_index(i) != 0; }  // are its actions listed?
  [[gnu::always_inline]] Family family(NodeIndex i) const {       // as false as a null pointer if they are not
    const std::uint32_t index = family_index(i);
    return index == 0 ? Family(nullptr) : family_at(index);
  }

  MoreColumns more() const { return more_; }
  bool has(NodeIndex i) const { return i < nodes_used_; }
  std::size_t size() const { return size_; }  // nodes, untried ones included
  std::size_t bytes() const {                 // in use
    constexpr std::size_t each = sizeof(double) + 2 * sizeof(std::int32_t) + sizeof(std::uint16_t) + 2;
    return nodes_used_ * (each + 4 * more_.prior + 8 * more_.amaf) + words_used_ * sizeof(std::uint32_t);
  }

  // Lists the legal actions of a node, none of them tried.
  template <State S>
  void grow(NodeIndex parent, const S& state) {
    assert(!grown(parent) && !state.over());
    const auto actions = state.actions();
    const auto count = static_cast<std::size_t>(actions.size());
    assert(count > 0);
    if (count >= no_action) throw std::length_error("a search tree takes at most 65,534 actions of a state");
    const std::uint32_t index = new_family(count);
    Family family = family_at(index);
    int k = 0;
    for (const Action action : actions) {
      if (action >= no_action) throw std::length_error("a search tree takes actions up to 65,534");
      family.action(k++) = static_cast<std::uint16_t>(action);
    }
    columns(parent).family[place(parent)] = index;
  }

  // Gives child k of a family its place in the columns; all before it must have theirs. The caller counts it as tried.
  NodeIndex make_child(const Family& family, int k, Player chooser) {
    assert(k >= family.tried() && k < family.children());
    if (k % most_lanes == 0) family.run(k / most_lanes) = new_run(std::min(most_lanes, family.children() - k), chooser);
    const NodeIndex child = family.child(k);
    columns(child).action[place(child)] = family.action(k);
    return child;
  }

  // The tried child that an action leads to; 0 if there is none.
  NodeIndex child(NodeIndex parent, Action action) const {
    if (!grown(parent)) return 0;
    const Family all = family(parent);
    for (int k = 0; k < all.tried(); ++k)
      if (all.action(k) == action) return all.child(k);
    return 0;
  }

  // The visits of all children of a node together; never more than its own.
  std::int64_t visits_of_children(NodeIndex parent) const {
    std::int64_t sum = 0;
    if (const Family all = family(parent))
      for (int k = 0; k < all.tried(); ++k) sum += visits(all.child(k));
    return sum;
  }

  // Makes a node the root: what lies below it survives, the rest is freed.
  void keep(NodeIndex new_root, Player to_move) {
    Tree kept(to_move, more_);
    const double sign = chooser(new_root) == to_move ? 1 : -1;  // from here on the root is seen by the player to move
    kept.copy_node(0, *this, new_root);
    kept.total(0) *= sign;
    if (kept.proven(0) != unproven) kept.proven(0) = static_cast<std::int8_t>(sign * kept.proven(0));
    std::vector<std::pair<NodeIndex, NodeIndex>> waiting{{0, new_root}};
    for (std::size_t at = 0; at < waiting.size(); ++at)
      if (grown(waiting[at].second)) kept.copy_family(waiting[at].first, *this, waiting[at].second, waiting);
    *this = std::move(kept);
  }

  std::vector<double> gumbel;  // the Gumbel noise of the root's children, in their order; empty: none was drawn

 private:
  static constexpr std::uint16_t no_action = 0xffff;
  static constexpr std::size_t words_each = 1 << 14;  // of one piece of memory for families

  std::uint32_t family_index(NodeIndex i) const { return columns(i).family[place(i)]; }
  Family family_at(std::uint32_t index) const { return Family(words_[index / words_each] + index % words_each); }

  // So many places side by side.
  NodeIndex new_run(int count, Player chooser) {
    if (nodes_used_ % Columns::nodes + static_cast<NodeIndex>(count) > Columns::nodes)
      nodes_used_ += Columns::nodes - nodes_used_ % Columns::nodes;
    if (nodes_used_ / Columns::nodes == columns_.size()) {
      columns_.push_back(std::make_unique<Columns>());
      if (more_.prior) columns_.back()->prior = std::make_unique<float[]>(Columns::places);
      if (more_.amaf) columns_.back()->amaf_total = std::make_unique<float[]>(Columns::places);
      if (more_.amaf) columns_.back()->amaf_visits = std::make_unique<std::int32_t[]>(Columns::places);
    }
    const NodeIndex first = nodes_used_;
    Columns& here = columns(first);
    for (int i = 0; i < count; ++i) {
      here.proven[place(first) + i] = unproven;
      here.chooser[place(first) + i] = static_cast<std::int8_t>(chooser);
    }
    nodes_used_ += static_cast<NodeIndex>(count);
    return first;
  }
  std::uint32_t new_family(std::size_t children) {
    const std::uint32_t index = new_words(Family::words(children));
    family_at(index).set_children(static_cast<int>(children));
    size_ += children;
    return index;
  }
  // So many words side by side. A long family gets several pieces of memory that follow each other.
  std::uint32_t new_words(std::size_t count) {
    if (words_used_ % words_each + count > words_each || words_used_ / words_each == words_.size()) {
      words_used_ = words_.size() * words_each;
      const std::size_t pieces = (count + words_each - 1) / words_each;
      memory_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(pieces * words_each));
      for (std::size_t i = 0; i < pieces; ++i) words_.push_back(memory_.back().get() + i * words_each);
    }
    const std::size_t first = words_used_;
    words_used_ += count;
    return static_cast<std::uint32_t>(first);
  }

  void copy_node(NodeIndex to, const Tree& other, NodeIndex from) {
    total(to) = other.total(from);
    visits(to) = other.visits(from);
    proven(to) = other.proven(from);
    if (more_.prior) *prior(to) = *other.prior(from);
    if (more_.amaf) *amaf_total(to) = *other.amaf_total(from), *amaf_visits(to) = *other.amaf_visits(from);
  }
  void copy_family(NodeIndex to, const Tree& other, NodeIndex from,
                   std::vector<std::pair<NodeIndex, NodeIndex>>& waiting) {
    const Family theirs = other.family(from);
    const int children = theirs.children(), tried = theirs.tried();
    const std::uint32_t index = new_family(static_cast<std::size_t>(children));
    const Family mine = family_at(index);
    for (int k = 0; k < children; ++k) mine.action(k) = theirs.action(k);
    columns(to).family[place(to)] = index;
    for (int k = 0; k < tried; ++k) {
      const NodeIndex child = make_child(mine, k, other.chooser(theirs.child(0)));
      copy_node(child, other, theirs.child(k));
      mine.set_tried(k + 1);
      waiting.emplace_back(child, theirs.child(k));
    }
  }

  MoreColumns more_;
  std::vector<std::unique_ptr<Columns>> columns_;
  std::vector<std::unique_ptr<std::uint32_t[]>> memory_;
  std::vector<std::uint32_t*> words_;
  NodeIndex nodes_used_ = 0;
  std::size_t words_used_ = 0;
  std::size_t size_ = 1;
};

}  // namespace ludus
