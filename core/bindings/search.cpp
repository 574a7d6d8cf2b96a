// Searches for Python: their options, the tree, and everything on games written in Python.
#include "bindings/bind_game.h"
#include "bindings/bind_search.h"

namespace ludus {

namespace {

Rule rule_of(const std::string& name, double c, double extra) {
  if (name == "uct") return Uct{c, false};
  if (name == "ucb1") return Uct{c, true};
  if (name == "epsilon") return EpsilonGreedy{c};
  if (name == "puct") return Puct{c, extra};
  if (name == "gumbel") return Gumbel{{c, 0}, static_cast<std::uint32_t>(extra)};
  if (name == "rave") return Rave{c, extra, false};
  if (name == "rave with hints") return Rave{c, extra, true};
  raise("BadOption", "there is no selection rule '" + name + "'; there are uct, ucb1, epsilon, puct, gumbel and rave");
}

Playout playout_of(const std::string& name) {
  if (name == "uniform") return Playout::uniform;
  if (name == "quick") return Playout::quick;
  if (name == "textbook") return Playout::textbook;
  if (name == "estimate") return Playout::estimate;
  raise("BadOption", "there is no playout '" + name + "'; there are uniform, quick, textbook and estimate");
}

NodeIndex checked(const Tree& tree, NodeIndex i) {
  if (i >= tree.size()) raise("BadOption", "the tree has no node " + std::to_string(i));
  return i;
}

void bind_tree(nb::module_& m) {
  nb::class_<Tree>(m, "Tree", "A search tree. Node 0 is the root; every node is seen by the player who chose it.")
      .def(nb::init<Player>(), nb::arg("player"))
      .def("__len__", &Tree::size)
      .def("row", [](const Tree& tree, NodeIndex i) { return row_of(tree[checked(tree, i)]); })
      .def("children",
           [](const Tree& tree, NodeIndex i) {
             const Node& node = tree[checked(tree, i)];
             std::vector<NodeIndex> all;
             for (NodeIndex k = node.first; k < node.first + node.tried; ++k) all.push_back(k);
             return all;
           })
      .def("chooser", [](const Tree& tree, NodeIndex i) { return int(tree[checked(tree, i)].chooser); })
      .def(
          "set",
          [](Tree& tree, NodeIndex i, std::uint32_t visits, double total, float prior) {
            Node& node = tree[checked(tree, i)];
            node.visits = visits, node.total = total, node.prior = prior;
          },
          nb::arg("node"), nb::arg("visits"), nb::arg("total"), nb::arg("prior") = 0)
      .def("set_proven",
           [](Tree& tree, NodeIndex i, int score) { tree[checked(tree, i)].proven = static_cast<std::int8_t>(score); });
  m.def("backup", [](Tree& tree, const Path& path, double score) {
    for (const NodeIndex i : path) checked(tree, i);
    backup(tree, path, score);
  });
  m.def("prove", [](Tree& tree, const Path& path) {
    for (const NodeIndex i : path) checked(tree, i);
    if (!path.empty()) prove(tree, path);
  });
}

void bind_options(nb::module_& m) {
  nb::class_<MctsOptions>(m, "MctsOptions")
      .def(
          "__init__",
          [](MctsOptions* self, const std::string& rule, double c, double extra, bool simulate_all,
             const std::string& playout, bool priors, bool actor, double epsilon, bool greedy, double sigma,
             bool solver, double noise_alpha, double noise_fraction) {
            new (self) MctsOptions{rule_of(rule, c, extra),
                                   simulate_all,
                                   playout_of(playout),
                                   priors,
                                   actor,
                                   epsilon,
                                   greedy,
                                   sigma,
                                   solver,
                                   noise_alpha,
                                   noise_fraction};
          },
          nb::arg("rule"), nb::arg("c"), nb::arg("extra"), nb::arg("simulate_all"), nb::arg("playout"),
          nb::arg("priors"), nb::arg("actor"), nb::arg("epsilon"), nb::arg("greedy"), nb::arg("sigma"),
          nb::arg("solver"), nb::arg("noise_alpha"), nb::arg("noise_fraction"));
  nb::class_<DepthSearch>(m, "DepthSearch")
      .def(
          "__init__",
          [](DepthSearch* self, const std::string& kind, int depth, double seconds, double enough, bool caching,
             bool ordering,
             std::int64_t table) { new (self) DepthSearch{kind, depth, seconds, enough, caching, ordering, table}; },
          nb::arg("kind"), nb::arg("depth"), nb::arg("seconds"), nb::arg("enough"), nb::arg("caching"),
          nb::arg("ordering"), nb::arg("table"));
}

// A guess made in Python: a number strictly between -1 and +1, so that a real win is better than any guess.
double python_guess(const nb::object& guess, const PythonState& state) {
  const nb::object number = guess(state.object);
  const double value = PyFloat_AsDouble(number.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    raise("BadAnswer", "a heuristic must return a number, not " + text_of(number));
  }
  if (!(value > -1 && value < 1))
    raise("BadAnswer",
          "a heuristic must stay strictly between -1 (lost) and +1 (won), but it returned " + text_of(number));
  return value;
}

// A heuristic for any state: a Python function, or the name of one. Under the name "estimate" a state written in
// Python has its own method estimate(), if any; otherwise every unfinished game counts as even.
Guess<PythonState> python_guess_of(nb::handle state, const nb::object& estimate) {
  nb::object guess;
  if (PyCallable_Check(estimate.ptr())) {
    guess = estimate;
  } else {
    const std::string name = nb::isinstance<nb::str>(estimate) ? nb::cast<std::string>(estimate) : text_of(estimate);
    require_heuristic(name);
    if (name == "estimate") guess = nb::getattr(state.type(), "estimate", nb::none());
  }
  if (!guess.is_valid() || guess.is_none()) return [](const PythonState&) { return 0.0; };
  return [guess](const PythonState& s) { return python_guess(guess, s); };
}

}  // namespace

void bind_search_options(nb::module_& m) {
  bind_options(m);
  bind_tree(m);
}

// Searches of any Python object with the five members. Bound last, because nanobind tries overloads in order and
// native states must find their own.
void bind_python_search(nb::module_& m) {
  bind_search<PythonState>(m, "Python");
  bind_solve<PythonState>(m);
  m.def(
      "depth_search",
      [](StateObject state, EstimateObject estimate, const DepthSearch& how) {
        return answer_of(depth_search(PythonState{state}, python_guess_of(state, estimate), how));
      },
      nb::arg("state"), nb::arg("estimate"), nb::arg("how"));
}

}  // namespace ludus
