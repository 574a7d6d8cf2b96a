// The search tree. Siblings lie side by side, in runs of up to eight: all their visits, then all their totals, and so
// on (structure of arrays), so that eight children are read at once, and from neighbouring cache lines.
//
// A node whose actions are listed has a Family, its children. The first run of a family is there at once; children
// beyond it cost two bytes, their action, until they are tried. Nothing is moved as the tree grows.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "base/state.h"
#include "search/mcts/lanes.h"

namespace ludus {

using NodeIndex = std::uint32_t;
using Path = std::vector<NodeIndex>;  // from the root down

constexpr std::int8_t unproven = 2;

// The columns that only some searches need.
struct MoreColumns {
  bool root = true;
  bool prior = true;
  bool amaf = true;
};

// Up to eight siblings in the tree's memory. Everything is seen by the chooser, the player who chose (or would choose)
// the action that leads to a node. Lanes beyond the last sibling read whatever comes next. In this order:
//     head                   8 bytes
//     visits                 how many simulations went through the node
//     root                   the square root of the visits; only if asked for
//     total                  the sum of the scores of those simulations
//     family                 the first child of the node; 0: its actions are not listed yet
//     runs                   where the second, third, … run of the family begin, if this is its first
//     action                 that leads to it. The first run has the actions of its whole family, the tried ones first
//     proven                 its true score, once it is proven: -1, 0 or +1; else `unproven`
//     prior                  prior probability from a policy; only if asked for
//     AMAF total and visits  over all simulations in which the chooser played the action later; only if asked for
class Run {
 public:
  explicit Run(std::byte* at) : at_(at) {}
  static std::size_t bytes(std::size_t places, std::size_t children, MoreColumns more) {
    const std::size_t runs = (children - 1) / most_lanes, each = 8 * more.root + 13;
    const std::size_t usual = root_at(places) + each * places + 4 * runs + 2 * children;
    return (usual + 3) / 4 * 4 + 4 * (more.prior + 2 * more.amaf) * places;
  }
  // Memory that is all zero becomes a run.
  void begin(std::size_t places, std::size_t children, Player chooser, MoreColumns more) const {
    head() = {static_cast<std::uint16_t>(children), 0, static_cast<std::uint8_t>(places),
              static_cast<std::uint8_t>(root_at(places) + (more.root ? 8 * places : 0)),
              static_cast<std::int8_t>(chooser)};
    std::fill_n(proven(), places, unproven);
  }

  int children() const { return head().children; }
  int tried() const { return head().tried; }
  void set_tried(int count) const { head().tried = static_cast<std::uint16_t>(count); }
  Player chooser() const { return head().chooser; }

  std::int32_t* visits() const { return column<std::int32_t>(head_bytes); }
  double* root() const { return column<double>(root_at(places())); }
  double* total() const { return column<double>(head().total_at); }
  NodeIndex* family() const { return column<NodeIndex>(head().total_at + 8 * places()); }
  NodeIndex* runs() const { return column<NodeIndex>(head().total_at + 12 * places()); }
  std::uint16_t* action() const { return column<std::uint16_t>(action_at()); }
  std::int8_t* proven() const { return column<std::int8_t>(proven_at()); }
  float* prior() const { return column<float>((proven_at() + places() + 3) / 4 * 4); }
  float* amaf_total(MoreColumns more) const { return prior() + (more.prior ? places() : 0); }
  std::int32_t* amaf_visits(MoreColumns more) const {
    return reinterpret_cast<std::int32_t*>(amaf_total(more) + places());
  }

 private:
  struct Head {
    std::uint16_t children, tried;
    std::uint8_t places, total_at;
    std::int8_t chooser;
  };
  static constexpr std::size_t head_bytes = 8;
  static_assert(sizeof(Head) == head_bytes);
  static std::size_t root_at(std::size_t places) { return head_bytes + (4 * places + 7) / 8 * 8; }
  std::size_t places() const { return head().places; }
  std::size_t action_at() const {
    return head().total_at + 12 * places() + 4 * ((static_cast<std::size_t>(children()) - 1) / most_lanes);
  }
  std::size_t proven_at() const { return action_at() + 2 * static_cast<std::size_t>(children()); }
  Head& head() const { return *reinterpret_cast<Head*>(at_); }
  template <class T>
  T* column(std::size_t offset) const {
    return reinterpret_cast<T*>(at_ + offset);
  }
  std::byte* at_;
};

// The children of one node.
class Family {
 public:
  Family(Run run, NodeIndex first) : run_(run), first_(first) {}
  explicit operator bool() const { return first_ != 0; }
  static std::size_t runs(std::size_t children) { return (children + most_lanes - 1) / most_lanes; }

