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

using Words = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const Patterns::Weight, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// For positions of 8x8 as rows (mine, theirs): which weights count for them.
nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>> look_up(const Words& positions) {
  const Patterns& patterns = OthelloPatterns::shared().patterns();
  require(positions.shape(1) == 2, "a position is two words, mine and theirs");
  const auto fill = [&](std::size_t k, std::int32_t* out) { patterns.look_up(positions(k, 0), positions(k, 1), out); };
  return rows_of<std::int32_t>(positions.shape(0), static_cast<std::size_t>(patterns.places()), fill);
}

void load_weights(const Weights& weights) {
  OthelloPatterns& patterns = OthelloPatterns::shared();
  require(static_cast<int>(weights.shape(1)) == patterns.patterns().classes() && weights.shape(0) > 0,
          "these weights belong to other patterns");
  patterns.load(weights.data(), static_cast<int>(weights.shape(0)));
}

// The discs of `own` that the solver takes for stable, on boards up to 8x8; for tests.
std::uint64_t stable_discs_of(int size, std::uint64_t own, std::uint64_t other) {
  require(size >= 4 && size <= 8 && size % 2 == 0, "stable discs are told of boards up to 8x8");
  const Grid<1> grid(size, size);
  const Bits<1> mine{own}, theirs{other};
  return OthelloStability<1>(grid).find(mine, theirs, grid.board.without(mine | theirs)).words[0];
}

void bind_patterns(nb::module_& m) {
  m.def("othello_pattern_classes", [] { return OthelloPatterns::shared().patterns().classes(); });
  m.def("othello_patterns", look_up, nb::arg("positions"));
  m.def("load_othello_patterns", load_weights, nb::arg("weights"));
}

}  // namespace

static void bind_othello(nb::module_& m) {
  bind_state<Othello<1>>(m, "OthelloState");
  bind_state<Othello<4>>(m, "LargeOthelloState");
  bind_patterns(m);
  m.def("othello_stable", stable_discs_of, nb::arg("size"), nb::arg("own"), nb::arg("other"));

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
