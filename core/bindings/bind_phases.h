// The four phases of Monte Carlo tree search alone, on a tree that Python holds, for a lecture or a test.
#pragma once

#include "bindings/bind_forest.h"

namespace ludus {

template <State S>
void bind_phases(nb::module_& m) {
  using In = typename Convert<S>::Type;
  m.def("select", [](const Tree& tree, In state, const MctsOptions& options, Rng& rng) {
    Position<S> at = Convert<S>::from_python(state);
    Path path;
    std::visit([&](const auto& rule) { select(tree, at.state, rule, rng, path); }, options.rule);
    for (std::size_t i = 1; i < path.size(); ++i) at.history = at.history.with(tree.action(path[i]));
    return nb::make_tuple(path, Convert<S>::to_python(at));
  });
  m.def("expand", [](Tree& tree, NodeIndex leaf, In state, Rng& rng) {
    const Position<S> at = Convert<S>::from_python(state);
    if (!tree.has(leaf)) raise("BadOption", "the tree has no such node");
    if (at.state.over()) raise("BadOption", "a finished game cannot be expanded");
    if (tree.grown(leaf) && tree.family(leaf).tried() == tree.family(leaf).children())
      raise("BadOption", "every action of this node has been tried");
    return expand(tree, leaf, at.state, rng);
  });
  m.def("playout_action", [](In state, const MctsOptions& options, Rng& rng) {
    const Position<S> at = Convert<S>::from_python(state);
    if (at.state.over()) raise("BadOption", "a finished game has no action to choose");
    return playout_action(at.state, options.playout, rng);
  });
  m.def("simulate", [](In state, const MctsOptions& options, Rng& rng) {
    Position<S> at = Convert<S>::from_python(state);
    return simulate(at.state, options.playout, rng);
  });
}

}  // namespace ludus
