// The extension module ludus._core.
#include "bindings/bind_game.h"

namespace ludus {

namespace {

void bind_rng(nb::module_& m) {
  nb::class_<Rng>(m, "Rng", "The dice: the same generator, number for number, in C++ and in Python.")
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
          nb::arg("items").none(), "A uniform choice from a sequence.")
      .def("split", &Rng::split, "Dice of their own for a child task.")
      .def("__copy__", [](const Rng& rng) { return Rng(rng); })
      .def("__getstate__", [](const Rng& rng) { return rng.state(); })
      .def("__setstate__", [](Rng& rng, Word state) { new (&rng) Rng(Rng::from_state(state)); });
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The native core of Ludus: rules, searches and dice.";
  nb::set_leak_warnings(false);  // a state that a user's global still holds at exit is no leak
  bind_rng(m);
  bind_search_options(m);
  bind_network(m);
  bind_small_games(m);
  bind_connect_four(m);
  bind_othello(m);
  bind_hex(m);
  bind_go(m);

  // Last, so that native states find their own first: any Python object with the five members.
  bind_python_search(m);
  m.def(
      "rollouts",
      [](nb::object state, int games, Rng& rng, const std::string& policy) {
        return rollouts(PythonState{state}, games, rng, policy, false);
      },
      nb::arg("state"), nb::arg("games"), nb::arg("rng"), nb::arg("policy") = "uniform");
  m.def(
      "perft", [](nb::object state, int depth) { return count_paths(PythonState{state}, depth); }, nb::arg("state"),
      nb::arg("depth"));
}

}  // namespace ludus
