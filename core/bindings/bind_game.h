// bind_state<S>: everything that Python can do with one native state type, and BindGame, which adds a game to the
// module.
#pragma once

#include <algorithm>
#include <array>
#include <map>

#include "base/rollout.h"
#include "bindings/bind_school.h"

namespace ludus {

// Raises IllegalAction. ludus.game writes the message, because it knows how people write actions.
[[noreturn]] inline void refuse(nb::handle self, nb::handle action) {
  nb::module_::import_("ludus.game").attr("refuse")(self, action);
  raise("IllegalAction", "illegal action " + text_of(action));
}

template <State S>
Position<S> play(nb::handle self, nb::handle action) {
  const auto& position = nb::cast<const Position<S>&>(self);
  int number = -1;
  if (!whole_number(action, number) || !is_legal(position.state, number)) refuse(self, action);
  return position.after(number);
}

using ActionNumbers = nb::typed<nb::list, Action>;

template <State S>
ActionNumbers list_actions(const Position<S>& p) {
  ActionNumbers list;
  for (const Action a : p.state.actions()) list.append(nb::int_(a));
  return list;
}

template <State S>
float score(const Position<S>& p, nb::handle player) {
  const int who = player_number(player);
  if (!p.state.over()) raise("NotOver", "the game is not over, so there is no score yet");
  return p.state.score(who);
}

using Planes = nb::ndarray<nb::numpy, float, nb::ndim<3>>;

template <State S>
  requires HasPlanes<S>
Planes planes(const Position<S>& p) {
  const std::array<int, 3> shape = p.state.plane_shape();
  const std::size_t sizes[3] = {std::size_t(shape[0]), std::size_t(shape[1]), std::size_t(shape[2])};
  auto* data = new float[sizes[0] * sizes[1] * sizes[2]];
  nb::capsule owner(data, [](void* d) noexcept { delete[] static_cast<float*>(d); });
  p.state.planes(data);
  return Planes(data, 3, sizes, owner);
}

// The wins of player 0, the draws and the wins of player 1 in `games` rollouts by `policy`. A game that may never end
// is given up when the time is over, and counts as drawn.
using Tally = std::tuple<int, int, int>;

template <State S>
void count_rollouts(const S& start, int games, Rng& rng, int policy, const Limit& limit, std::array<int, 3>& tally) {
  for (int i = 0; i < games; ++i) {
    S state = start;
    float score = 0;
    if constexpr (MayNeverEnd<S>) {
      score = simulate(state, Playout::uniform, rng, nullptr, limit);
    } else {
      if (policy == 0) rollout(state, rng);
      if (policy == 1) walk_to_end(state, rng);
      if (policy == 2) quick_rollout(state, rng);
      score = state.score(0);
    }
    ++tally[score > 0 ? 0 : score < 0 ? 2 : 1];
    if (limit.late()) return;
  }
}

inline int policy_number(const std::string& policy) {
  if (policy == "uniform") return 0;
  if (policy == "stepwise") return 1;
  if (policy == "quick") return 2;
  raise("BadOption", "there is no rollout policy '" + policy + "'; there are uniform, stepwise and quick");
}

template <State S>
Tally rollouts(const S& state, int games, Rng& rng, const std::string& policy, double seconds, bool native) {
  require(games >= 1 && games <= 1'000'000'000, "games must be from 1 to 1,000,000,000");
  require(seconds > 0, "seconds must be a number above 0");
  const int number = policy_number(policy);
  const Limit limit = Limit::seconds(seconds);
  std::array<int, 3> tally{};
  int left = games;
  do {  // in pieces, to check for Ctrl-C between them
    const int some = std::min(left, 256);
    if (native) {
      nb::gil_scoped_release release;
      count_rollouts(state, some, rng, number, limit, tally);
    } else {
      count_rollouts(state, some, rng, number, limit, tally);
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    left -= some;
  } while (left > 0 && !limit.late());
  return {tally[0], tally[1], tally[2]};
}

template <State S>
std::int64_t count_paths(const S& state, int depth) {
  require(depth >= 0 && depth <= 64, "depth must be from 0 to 64");
  return perft(state, depth);
}

// Copies a state again and again, for measuring how long that takes.
template <State S>
void time_copies(const S& state, int times) {
  for (int i = 0; i < times; ++i) {
    const S copy = state;
    asm volatile("" : : "r"(&copy) : "memory");  // keeps the compiler from leaving the copy out
  }
}

template <State S>
void bind_state(nb::module_& m, const char* name) {
  static_assert(HasKey<S>, "a game of the core needs key(); see base/state.h");
  using P = Position<S>;
  nb::class_<P, Past> type(m, name, "A state: a value. play() returns the next one and leaves this one as it is.");
  type.def_prop_ro(
          "player", [](const P& p) { return p.state.player(); }, "Whose turn it is: 0 or 1.")
      .def_prop_ro(
          "over", [](const P& p) { return p.state.over(); }, "Has the game ended?")
      .def("score", &score<S>, nb::arg("player").none(), "The result for a player, +1, 0 or -1, once the game is over.")
      .def("actions", &list_actions<S>, "The legal actions, ascending; none once the game is over.")
      .def("play", &play<S>, nb::arg("action").none(), "The state after one legal action.")
      .def_prop_ro(
          "key", [](const P& p) { return static_cast<Word>(p.state.key()); },
          "A 64-bit fingerprint, the same for equal states.");
  if constexpr (HasPlanes<S>)
    type.def("planes", &planes<S>, "The observation (planes, rows, columns), seen by the player to move.");
  if constexpr (HasCells<S>)
    type.def(
        "cells", [](const P& p) { return p.state.cells(); }, "The board row by row: 0 empty, 1 player 0, 2 player 1.");
  if constexpr (HasMargin<S>)
    type.def(
        "margin", [](const P& p, nb::handle player) { return p.state.margin(player_number(player)); },
        nb::arg("player").none(), "How far a player is ahead as the board stands, in discs or points.");

  type.def(
          "__eq__",
          [](const P& p, nb::handle other) {
            if (!nb::isinstance<P>(other)) return false;
            const auto& o = nb::cast<const P&>(other);
            return p.state == o.state && (p.game.is(o.game) || p.game.equal(o.game));
          },
          nb::arg("other").none())
      .def("__hash__", [](const P& p) { return static_cast<Py_hash_t>(p.state.key() >> 2); })
      .def("__copy__", [](const P& p) { return P(p); })
      .def("__deepcopy__", [](const P& p, nb::handle) { return P(p); }, nb::arg("memo").none());

  bind_search<S>(m, name);
  bind_solve<S>(m);
  bind_school<S>(m, name);
  m.def(
      "rollouts",
      [](const P& p, int games, Rng& rng, const std::string& policy, double seconds) {
        return rollouts(p.state, games, rng, policy, seconds, true);
      },
      nb::arg("state"), nb::arg("games"), nb::arg("rng"), nb::arg("policy") = "uniform", nb::arg("seconds") = 1e9);
  m.def("perft", [](const P& p, int depth) { return count_paths(p.state, depth); }, nb::arg("state"), nb::arg("depth"));
  m.def("time_copies", [](const P& p, int times) { time_copies(p.state, times); }, nb::arg("state"), nb::arg("times"));
}

// The state at a game's start, or on a drawn board.
template <State S, class... Arguments>
NativeStateObject begin(nb::object game, nb::object origin, Arguments&&... arguments) {
  return hand_over<NativeStateObject>(
      Position<S>(S(std::forward<Arguments>(arguments)...), std::move(game), std::move(origin)));
}

// A game's binding file adds the game to the module with one line at its end:
//     const BindGame nim("nim", bind_nim);
class BindGame {
 public:
  using Bind = void (*)(nb::module_&);
  BindGame(const char* name, Bind bind) { all().emplace(name, bind); }

  static std::map<std::string, Bind>& all() {  // by name, so that the order does not depend on the linker
    static std::map<std::string, Bind> games;
    return games;
  }
};

void bind_python_search(nb::module_& m);

}  // namespace ludus
