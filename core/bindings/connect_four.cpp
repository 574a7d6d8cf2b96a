// Connect Four for Python.
#include "games/connect_four.h"

#include "bindings/bind_game.h"
#include "bindings/book.h"
#include "games/connect_four_estimate.h"
#include "solve/connect_four.h"

namespace ludus {

template <class B>
struct SolverFor<ConnectFour<B>> {
  using Type = ConnectFourSolver<B>;
  static bool can(const ConnectFour<B>&) { return true; }
};

static void bind_connect_four(nb::module_& m) {
  bind_state<ConnectFour<Word>>(m, "ConnectFourState");
  bind_state<ConnectFour<WideWord>>(m, "LargeConnectFourState");

  m.def(
      "connect_four",
      [](GameObject game, int width, int height, int line, OriginObject origin, const std::vector<int>& cells,
         int player) {
        require(width >= 1 && height >= 1 && width <= 32 && height <= 32 && width * (height + 1) <= 128 && line >= 1,
                "a board has at most 128 bits");
        require_cells(cells, width * height);
        if (width * (height + 1) <= 64)
          return begin<ConnectFour<Word>>(game, origin, width, height, line, cells, player & 1);
        return begin<ConnectFour<WideWord>>(game, origin, width, height, line, cells, player & 1);
      },
      nb::arg("game"), nb::arg("width"), nb::arg("height"), nb::arg("line"), nb::arg("origin").none(), nb::arg("cells"),
      nb::arg("player"));

  m.def(
      "connect_four_book", [](const nb::bytes& words) { use_book<ConnectFourBook>(words); }, nb::arg("words"),
      "The book that every solver of the standard board made from now on will ask; b'' for none.");
}

const BindGame connect_four("connect_four", bind_connect_four);

}  // namespace ludus