  const Run& first_run() const { return run_; }
  int children() const { return run_.children(); }
  int tried() const { return run_.tried(); }
  void set_tried(int count) const { run_.set_tried(count); }
  NodeIndex run(int r) const { return r == 0 ? first_ : run_.runs()[r - 1]; }
  void set_run(int r, NodeIndex first) const { run_.runs()[r - 1] = first; }
  NodeIndex child(int k) const { return run(k / most_lanes) + static_cast<NodeIndex>(k % most_lanes); }
  std::uint16_t& action(int k) const { return run_.action()[k]; }

 private:
  Run run_;
  NodeIndex first_;
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
    pieces_.clear(), memory_.clear();
    units_used_ = 0;
    size_ = 1;
    const NodeIndex root = new_run(1, 1, to_move);
    assert(root == 0);
    run_of(root).action()[0] = no_action;
    gumbel.clear();
  }

  double& total(NodeIndex i) { return run_of(i).total()[lane(i)]; }
  double total(NodeIndex i) const { return run_of(i).total()[lane(i)]; }
  void set_visits(NodeIndex i, std::int32_t visits) { add(i, visits - this->visits(i), 0); }
  // Adds to the visits and the total of a node.
  [[gnu::always_inline]] void add(NodeIndex i, std::int32_t visits, double score) {
    const Run run = run_of(i);
    const std::int32_t sum = run.visits()[lane(i)] += visits;
    run.total()[lane(i)] += score;
    if (more_.root) run.root()[lane(i)] = std::sqrt(static_cast<double>(sum));
  }
  std::int32_t visits(NodeIndex i) const { return run_of(i).visits()[lane(i)]; }
  std::int8_t& proven(NodeIndex i) { return run_of(i).proven()[lane(i)]; }
  std::int8_t proven(NodeIndex i) const { return run_of(i).proven()[lane(i)]; }
  Player chooser(NodeIndex i) const { return run_of(i).chooser(); }
  Action action(NodeIndex i) const {  // that leads to a node; -1 for the root
    const std::uint16_t action = run_of(i).action()[lane(i)];
    return action == no_action ? -1 : action;
  }
  float* prior(NodeIndex i) const { return more_.prior ? run_of(i).prior() + lane(i) : nullptr; }
  float* amaf_total(NodeIndex i) const { return more_.amaf ? run_of(i).amaf_total(more_) + lane(i) : nullptr; }
  std::int32_t* amaf_visits(NodeIndex i) const { return more_.amaf ? run_of(i).amaf_visits(more_) + lane(i) : nullptr; }
  double mean(NodeIndex i) const { return visits(i) == 0 ? 0 : total(i) / visits(i); }
  [[gnu::always_inline]] Run run_of(NodeIndex i) const {
    return Run(pieces_[i / (most_lanes * units_each)] + i / most_lanes % units_each * unit);
  }
  static std::size_t lane(NodeIndex i) { return i % most_lanes; }

  bool grown(NodeIndex i) const { return run_of(i).family()[lane(i)] != 0; }  // are its actions listed?
  [[gnu::always_inline]] Family family(NodeIndex i) const {                   // false if they are not
    return family_at(run_of(i).family()[lane(i)]);
  }
  [[gnu::always_inline]] Family family_at(NodeIndex first) const {
    return {run_of(first), first};
  }  // by its first child

  MoreColumns more() const { return more_; }
  bool has(NodeIndex i) const {  // looks through the whole tree
    std::vector<NodeIndex> found{0};
    for (std::size_t at = 0; at < found.size(); ++at) {
      if (found[at] == i) return true;
      if (const Family all = family(found[at]))
        for (int k = 0; k < all.tried(); ++k) found.push_back(all.child(k));
    }
    return false;
  }
  std::size_t size() const { return size_; }                // nodes, untried ones included
  std::size_t bytes() const { return units_used_ * unit; }  // in use

  // Lists the legal actions of a node, none of them tried.
  template <State S>
  void grow(NodeIndex parent, const S& state) {
    assert(!grown(parent) && !state.over());
    const auto actions = state.actions();
    const auto count = static_cast<std::size_t>(actions.size());
    assert(count > 0);
    if (count >= no_action) throw std::length_error("a search tree takes at most 65,534 actions of a state");
    std::uint16_t* next = new_family(parent, static_cast<int>(count), state.player()).first_run().action();
    for (const Action action : actions) {
      if (action >= no_action) throw std::length_error("a search tree takes actions up to 65,534");
      *next++ = static_cast<std::uint16_t>(action);
    }
  }

