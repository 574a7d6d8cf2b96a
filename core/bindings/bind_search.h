// bind_search<S>: everything that looks ahead, for one state type: minimax, alpha-beta, deepening, and the trees.
#pragma once

#include <memory>

#include "bindings/bind_phases.h"
#include "search/deepening.h"
#include "search/selective.h"

namespace ludus {

inline void require_heuristic(const std::string& name) {
  if (name != "estimate" && name != "simple" && name != "none")
    raise("BadOption", "there is no heuristic '" + name + "'; there are estimate, simple and none, or give a function");
}

// A guess at the margin, in discs or points, by the name of a heuristic.
template <State S>
  requires HasMargin<S>
Guess<S> margin_guess_of(const std::string& name) {
  require_heuristic(name);
  if (name == "simple") return [](const S& s) { return static_cast<double>(simple_margin(s, s.player())); };
  if (name == "estimate") return [](const S& s) { return static_cast<double>(margin_estimate(s, s.player())); };
  return [](const S&) { return 0.0; };
}

// A guess at the score by the name of a heuristic: the game's best one, a simple one, or none at all: then every
// unfinished game counts as even.
template <State S>
Guess<S> guess_of(const std::string& name) {
  require_heuristic(name);
  if (name == "estimate") {
    if constexpr (HasEstimate<S>) return [](const S& s) { return static_cast<double>(estimate(s, s.player())); };
  }
  if (name == "simple") {
    if constexpr (HasSimpleEstimate<S>)
      return [](const S& s) { return static_cast<double>(simple_estimate(s, s.player())); };
    else
      raise("BadOption", "this game has no simple heuristic; say estimate or none");
  }
  return [](const S&) { return 0.0; };
}

template <State S>
Evaluation<S> evaluation_of(const std::string& name, Utility utility) {
  if (utility == Utility::margin) {
    if constexpr (HasMargin<S>)
      return {margin_guess_of<S>(name), utility};
    else
      raise("BadOption", "this game has no margin");
  }
  return {guess_of<S>(name), utility};
}

// What a search found, and the top of its tree, if that was asked for.
struct Answer {
  Found found;
  std::vector<TraceNode> trace;
};

// How a tree search of a fixed or growing depth is asked for.
struct DepthSearch {
  std::string kind;  // minimax, alphabeta, deepening or selective (deepening)
  int depth;
  double seconds, enough;  // deepening begins no new depth after `enough`, unless its best action has just changed
  bool caching, ordering;
  std::int64_t table;  // entries of the transposition table
  Utility utility;
  int trace;  // record the tree down to this ply; below 0: record nothing
};

// Deepening, selectively if that is asked for and the game says for this state how far a shallow search errs.
template <State S>
Found deepening(const S& state, const Evaluation<S>& evaluation, const Limit& limit,
                const std::shared_ptr<Transpositions<S>>& table, const DepthSearch& how, Trace* trace) {
  if constexpr (HasForesight<S>)
    if (how.kind == "selective" && table && how.ordering && !trace && foresight(state, how.depth))
      return deepen<S, Selective<S>>(state, evaluation, limit, table, true, how.depth, how.enough);
  return deepen<S>(state, evaluation, limit, table, how.ordering, how.depth, how.enough, trace);
}

template <State S>
Answer depth_search(const S& state, const Evaluation<S>& evaluation, const DepthSearch& how) {
  const Limit limit = limit_of(how.seconds);
  Trace recorded(how.trace);
  Trace* trace = how.trace < 0 ? nullptr : &recorded;
  std::shared_ptr<Transpositions<S>> table;
  if (how.caching) table = std::make_shared<Transpositions<S>>(static_cast<std::size_t>(how.table));
  Found found;
  if (how.kind == "minimax")
    found = Minimax<S>(evaluation, limit, trace).search(state, how.depth);
  else if (how.kind == "alphabeta")
    found = AlphaBeta<S>(evaluation, limit, table, how.ordering, trace).search(state, how.depth);
  else
    found = deepening(state, evaluation, limit, table, how, trace);
  return {found, recorded.nodes()};
}

template <State S>
void bind_search(nb::module_& m, const std::string& name) {
  if constexpr (!std::is_same_v<S, PythonState>)
    m.def(
        "depth_search",
        [](const Position<S>& position, const std::string& estimate, const DepthSearch& how) {
          const Evaluation<S> evaluation = evaluation_of<S>(estimate, how.utility);
          const Answer answer = without_python<S>([&] { return depth_search(position.state, evaluation, how); });
          raise_if_interrupted();
          return answer;
        },
        nb::arg("state"), nb::arg("estimate"), nb::arg("how"));
  bind_mcts<S>(m, name);
  bind_forest<S>(m, name);
  bind_phases<S>(m);
}

void bind_search_options(nb::module_& m);
void bind_network(nb::module_& m);

}  // namespace ludus
