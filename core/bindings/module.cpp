// The extension module ludus._core.
#include <nanobind/typing.h>

#include "bindings/bind_game.h"

namespace ludus {

namespace {

void bind_rng(nb::module_& m) {
  m.attr("Item") = nb::type_var("Item");  // the type of the items of choice(), for the stub
  nb::class_<Rng>(m, "Rng", "A generator of random numbers: the same numbers in C++ and in Python.")
      .def(
          "__init__",
          [](Rng* self, nb::handle seed) {
            const nb::object number = nb::steal(PyNumber_Index(seed.ptr()));
            if (!number.is_valid()) {
              PyErr_Clear();
              raise("BadOption", "a seed is a whole number, not " + text_of(seed));
            }
            new (self) Rng(PyLong_AsUnsignedLongLongMask(number.ptr()));
          },
          nb::arg("seed").none() = 0)
      .def("next", &Rng::next, "64 random bits.")
      .def(
          "below",
          [](Rng& rng, nb::handle n) {
            int number = 0;
            if (!whole_number(n, number) || number < 1)
              raise("BadOption", "below() needs a whole number from 1 up, not " + text_of(n));
            return rng.below(number);
          },
          nb::arg("n").none(), "A uniform whole number in {0, …, n - 1}.")
      .def("uniform", &Rng::uniform, "A uniform number in [0, 1).")
      .def(
          "choice",
          [](Rng& rng, nb::handle items) {
            const Py_ssize_t n = PySequence_Size(items.ptr());
            if (n < 1) {
              PyErr_Clear();
              raise("BadOption", "choice() needs a sequence that is not empty");
            }
            return nb::steal(PySequence_GetItem(items.ptr(), rng.below(static_cast<int>(n))));
          },
          nb::arg("items").none(), nb::sig("def choice(self, items: collections.abc.Sequence[Item]) -> Item"),
          "A uniform choice from a sequence.")
      .def("split", &Rng::split, "A generator of its own for a child task.")
      .def("__copy__", [](const Rng& rng) { return Rng(rng); })
      .def("__getstate__", [](const Rng& rng) { return rng.state(); })
      .def("__setstate__", [](Rng& rng, Word state) { new (&rng) Rng(Rng::from_state(state)); });
}

void bind_past(nb::module_& m) {
  nb::class_<Past>(m, "Past", "What every state of a compiled game remembers.")
      .def_prop_ro(
          "game", [](const Past& p) { return nb::borrow<GameObject>(p.game); }, "The game that this is a state of.")
      .def_prop_ro(
          "origin", [](const Past& p) { return nb::borrow<OriginObject>(p.origin); },
          "The drawn board it began from and who was to move there, or None.")
      .def_prop_ro(
          "history", [](const Past& p) { return p.history.actions(); }, "The actions that led here.")
      .def("__reduce__",
           [](const Past& p) {
             const nb::object rebuild = nb::module_::import_("ludus.game").attr("rebuild");
             return nb::make_tuple(rebuild, nb::make_tuple(p.game, p.origin, p.history.actions()));
           })
      .def("__str__", [](nb::handle self) { return nb::str(self.attr("game").attr("draw")(self)); })
      .def("_repr_html_",
           [](nb::handle self) { return nb::str(nb::module_::import_("ludus.load").attr("load_higher")("svg")(self)); })
      .def("__repr__",
           [](nb::handle self) { return nb::str(nb::module_::import_("ludus.game").attr("describe")(self)); });
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The compiled core of Ludus: rules, searches, solvers, networks and random numbers.";
  m.attr("processor") = LUDUS_PROCESSOR;  // what it was compiled for: baseline, v3, v4 or native
  nb::set_leak_warnings(false);           // a state in a user's global variable at exit is not a leak
  bind_rng(m);
  bind_past(m);
  bind_search_options(m);
  bind_solver(m);
  bind_network(m);
  bind_school_parts(m);
  for (const auto& [name, bind] : BindGame::all()) bind(m);

  // Functions that take any Python object with the five members come last: nanobind tries overloads in this order.
  bind_python_search(m);
  m.def(
      "rollouts",
      [](StateObject state, int games, Rng& rng, const std::string& policy, double seconds) {
        return rollouts(PythonState{state}, games, rng, policy, seconds, false);
      },
      nb::arg("state"), nb::arg("games"), nb::arg("rng"), nb::arg("policy") = "uniform", nb::arg("seconds") = 1e9,
      "Wins of player 0, draws and wins of player 1 in random games from a state.\n\n"
      "`policy`: \"uniform\" over the legal actions, by a game's shortcut if it has one; \"stepwise\", the same "
      "without\n"
      "shortcuts; \"quick\", the game's own quick policy (Go: answers the last stone; Othello: prefers corners).\n"
      "After `seconds` no further game is begun, and one of a visitor's class that is still going on counts as drawn.");
  m.def(
      "perft", [](StateObject state, int depth) { return count_paths(PythonState{state}, depth); }, nb::arg("state"),
      nb::arg("depth"), "How many sequences of `depth` legal actions start at a state.");
  m.def(
      "time_copies", [](StateObject state, int times) { time_copies(PythonState{state}, times); }, nb::arg("state"),
      nb::arg("times"));
}

}  // namespace ludus