  // Gives child k of a family its place; all before it must have theirs. The caller counts it as tried.
  NodeIndex make_child(const Family& family, int k) {
    assert(k >= family.tried() && k < family.children());
    if (k < most_lanes) return family.child(k);
    if (k % most_lanes == 0)
      family.set_run(k / most_lanes, new_run(most_lanes, most_lanes, family.first_run().chooser()));
    const NodeIndex child = family.child(k);
    run_of(child).action()[lane(child)] = family.action(k);
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

  // Makes a node the root: what lies below it survives, the rest is freed. Nodes are copied from the root down until
  // the limit is reached or there is no more memory; those at which that ends have lost their children.
  void keep(NodeIndex new_root, Player to_move, const Limit& limit = {}) {
    try {
      *this = part(new_root, to_move, limit);
    } catch (const std::bad_alloc&) {  // not even for the new root
      clear(to_move);
    }
  }

  std::vector<double> gumbel;  // the Gumbel noise of the root's children, in their order; empty: none was drawn

 private:
  Tree part(NodeIndex new_root, Player to_move, const Limit& limit) const {
    Tree kept(to_move, more_);
    const double sign = chooser(new_root) == to_move ? 1 : -1;  // from here on the root is seen by the player to move
    kept.copy_node(0, *this, new_root);
    kept.total(0) *= sign;
    if (kept.proven(0) != unproven) kept.proven(0) = static_cast<std::int8_t>(sign * kept.proven(0));
    std::vector<std::pair<NodeIndex, NodeIndex>> waiting{{0, new_root}};
    try {
      for (std::size_t at = 0; at < waiting.size(); ++at) {
        if (at % 64 == 63 && limit.reached()) break;
        if (grown(waiting[at].second)) kept.copy_family(waiting[at].first, *this, waiting[at].second, waiting);
      }
    } catch (const std::bad_alloc&) {  // what is there is good
    }
    return kept;
  }

  static constexpr std::uint16_t no_action = 0xffff;
  // Memory is handed out in units. The index of a node is eight times the unit where its run begins, plus its lane.
  static constexpr std::size_t unit = 16, units_each = 1 << 12;  // bytes; of one piece of memory
  static constexpr std::size_t spare = 4;  // units, so that eight lanes can be read from the last node on

  Family new_family(NodeIndex parent, int children, Player chooser) {
    const NodeIndex first = new_run(std::min(most_lanes, children), children, chooser);
    run_of(parent).family()[lane(parent)] = first;
    size_ += static_cast<std::size_t>(children);
    return {run_of(first), first};
  }
  NodeIndex new_run(int places, int children, Player chooser) {
    const auto width = static_cast<std::size_t>(places), actions = static_cast<std::size_t>(children);
    const NodeIndex first = new_units((Run::bytes(width, actions, more_) + unit - 1) / unit);
    run_of(first).begin(width, actions, chooser, more_);
    return first;
  }
  // So many units side by side, all zero. A long run gets several pieces of memory that follow each other.
  NodeIndex new_units(std::size_t count) {
    if (units_used_ % units_each + count > units_each || units_used_ / units_each == pieces_.size()) {
      units_used_ = pieces_.size() * units_each;
      const std::size_t pieces = (count + units_each - 1) / units_each;
      if ((pieces_.size() + pieces) * units_each > NodeIndex(-1) / most_lanes)
        throw std::length_error("a search tree takes at most 8 gigabytes");
      memory_.push_back(std::make_unique<Unit[]>(pieces * units_each + spare));
      for (std::size_t i = 0; i < pieces; ++i) pieces_.push_back(memory_.back()[i * units_each].bytes);
    }
    const std::size_t first = units_used_;
    units_used_ += count;
    return static_cast<NodeIndex>(first * most_lanes);
  }

  void copy_node(NodeIndex to, const Tree& other, NodeIndex from) {
    total(to) = other.total(from);
    set_visits(to, other.visits(from));
    proven(to) = other.proven(from);
    if (more_.prior) *prior(to) = *other.prior(from);
    if (more_.amaf) *amaf_total(to) = *other.amaf_total(from), *amaf_visits(to) = *other.amaf_visits(from);
  }
  void copy_family(NodeIndex to, const Tree& other, NodeIndex from,
                   std::vector<std::pair<NodeIndex, NodeIndex>>& waiting) {
    const Family theirs = other.family(from);
    const int children = theirs.children(), tried = theirs.tried();
    const Family mine = new_family(to, children, theirs.first_run().chooser());
    for (int k = 0; k < children; ++k) mine.action(k) = theirs.action(k);
    for (int k = 0; k < tried; ++k) {
      const NodeIndex child = make_child(mine, k);
      copy_node(child, other, theirs.child(k));
      mine.set_tried(k + 1);
      waiting.emplace_back(child, theirs.child(k));
    }
  }

  struct alignas(unit) Unit {
    std::byte bytes[unit];
  };
  MoreColumns more_;
  std::vector<std::unique_ptr<Unit[]>> memory_;
  std::vector<std::byte*> pieces_;
  std::size_t units_used_ = 0;
  std::size_t size_ = 1;
};

}  // namespace ludus
