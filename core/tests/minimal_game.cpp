// The smallest game that the contract allows: what State demands, and nothing optional. It is part of the debug build
// only (`make debug`), where tests/test_minimal_game.py plays it.
#include "base/action_list.h"
#include "bindings/bind_game.h"

namespace ludus {

// Count down by one or two; whoever reaches zero wins.
struct MinimalGame {
  int left;
  Player turn;

  Player player() const { return turn; }
  bool over() const { return left <= 0; }
  float score(Player p) const { return p == turn ? -1.f : 1.f; }  // the other player reached zero
  ActionRange actions() const { return {0, over() ? 0 : 2}; }
  void play(Action a) {
    left -= a + 1;
    turn = 1 - turn;
  }
  friend bool operator==(const MinimalGame&, const MinimalGame&) = default;
  Word key() const { return Fingerprint().add(static_cast<Word>(left)).add(static_cast<Word>(turn)).value; }
};
static_assert(State<MinimalGame>);
static_assert(!HasPlanes<MinimalGame> && !HasCells<MinimalGame> && !HasMargin<MinimalGame> && !HasLegal<MinimalGame>);
static_assert(!HasRandomAction<MinimalGame> && !HasQuickAction<MinimalGame> && !HasFinish<MinimalGame>);
static_assert(!HasHints<MinimalGame> && !HasHolds<MinimalGame> && !IsFirstCome<MinimalGame>);
static_assert(!HasEstimate<MinimalGame> && !HasSimpleEstimate<MinimalGame>);

static void bind_minimal_game(nb::module_& m) {
  bind_state<MinimalGame>(m, "MinimalGameState");
  m.def(
      "minimal_game", [](GameObject game, int left) { return begin<MinimalGame>(game, nb::none(), left, 0); },
      nb::arg("game"), nb::arg("left"));
}

const BindGame minimal_game("minimal_game", bind_minimal_game);

}  // namespace ludus
