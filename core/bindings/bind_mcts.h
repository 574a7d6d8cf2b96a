// One Monte Carlo tree search for Python.
#pragma once

#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>

#include "bindings/support.h"
#include "search/mcts/mcts.h"

namespace ludus {

// A search as Python holds it: with the position it began from, to build questions and errors.
template <State S>
struct MctsHandle {
  Position<S> root;
  Mcts<S> search;
  mutable Busy busy = {};
};

// The state that `search` asks about, with the actions that lead to it.
template <State S>
Position<S> question_of(const Position<S>& root, const Mcts<S>& search) {
  Position<S> position = root;
  for (const Action action : search.actions_to_question()) position.history = position.history.with(action);
  position.state = search.question();
  return position;
}

// What Python's Child holds.
inline nb::tuple row_of(Action action, int visits, double mean, float prior, int proven, int amaf_visits,
                        double amaf_value, double noise) {
  const nb::object proof = proven == unproven ? nb::none() : nb::object(nb::int_(proven));
  return nb::make_tuple(action, visits, mean, prior, proof, amaf_visits, amaf_value, noise);
}
inline nb::tuple row_of(const Tree& tree, NodeIndex i, double noise = 0) {
  const int amaf_visits = tree.more().amaf ? *tree.amaf_visits(i) : 0;
  return row_of(tree.action(i), tree.visits(i), tree.mean(i), tree.more().prior ? *tree.prior(i) : 0, tree.proven(i),
                amaf_visits, amaf_visits == 0 ? 0.0 : static_cast<double>(*tree.amaf_total(i)) / amaf_visits, noise);
}

// The children of the node that some actions lead to from the root, the tried ones first; none if the tree does not
// reach there.
inline nb::list rows_of(const Tree& tree, const std::vector<Action>& actions) {
  NodeIndex at = 0;
  nb::list rows;
  for (const Action action : actions)
    if ((at = tree.child(at, action)) == 0) return rows;
  if (!tree.grown(at)) return rows;
  const Family family = tree.family(at);
  const bool noisy = at == 0 && !tree.gumbel.empty();
  for (int k = 0; k < family.children(); ++k)
    rows.append(k < family.tried() ? row_of(tree, family.child(k), noisy ? tree.gumbel[static_cast<std::size_t>(k)] : 0)
                                   : row_of(family.action(k), 0, 0, 0, unproven, 0, 0, 0));
  return rows;
}

// What a search expects to be played, down the tree: a proven win, else the most visited child that is no proven loss,
// the first of equals.
inline std::vector<Action> line_of(const Tree& tree) {
  std::vector<Action> line;
  for (NodeIndex at = 0; tree.grown(at);) {
    const Family family = tree.family(at);
    std::pair<int, int> most{-2, 0};  // proof, visits
    for (int k = 0; k < family.tried(); ++k) {
      const NodeIndex child = family.child(k);
      const int proven = tree.proven(child);
      const std::pair<int, int> merit{proven == unproven ? 0 : proven, tree.visits(child)};
      if (merit.second > 0 && merit > most) most = merit, at = child;
    }
    if (most.second == 0) break;
    line.push_back(tree.action(at));
  }
  return line;
}

// A policy from outside, one number per action; checked as far as the question's legal actions go.
using NumberArray = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <State S>
void check_answer(const S& state, std::span<const float> policy, bool wants_policy, double value, bool wants_value) {
  if (wants_value && !(value >= -1.0001 && value <= 1.0001))
    raise("BadAnswer", "a value must be a number from -1 to +1, not " + std::to_string(value));
  if (!wants_policy) return;
  double sum = 0;
  for (const Action a : state.actions()) {
    if (static_cast<std::size_t>(a) >= policy.size())
      raise("BadAnswer",
            "a policy must have a number for every action, but it has only " + std::to_string(policy.size()));
    const float p = policy[static_cast<std::size_t>(a)];
    if (!(p >= 0)) raise("BadAnswer", "a policy must hold no negative number and no NaN");
    sum += p;
  }
  if (!(sum > 0) || sum > 1e30) raise("BadAnswer", "a policy must give some legal action a probability above zero");
}

inline std::span<const float> as_span(const std::optional<NumberArray>& n) {
  return n ? std::span<const float>(n->data(), n->size()) : std::span<const float>{};
}

template <State S>
void bind_mcts(nb::module_& m, const std::string& name) {
  using H = MctsHandle<S>;
  using In = typename Convert<S>::Type;
  nb::class_<H>(m, (name + "Mcts").c_str(), "One Monte Carlo tree search.")
      .def(
          "run",
          [](H& h, std::int64_t simulations, double seconds, int threads) {
            const InUse mine(h.busy);
            refuse_threads<S>(threads);
            const bool done = without_python<S>([&] {
              h.search.begin(simulations, limit_of(seconds));
              if (threads == 1) return h.search.go();
              h.search.go_parallel(threads);
              return true;
            });
            raise_if_interrupted();
            return done;
          },
          nb::arg("simulations"), nb::arg("seconds"), nb::arg("threads") = 1)
      .def("resume",
           [](H& h) {
             const InUse mine(h.busy);
             const bool done = without_python<S>([&] { return h.search.go(); });
             raise_if_interrupted();
             return done;
           })
      .def_prop_ro("asking",
                   [](const H& h) {
                     const InUse mine(h.busy);
                     return h.search.asking();
                   })
      .def_prop_ro("wants_policy",
                   [](const H& h) {
                     const InUse mine(h.busy);
                     return h.search.wants_policy();
                   })
      .def_prop_ro("wants_value",
                   [](const H& h) {
                     const InUse mine(h.busy);
                     return h.search.wants_value();
                   })
      .def("question",
           [](const H& h) {
             const InUse mine(h.busy);
             return Convert<S>::to_python(question_of(h.root, h.search));
           })
      .def(
          "answer",
          [](H& h, std::optional<NumberArray> policy, double value) {
            const InUse mine(h.busy);
            if (!h.search.asking()) raise("BadAnswer", "the search has asked nothing");
            check_answer(h.search.question(), as_span(policy), h.search.wants_policy(), value, h.search.wants_value());
            h.search.answer(as_span(policy), value);
          },
          nb::arg("policy").none(), nb::arg("value"))
      .def(
          "advance",
          [](H& h, Action action, double seconds) {
            const InUse mine(h.busy);
            h.search.advance(action, limit_of(seconds));
            raise_if_interrupted();
            h.root = {h.search.root(), h.root.game, h.root.origin, h.root.history.with(action)};
          },
          nb::arg("action"), nb::arg("seconds"))
      .def_prop_ro("root",
                   [](const H& h) {
                     const InUse mine(h.busy);
                     return Convert<S>::to_python(h.root);
                   })
      .def_prop_ro("simulations",
                   [](const H& h) {
                     const InUse mine(h.busy);
                     return h.search.simulations();
                   })
      .def_prop_ro("nodes",
                   [](const H& h) {
                     const InUse mine(h.busy);
                     return h.search.tree().size();
                   })
      .def_prop_ro("bytes",
                   [](const H& h) {
                     const InUse mine(h.busy);
                     return h.search.tree().bytes();
                   })
      .def("children",
           [](const H& h, const std::vector<Action>& actions) {
             const InUse mine(h.busy);
             return rows_of(h.search.tree(), actions);
           })
      .def("line",
           [](const H& h) {
             const InUse mine(h.busy);
             return line_of(h.search.tree());
           })
      .def("root_row", [](const H& h) {
        const InUse mine(h.busy);
        return row_of(h.search.tree(), 0);
      });

  m.def("mcts", [](In state, const MctsOptions& options, const Rng& rng) {
    const Position<S> root = Convert<S>::from_python(state);
    return hand_over<MctsObject>(new H{root, {root.state, options, rng}});
  });
}

}  // namespace ludus
