// The class Solver for Python. Each game makes its own kind; see bind_solve.h.
#include "bindings/bind_solve.h"

namespace ludus {

void bind_solver(nb::module_& m) {
  nb::class_<AnySolver>(m, "Solver", "Proves what perfect play leads to, for states of one game.")
      .def("value", &AnySolver::value, nb::arg("state"), nb::arg("seconds"),
           "+1, 0 or -1 for the player to move; None if it was not proven in time.")
      .def("margin", &AnySolver::margin, nb::arg("state"), nb::arg("seconds"),
           "The lead of the player to move at the end of perfect play; None if it was not proven in time.")
      .def("needs", &AnySolver::needs, nb::arg("state"), nb::arg("seconds"),
           "The empty cells that are enough for the winner (Hex); None where that was not proven, or in another game.")
      .def("plies", &AnySolver::plies, nb::arg("state"), nb::arg("seconds"),
           "How many plies perfect play still lasts; None if it was not proven in time, or if this solver cannot tell.")
      .def("can", &AnySolver::can, nb::arg("state"), "Is the state's game small enough to try at all?")
      .def_prop_ro("nodes", &AnySolver::nodes, "States looked at so far.");
}

}  // namespace ludus
