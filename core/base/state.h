// The contract of a game, as C++ sees it: five members, and a state is a value.
//
// Scope: two players, zero-sum, perfect information, no chance. Turns need not alternate and
// draws exist, so ask `player()` and `score(p)`; never count plies.
#pragma once

#include <concepts>
#include <cstdint>

namespace ludus {

using Player = int;  // 0 or 1
using Action = int;  // 0 <= action < the game's num_actions

// A list of actions in ascending order that can be indexed and walked.
template <class L>
concept Actions = requires(const L list, int index) {
  { list.size() } -> std::convertible_to<int>;
  { list[index] } -> std::convertible_to<Action>;
  list.begin();
  list.end();
};

template <class S>
concept State = std::copyable<S> && requires(const S state, S next, Player player, Action action) {
  { state.player() } -> std::convertible_to<Player>;      // whose turn it is
  { state.over() } -> std::convertible_to<bool>;          // has the game ended?
  { state.score(player) } -> std::convertible_to<float>;  // +1, 0 or -1, once it is over
  { state.actions() } -> Actions;                         // what is legal; empty once it is over
  next.play(action);                                      // one legal action, in place
};

// What a state may offer on top, and what a reader of it does without:
//   planes(float* out)      the observation, seen by the player to move; see plane_shape()
//   key()                   a 64-bit fingerprint, equal for equal states
//   legal(action)           faster than looking through actions()
//   random_action(rng)      a uniform legal action without listing them all
//   quick_action(rng)       a sensible action, chosen fast
//   hint(action)            what a player bets on an action before looking ahead: games won, or below zero lost
//   first_come              (a constant) an action is worth something only to whoever plays it first
//   finish(rng)             uniform random play to the end at once
//   margin(player)          the result in disks or points
//   holds(player, action)   did the player play this action? (where the board still shows it)
//   cells()                 the board, row by row: 0 empty, 1 player 0, 2 player 1

}  // namespace ludus
