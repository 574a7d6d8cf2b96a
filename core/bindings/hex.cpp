// Hex for Python.
#include "games/hex.h"

#include "bindings/bind_game.h"

namespace ludus {

void bind_hex(nb::module_& m) {
  bind_state<Hex<1>>(m, "SmallHexState");
  bind_state<Hex<2>>(m, "HexState");
  bind_state<Hex<6>>(m, "LargeHexState");

  m.def(
      "hex",
      [](nb::object game, int size, bool swap, nb::object origin, const std::vector<int>& cells, int player) {
        require(size >= 3 && size <= 19, "a Hex board is 3 to 19");
        require_cells(cells, size * size);
        if (size <= 8) return begin<Hex<1>>(game, origin, size, swap, cells, player & 1);
        if (size <= 11) return begin<Hex<2>>(game, origin, size, swap, cells, player & 1);
        return begin<Hex<6>>(game, origin, size, swap, cells, player & 1);
      },
      nb::arg("game"), nb::arg("size"), nb::arg("swap"), nb::arg("origin").none(), nb::arg("cells"), nb::arg("player"));
}

}  // namespace ludus
