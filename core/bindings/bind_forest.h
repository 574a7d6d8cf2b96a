// Many Monte Carlo tree searches side by side for Python.
#pragma once

#include "bindings/batch.h"
#include "search/mcts/forest.h"

namespace ludus {

// Many searches as Python holds them, each with the position it began from.
template <State S>
struct ForestHandle {
  MctsOptions options;
  std::vector<Position<S>> roots = {};
  Forest<S> forest = {};
  mutable Busy busy = {};
};

template <State S>
void answer_all(ForestHandle<S>& h, const Table& policies, const NumberArray& values) {
  const InUse mine(h.busy);
  const std::vector<std::size_t> asking = h.forest.asking();
  check_answers<S>(
      asking.size(), [&](std::size_t k) -> const Mcts<S>& { return h.forest[asking[k]]; }, policies, values);
  without_python<S>([&] {
    for (std::size_t k = 0; k < asking.size(); ++k) h.forest[asking[k]].answer(row_of(policies, k), values.data()[k]);
  });
}

template <State S>
void bind_forest(nb::module_& m, const std::string& name) {
  using H = ForestHandle<S>;
  using In = typename Convert<S>::Type;
  const auto checked = [](const H& h, std::size_t i) {
    if (i >= h.roots.size()) raise("BadOption", "the forest has no search " + std::to_string(i));
    return i;
  };
  nb::class_<H>(m, (name + "Forest").c_str(), "Many searches side by side.")
      .def("__len__",
           [](const H& h) {
             const InUse mine(h.busy);
             return h.roots.size();
           })
      .def("add",
           [](H& h, In state, const Rng& rng) {
             const InUse mine(h.busy);
             const Position<S> root = Convert<S>::from_python(state);
             h.roots.push_back(root);
             h.forest.add(root.state, h.options, rng);
           })
      .def("begin",
           [checked](H& h, std::size_t i, std::int64_t simulations, double seconds) {
             const InUse mine(h.busy);
             h.forest[checked(h, i)].begin(simulations, limit_of(seconds));
           })
      .def("go",
           [](H& h) {
             const InUse mine(h.busy);
             without_python<S>([&] { h.forest.go(); });
             raise_if_interrupted();
             return h.forest.asking();
           })
      .def("questions",
           [](const H& h) {
             const InUse mine(h.busy);
             nb::list states;
             for (const std::size_t i : h.forest.asking())
               states.append(Convert<S>::to_python(question_of(h.roots[i], h.forest[i])));
             return states;
           })
      .def("answer", &answer_all<S>)
      .def("advance",
           [checked](H& h, std::size_t i, Action action) {
             const InUse mine(h.busy);
             Mcts<S>& search = h.forest[checked(h, i)];
             search.advance(action);
             h.roots[i] = {search.root(), h.roots[i].game, h.roots[i].origin, h.roots[i].history.with(action)};
           })
      .def("root",
           [checked](const H& h, std::size_t i) {
             const InUse mine(h.busy);
             return Convert<S>::to_python(h.roots[checked(h, i)]);
           })
      .def("simulations",
           [checked](const H& h, std::size_t i) {
             const InUse mine(h.busy);
             return h.forest[checked(h, i)].simulations();
           })
      .def("children", [checked](const H& h, std::size_t i, const std::vector<Action>& actions) {
        const InUse mine(h.busy);
        return rows_of(h.forest[checked(h, i)].tree(), actions);
      });
  m.def("forest", [](In, const MctsOptions& options) { return hand_over<ForestObject>(new H{options}); });
}

}  // namespace ludus
