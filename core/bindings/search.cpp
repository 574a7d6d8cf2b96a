// Searches for Python: their options, the tree, and everything on games written in Python.
#include <nanobind/stl/variant.h>

#include <cmath>

#include "bindings/bind_fields.h"
#include "bindings/bind_game.h"
#include "bindings/bind_search.h"

namespace ludus {

namespace {

// All rules of selection as Python classes, with the properties that Python needs.
template <class... R>
void bind_rules(nb::module_& m, std::type_identity<std::variant<R...>>) {
  const auto bind = [&]<class T>(std::type_identity<T>) {
    const nb::class_<T> type = bind_fields<T>(m);
    type.attr("tries_all_first") = T::tries_all_first;
    type.attr("wants_prior") = wants_prior<T>;
  };
  (bind(std::type_identity<R>{}), ...);
}

Playout playout_of(const std::string& name) {
  if (name == "uniform") return Playout::uniform;
  if (name == "quick") return Playout::quick;
  if (name == "textbook") return Playout::textbook;
  if (name == "estimate") return Playout::estimate;
  raise("BadOption", "there is no playout '" + name + "'; there are uniform, quick, textbook and estimate");
}

NodeIndex checked(const Tree& tree, NodeIndex i) {
  if (!tree.has(i)) raise("BadOption", "the tree has no node " + std::to_string(i));
  return i;
}

void bind_tree(nb::module_& m) {
  nb::class_<Tree>(m, "Tree", "A search tree. Node 0 is the root; every node is seen by the player who chose it.")
      .def(nb::init<Player>(), nb::arg("player"))
      .def("__len__", &Tree::size)
      .def("row", [](const Tree& tree, NodeIndex i) { return row_of(tree, checked(tree, i)); })
      .def("children",
           [](const Tree& tree, NodeIndex i) {
             std::vector<NodeIndex> all;
             if (!tree.grown(checked(tree, i))) return all;
             const Family family = tree.family(i);
             for (int k = 0; k < family.tried(); ++k) all.push_back(family.child(k));
             return all;
           })
      .def("chooser", [](const Tree& tree, NodeIndex i) { return tree.chooser(checked(tree, i)); })
      .def(
          "set",
          [](Tree& tree, NodeIndex i, std::int32_t visits, double total, float prior) {
            tree.set_visits(checked(tree, i), visits);
            tree.total(i) = total;
            *tree.prior(i) = prior;
          },
          nb::arg("node"), nb::arg("visits"), nb::arg("total"), nb::arg("prior") = 0)
      .def("set_proven",
           [](Tree& tree, NodeIndex i, int score) { tree.proven(checked(tree, i)) = static_cast<std::int8_t>(score); });
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
  bind_rules(m, std::type_identity<Rule>{});
  bind_fields<Actor>(m);
  bind_fields<Noise>(m);
  nb::class_<MctsOptions>(m, "MctsOptions")
      .def(
          "__init__",
          [](MctsOptions* self, const Rule& rule, bool simulate_all, const std::string& playout, bool priors,
             std::optional<Actor> actor, double sigma, bool solver, std::optional<Noise> noise, std::size_t memory) {
            new (self)
                MctsOptions{rule, simulate_all, playout_of(playout), priors, actor, sigma, solver, noise, memory};
          },
          nb::arg("rule"), nb::arg("simulate_all"), nb::arg("playout"), nb::arg("priors"), nb::arg("actor").none(),
          nb::arg("sigma"), nb::arg("solver"), nb::arg("noise").none(), nb::arg("memory"));
  nb::class_<DepthSearch>(m, "DepthSearch")
      .def(
          "__init__",
          [](DepthSearch* self, const std::string& kind, int depth, double seconds, double enough, bool caching,
             bool ordering, std::int64_t table, bool margin, int trace) {
            const Utility utility = margin ? Utility::margin : Utility::score;
            new (self) DepthSearch{kind, depth, seconds, enough, caching, ordering, table, utility, trace};
          },
          nb::arg("kind"), nb::arg("depth"), nb::arg("seconds"), nb::arg("enough"), nb::arg("caching"),
          nb::arg("ordering"), nb::arg("table"), nb::arg("margin"), nb::arg("trace"));
}

const char* name_of(Bound bound) {
  return bound == Bound::exact ? "exact" : bound == Bound::at_least ? "at least" : "at most";
}
const char* name_of(Ending ending) {
  switch (ending) {
    case Ending::searched:
      return "searched";
    case Ending::over:
      return "over";
    case Ending::horizon:
      return "horizon";
    case Ending::remembered:
      return "remembered";
    case Ending::stopped:
      return "stopped";
  }
  return "";
}

// What a search of some depth found.
void bind_answer(nb::module_& m) {
  nb::class_<DepthResult>(m, "DepthResult")
      .def_ro("depth", &DepthResult::depth)
      .def_ro("value", &DepthResult::value)
      .def_ro("action", &DepthResult::action)
      .def_ro("nodes", &DepthResult::nodes)
      .def_ro("seconds", &DepthResult::seconds)
      .def_ro("finished", &DepthResult::finished);
  nb::class_<TraceNode>(m, "TraceNode")
      .def_ro("action", &TraceNode::action)
      .def_ro("player", &TraceNode::player)
      .def_ro("alpha", &TraceNode::alpha)
      .def_ro("beta", &TraceNode::beta)
      .def_prop_ro("ending", [](const TraceNode& node) { return name_of(node.ending); })
      .def_prop_ro("bound", [](const TraceNode& node) { return name_of(node.bound); })
      .def_ro("legal", &TraceNode::legal)
      .def_ro("tried", &TraceNode::tried)
      .def_ro("value", &TraceNode::value)
      .def_ro("best", &TraceNode::best)
      .def_ro("nodes", &TraceNode::nodes)
      .def_ro("parent", &TraceNode::parent);
  nb::class_<Answer>(m, "Answer")
      .def_prop_ro("value", [](const Answer& a) { return a.found.value; })
      .def_prop_ro("action", [](const Answer& a) { return a.found.action; })
      .def_prop_ro("line", [](const Answer& a) { return a.found.line; })
      .def_prop_ro("nodes", [](const Answer& a) { return a.found.nodes; })
      .def_prop_ro("depth", [](const Answer& a) { return a.found.depth; })
      .def_prop_ro("complete", [](const Answer& a) { return a.found.complete; })
      .def_prop_ro("stopped", [](const Answer& a) { return a.found.stopped; })
      .def_prop_ro("too_deep", [](const Answer& a) { return a.found.too_deep; })
      .def_prop_ro("depths", [](const Answer& a) { return a.found.depths; })
      .def_prop_ro("trace", [](const Answer& a) { return a.trace; });
}

// A guess made in Python. A guess at the score lies strictly between -1 and +1, so that a real win is better.
double python_guess(const nb::object& guess, const PythonState& state, Utility utility) {
  const nb::object number = guess(state.object);
  const double value = PyFloat_AsDouble(number.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    raise("BadAnswer", "a heuristic must return a number, not " + text_of(number));
  }
  if (utility == Utility::margin) {
    if (!std::isfinite(value))
      raise("BadAnswer",
            "a guess at the margin must be a finite number, but the heuristic returned " + text_of(number));
    return value;
  }
  if (!(value > -1 && value < 1))
    raise("BadAnswer",
          "a heuristic must stay strictly between -1 (lost) and +1 (won), but it returned " + text_of(number));
  return value;
}

// A heuristic for any state: a Python function, or the name of one. Under the name "estimate" a state written in
// Python has its own method estimate(), if any; otherwise every unfinished game counts as even. A guess at the margin
// is the margin of the state as it is.
Guess<PythonState> python_guess_of(nb::handle state, const nb::object& estimate, Utility utility) {
  nb::object guess;
  if (PyCallable_Check(estimate.ptr())) {
    guess = estimate;
  } else {
    const std::string name = nb::isinstance<nb::str>(estimate) ? nb::cast<std::string>(estimate) : text_of(estimate);
    require_heuristic(name);
    if (utility == Utility::margin && name != "none")
      return [](const PythonState& s) { return static_cast<double>(s.margin(s.player())); };
    if (utility == Utility::score && name == "estimate") guess = nb::getattr(state.type(), "estimate", nb::none());
  }
  if (!guess.is_valid() || guess.is_none()) return [](const PythonState&) { return 0.0; };
  return [guess, utility](const PythonState& s) { return python_guess(guess, s, utility); };
}

}  // namespace

void bind_search_options(nb::module_& m) {
  // A tree that is given more actions than it can hold throws std::length_error; in Python that is a LudusError.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::length_error& error) {
      PyErr_SetString(nb::module_::import_("ludus.errors").attr("LudusError").ptr(), error.what());
    }
  });
  bind_options(m);
  bind_answer(m);
  bind_tree(m);
}

// Searches of any Python object with the five members. Bound last, because nanobind tries overloads in order and
// native states must find their own.
void bind_python_search(nb::module_& m) {
  bind_search<PythonState>(m, "Python");
  bind_solve<PythonState>(m);
  bind_school<PythonState>(m, "Python");
  m.def(
      "depth_search",
      [](StateObject state, EstimateObject estimate, const DepthSearch& how) {
        const Guess<PythonState> guess = python_guess_of(state, estimate, how.utility);
        return depth_search(PythonState{state}, Evaluation<PythonState>{guess, how.utility}, how);
      },
      nb::arg("state"), nb::arg("estimate"), nb::arg("how"));
}

}  // namespace ludus
