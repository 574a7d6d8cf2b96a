// Othello for Python.
#include "games/othello.h"

#include "bindings/bind_game.h"
#include "games/othello_estimate.h"
#include "solve/othello.h"

namespace ludus {

template <int W>
struct SolverFor<Othello<W>> {
  using Type = OthelloSolver<W>;
  static bool can(const Othello<W>&) { return true; }
};

namespace {

template <int W>
NativeStateObject begin_othello(GameObject game, int size, bool passing, OriginObject origin,
                                const std::vector<int>& cells, int player) {
  if (cells.empty()) return begin<Othello<W>>(game, origin, size, passing);
  return begin<Othello<W>>(game, origin, size, passing, cells, player & 1);
}

}  // namespace

static void bind_othello(nb::module_& m) {
  bind_state<Othello<1>>(m, "OthelloState");
  bind_state<Othello<4>>(m, "LargeOthelloState");

  m.def(
      "othello",
      [](GameObject game, int size, bool passing, OriginObject origin, const std::vector<int>& cells, int player) {
        require(size >= 4 && size <= 16 && size % 2 == 0, "an Othello board is even, 4 to 16");
        if (!cells.empty()) require_cells(cells, size * size);
        return size <= 8 ? begin_othello<1>(game, size, passing, origin, cells, player)
                         : begin_othello<4>(game, size, passing, origin, cells, player);
      },
      nb::arg("game"), nb::arg("size"), nb::arg("passing"), nb::arg("origin").none(), nb::arg("cells"),
      nb::arg("player"));
}

const BindGame othello("othello", bind_othello);

}  // namespace ludus
