// bind_search<S>: everything that looks ahead, for one state type: minimax, alpha-beta, deepening, and the trees.
#pragma once

#include <memory>

#include "bindings/bind_tree.h"
#include "search/deepening.h"

namespace ludus {

inline void require_heuristic(const std::string& name) {
  if (name != "estimate" && name != "simple" && name != "none")
    raise("BadOption", "there is no heuristic '" + name + "'; there are estimate, simple and none, or give a function");
}

// The heuristics by name: the game's best one, a simple one, or none at all: every unfinished game counts as even.
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

using Answer = std::tuple<double, Action, std::vector<Action>, std::int64_t, int, bool, bool, bool>;
inline Answer answer_of(const Found& f) {
  return {f.value, f.action, f.line, f.nodes, f.depth, f.complete, f.stopped, f.too_deep};
}

// How a tree search of a fixed or growing depth is asked for.
struct DepthSearch {
  std::string kind;  // minimax, alphabeta or deepening
  int depth;
  double seconds, enough;  // deepening begins no new depth after `enough`, unless its best action has just changed
  bool caching, ordering;
  std::int64_t table;  // entries of the transposition table
};

template <State S>
Found depth_search(const S& state, const Guess<S>& guess, const DepthSearch& how) {
  const Limit limit = limit_of(how.seconds);
  if (how.kind == "minimax") return Minimax<S>(guess, limit).search(state, how.depth);
  std::shared_ptr<Transpositions<S>> table;
  if (how.caching) table = std::make_shared<Transpositions<S>>(static_cast<std::size_t>(how.table));
  if (how.kind == "alphabeta") return AlphaBeta<S>(guess, limit, table, how.ordering).search(state, how.depth);
  return deepen<S>(state, guess, limit, table, how.ordering, how.depth, how.enough);
}

template <State S>
void bind_search(nb::module_& m, const std::string& name) {
  if constexpr (!std::is_same_v<S, PythonState>)
    m.def(
        "depth_search",
        [](const Position<S>& position, const std::string& estimate, const DepthSearch& how) {
          const Guess<S> guess = guess_of<S>(estimate);
          const Found found = without_python<S>([&] { return depth_search(position.state, guess, how); });
          raise_if_interrupted();
          return answer_of(found);
        },
        nb::arg("state"), nb::arg("estimate"), nb::arg("how"));
  bind_mcts<S>(m, name);
  bind_forest<S>(m, name);
  bind_phases<S>(m);
}

void bind_search_options(nb::module_& m);
void bind_network(nb::module_& m);

}  // namespace ludus
