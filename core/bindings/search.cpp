// Searches for Python: their options, the tree, and everything on games written in Python.
#include <nanobind/stl/variant.h>

#include "bindings/bind_game.h"
#include "bindings/bind_search.h"

namespace ludus {

namespace {

// A Python class for a struct that says what its fields() are; its constructor takes them by position or by name.
template <class T>
nb::class_<T> bind_fields(nb::module_& m) {
  nb::class_<T> type(m, T::name);
  std::apply(
      [&]<class... F>(const F&... field) {
        type.def(
            "__init__",
            [](T* self, typename F::Type... values) {
              new (self) T;
              std::apply([&](const auto&... f) { ((self->*f.member = values), ...); }, T::fields());
            },
            (nb::arg(field.name) = T{}.*field.member)...);
        (type.def_rw(field.name, field.member), ...);
      },
      T::fields());
  return type;
}

// All rules, each with what Python must know of it.
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
            tree.visits(checked(tree, i)) = visits;
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
             std::optional<Actor> actor, double sigma, bool solver, std::optional<Noise> noise) {
            new (self) MctsOptions{rule, simulate_all, playout_of(playout), priors, actor, sigma, solver, noise};
          },
          nb::arg("rule"), nb::arg("simulate_all"), nb::arg("playout"), nb::arg("priors"), nb::arg("actor").none(),
          nb::arg("sigma"), nb::arg("solver"), nb::arg("noise").none());
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

}  // namespace

void bind_search_options(nb::module_& m) {
  // A tree takes so many actions and no more; Python hears of it as of any other mistake.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::length_error& error) {
      PyErr_SetString(nb::module_::import_("ludus.errors").attr("LudusError").ptr(), error.what());
    }
  });
  bind_options(m);
  bind_tree(m);
}

// On any Python object with the five members; bound last, so that native states find their own first.
void bind_python_search(nb::module_& m) {
  bind_search<PythonState>(m, "Python");
  m.def("python_depth_search", [](nb::object state, nb::object guess, const DepthSearch& how) {
    const Guess<PythonState> call = [&guess](const PythonState& s) { return python_guess(guess, s); };
    return answer_of(depth_search(PythonState{state}, call, how));
  });
}

}  // namespace ludus
