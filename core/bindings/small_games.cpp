// Nim, Ledge and Tic-tac-toe for Python.
#include "bindings/bind_game.h"
#include "games/ledge.h"
#include "games/nim.h"
#include "games/tic_tac_toe.h"
#include "games/tic_tac_toe_estimate.h"
#include "solve/theory.h"

namespace ludus {

namespace {

// Nim is solved by a formula.
struct NimSolver {
  explicit NimSolver(std::size_t) {}
  std::optional<int> value(const Nim& state, const Limit&) { return nim_value(state); }
  std::int64_t nodes() const { return 0; }
};

// Ledge is solved by a formula on many boards, and by search on the others.
struct LedgeSolver : ExactSolver<Ledge> {
  using ExactSolver<Ledge>::ExactSolver;
  std::optional<int> value(const Ledge& state, const Limit& limit) {
    const std::optional<int> told = ledge_value(state);
    return told ? told : ExactSolver<Ledge>::value(state, limit);
  }
};

}  // namespace

template <>
struct SolverFor<Nim> {
  using Type = NimSolver;
  static bool can(const Nim&) { return true; }
};
template <>
struct SolverFor<Ledge> {
  using Type = LedgeSolver;
  static bool can(const Ledge&) { return true; }
};

static void bind_small_games(nb::module_& m) {
  bind_state<Nim>(m, "NimState");
  bind_state<Ledge>(m, "LedgeState");
  bind_state<TicTacToe<1>>(m, "TicTacToeState");
  bind_state<TicTacToe<6>>(m, "LargeTicTacToeState");

  m.def(
      "nim",
      [](GameObject game, int stones, int most, int starter) {
        require(stones >= 1 && most >= 1 && (starter == 0 || starter == 1), "stones and most must be 1 or more");
        return begin<Nim>(game, nb::none(), stones, most, starter);
      },
      nb::arg("game"), nb::arg("stones"), nb::arg("most"), nb::arg("starter"));
  m.def(
      "ledge",
      [](GameObject game, const std::vector<int>& cells, int starter, OriginObject origin) {
        require(cells.size() <= Ledge::max_length && std::count(cells.begin(), cells.end(), 2) == 1,
                "a Ledge board has at most 64 cells and one gold coin");
        return begin<Ledge>(game, origin, cells, starter & 1);
      },
      nb::arg("game"), nb::arg("cells"), nb::arg("starter"), nb::arg("origin").none());
  m.def(
      "tic_tac_toe",
      [](GameObject game, int width, int height, int line, OriginObject origin, const std::vector<int>& cells,
         int player) {
        require(width >= 1 && height >= 1 && width <= 19 && height <= 19 && line >= 1, "a board is 1x1 to 19x19");
        require_cells(cells, width * height);
        if (width * height <= 64) return begin<TicTacToe<1>>(game, origin, width, height, line, cells, player & 1);
        return begin<TicTacToe<6>>(game, origin, width, height, line, cells, player & 1);
      },
      nb::arg("game"), nb::arg("width"), nb::arg("height"), nb::arg("line"), nb::arg("origin").none(), nb::arg("cells"),
      nb::arg("player"));
}

const BindGame small_games("small_games", bind_small_games);

}  // namespace ludus
