// Hex for Python.
#include "games/hex.h"

#include "bindings/bind_game.h"
#include "bindings/book.h"
#include "games/hex_hints.h"
#include "solve/hex.h"

namespace ludus {

template <int W>
  requires(W <= 3)
struct SolverFor<Hex<W>> {
  using Type = HexSolver<W>;
  static bool can(const Hex<W>&) { return true; }
};

// Beyond 11x11 nothing can be proven in any time worth waiting for.
template <>
struct SolverFor<Hex<6>> {
  using Type = ExactSolver<Hex<6>>;
  static bool can(const Hex<6>& state) { return state.over(); }
};

static void bind_hex(nb::module_& m) {
  bind_state<Hex<1>>(m, "SmallHexState");
  bind_state<Hex<2>>(m, "HexState");
  bind_state<Hex<6>>(m, "LargeHexState");

  m.def(
      "hex",
      [](GameObject game, int size, bool swap, OriginObject origin, const std::vector<int>& cells, int player) {
        require(size >= 3 && size <= 19, "a Hex board is 3 to 19");
        require_cells(cells, size * size);
        if (size <= 8) return begin<Hex<1>>(game, origin, size, swap, cells, player & 1);
        if (size <= 11) return begin<Hex<2>>(game, origin, size, swap, cells, player & 1);
        return begin<Hex<6>>(game, origin, size, swap, cells, player & 1);
      },
      nb::arg("game"), nb::arg("size"), nb::arg("swap"), nb::arg("origin").none(), nb::arg("cells"), nb::arg("player"));

  m.def(
      "hex_book", [](const nb::bytes& words) { use_book<HexBook>(words); }, nb::arg("words"),
      "The book that every solver of the 7x7 board made from now on will ask; b'' for none.");
}

const BindGame hex("hex", bind_hex);

}  // namespace ludus
