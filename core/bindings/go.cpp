// Go for Python.
#include "games/go.h"

#include "bindings/bind_game.h"
#include "games/go_estimate.h"

namespace ludus {

// Beyond 5x5 no proof would end: lines of play are hundreds of moves long, and every state remembers its positions.
template <int Max>
struct SolverFor<Go<Max>> {
  using Type = ExactSolver<Go<Max>>;
  static bool can(const Go<Max>& state) { return state.over() || state.size() <= 5; }
};

namespace {

template <int Max>
NativeStateObject begin_go(GameObject game, int size, const GoRules& rules, OriginObject origin,
                           const std::vector<int>& cells, int player) {
  const Go<Max> state(size, rules, cells, player & 1);
  if (!state.all_alive()) raise("BadBoard", "a chain of stones on this board has no liberty");
  return hand_over<NativeStateObject>(Position<Go<Max>>(state, std::move(game), std::move(origin)));
}

}  // namespace

static void bind_go(nb::module_& m) {
  bind_state<Go<9>>(m, "SmallGoState");
  bind_state<Go<19>>(m, "GoState");

  m.def(
      "go",
      [](GameObject game, int size, float komi, bool superko_draws, int max_length, OriginObject origin,
         const std::vector<int>& cells, int player) {
        require(size >= 2 && size <= 19, "a Go board is 2 to 19");
        require(max_length >= 1 && max_length <= 2 * size * size, "max_length is 1 to 2·size·size");
        require_cells(cells, size * size);
        const GoRules rules{komi, superko_draws ? Superko::draw : Superko::forbidden, max_length};
        return size <= 9 ? begin_go<9>(game, size, rules, origin, cells, player)
                         : begin_go<19>(game, size, rules, origin, cells, player);
      },
      nb::arg("game"), nb::arg("size"), nb::arg("komi"), nb::arg("superko_draws"), nb::arg("max_length"),
      nb::arg("origin").none(), nb::arg("cells"), nb::arg("player"));
}

const BindGame go("go", bind_go);

}  // namespace ludus
