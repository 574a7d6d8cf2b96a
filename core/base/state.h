// The contract of a game, as C++ sees it: what a state must have, and what it may have.
//
// Scope: two players, zero-sum, perfect information, no chance. Turns need not alternate and
// draws exist, so ask `player()` and `score(p)`; never count plies.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ludus {

using Player = int;  // 0 or 1
using Action = int;  // 0 <= action < the game's num_actions

class Rng;  // base/random.h

// A list of actions in ascending order that can be indexed and iterated over.
template <class L>
concept Actions = requires(const L list, int index) {
  { list.size() } -> std::convertible_to<int>;
  { list[index] } -> std::convertible_to<Action>;
  list.begin();
  list.end();
};

// A 64-bit fingerprint that is equal for equal states. Tables take states with equal keys for equal, so it must mix
// everything that == compares; Fingerprint in base/bits.h does that.
template <class S>
concept HasKey = requires(const S state) {
  { state.key() } -> std::convertible_to<std::uint64_t>;
};

// A hash for tables that also compare with ==. States written in Python have this one instead of a key.
template <class S>
concept HasHash = requires(const S state) {
  { state.hash() } -> std::convertible_to<std::size_t>;
};

// Required of every state. A game of ours has a key(); games/nim.h is the shortest example.
template <class S>
concept State = std::copyable<S> && std::equality_comparable<S> && (HasKey<S> || HasHash<S>) &&
                requires(const S state, S next, Player player, Action action) {
                  { state.player() } -> std::convertible_to<Player>;      // whose turn it is
                  { state.over() } -> std::convertible_to<bool>;          // has the game ended?
                  { state.score(player) } -> std::convertible_to<float>;  // +1, 0 or -1, once it is over
                  { state.actions() } -> Actions;                         // the legal actions; none once it is over
                  next.play(action);                                      // plays one legal action, in place
                };

// Everything below is optional. Each line says what a state without it goes without.

// planes(out) writes the observation, as the player to move sees it, into plane_shape() = {planes, rows, columns}
// numbers. Without it no network can learn the game.
template <class S>
concept HasPlanes = requires(const S state, float* out) {
  { state.plane_shape() } -> std::convertible_to<std::array<int, 3>>;
  state.planes(out);
};

// cells() is the board row by row: 0 empty, 1 player 0, 2 player 1. Without it agents do not know how full the board
// is.
template <class S>
concept HasCells = requires(const S state) { state.cells(); };

// margin(player) is the player's lead in discs or points. Without it only the winner is known.
template <class S>
concept HasMargin = requires(const S state, Player player) {
  { state.margin(player) } -> std::convertible_to<double>;
};

// legal(action) answers for any int, and faster than a search through actions().
template <class S>
concept HasLegal = requires(const S state, Action action) {
  { state.legal(action) } -> std::convertible_to<bool>;
};

// random_action(rng) is a uniform legal action. Without it one is drawn from actions().
template <class S>
concept HasRandomAction = requires(const S state, Rng& rng) {
  { state.random_action(rng) } -> std::convertible_to<Action>;
};

// quick_action(rng) is a sensible action that is chosen fast. Without it quick playouts are uniform.
template <class S>
concept HasQuickAction = requires(const S state, Rng& rng) {
  { state.quick_action(rng) } -> std::convertible_to<Action>;
};

// finish(rng) ends the game with the same chances as uniform random play. Without it every action is played.
template <class S>
concept HasFinish = requires(S state, Rng& rng) { state.finish(rng); };

// quick_finish(rng) ends the game by sensible play at the price of a few random numbers. Without it quick playouts
// choose every action.
template <class S>
concept HasQuickFinish = requires(S state, Rng& rng) { state.quick_finish(rng); };

// hints(state), a function beside the state, gives a function of the action: how many games to count as won with it
// before the search has tried it; below zero, as lost. Without it RAVE with hints begins with nothing.
template <class S>
concept HasHints = requires(const S state, Action action) {
  { hints(state)(action) } -> std::convertible_to<float>;
};

// holds(player, action): did the player play this action? Where the board shows it, RAVE need not record playouts.
template <class S>
concept HasHolds = requires(const S state, Player player, Action action) {
  { state.holds(player, action) } -> std::convertible_to<bool>;
};

// first_come (a constant): an action is worth something only to the player who plays it first, so RAVE with hints
// counts only the first of them.
template <class S>
concept IsFirstCome = requires { requires S::first_come; };

// estimate(state, player), a function beside the state, guesses the score: strictly between -1 and +1. Without it
// searches of a limited depth take every unfinished game for even.
template <class S>
concept HasEstimate = requires(const S state, Player player) {
  { estimate(state, player) } -> std::convertible_to<double>;
};

// simple_estimate(state, player) is a second, plainer guess, such as the lead in discs.
template <class S>
concept HasSimpleEstimate = requires(const S state, Player player) {
  { simple_estimate(state, player) } -> std::convertible_to<double>;
};

// foresight(state, depth), a third one, says what a shallow search tells about one of `depth` plies where both end in
// estimates: v / (1 - |v|) of their values v differs by about `error` (the standard deviation). Nothing: only the
// search itself tells. Without it no search is selective (search/selective.h).
struct Foresight {
  int shallow;
  double error;
};
template <class S>
concept HasForesight = requires(const S state, int depth) {
  { foresight(state, depth) } -> std::convertible_to<std::optional<Foresight>>;
};

// may_never_end (a constant): nobody knows how long a game lasts or a step takes, as with games written in Python. A
// search then looks at the clock in every step.
template <class S>
concept MayNeverEnd = requires { requires S::may_never_end; };

// Is an action legal in a state that is not over?
template <State S>
bool is_legal(const S& state, Action action) {
  if constexpr (HasLegal<S>) {
    return state.legal(action);
  } else {
    if (state.over()) return false;
    for (const Action a : state.actions())
      if (a == action) return true;
    return false;
  }
}

// For asserts: the game is over, and both players are told the same result.
template <State S>
bool scores_agree(const S& state) {
  const float first = state.score(0);
  return state.over() && first == -state.score(1) && -1 <= first && first <= 1;
}

}  // namespace ludus
