// The value of a state in a search: the true utility at the end of the game, a guess before. Always for one player.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>

#include "base/state.h"

namespace ludus {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int no_depth_limit = 1 << 30;

// After how many states a search looks at the clock: a power of two.
template <class S>
constexpr std::int64_t look_every = MayNeverEnd<S> ? 1 : 64;

// The utility of a finished game: the score (+1, 0 or -1), or the margin in discs or points, where a game has one.
enum class Utility : std::uint8_t { score, margin };

// A guess at the utility of a state that is not over, for the player to move. A guess at the score lies strictly
// between -1 and +1, so that no guess is as good as a win; a guess at the margin may be any number.
template <State S>
using Guess = std::function<double(const S&)>;

// How a search values states, always for the player to move.
template <State S>
struct Evaluation {
  Guess<S> guess;  // for states that are not over
  Utility utility = Utility::score;

  double end(const S& state) const {  // for states that are over
    if constexpr (HasMargin<S>)
      if (utility == Utility::margin) return static_cast<double>(state.margin(state.player()));
    return state.score(state.player());
  }
  double operator()(const S& state) const { return state.over() ? end(state) : guess(state); }

  // Only a finished game has such a value: every guess at the score is smaller.
  bool is_certain(double value) const { return utility == Utility::score && (value >= 1 || value <= -1); }
};

// A value for the player to move in `child`, as `player` sees it. Turns need not alternate.
template <State S>
double seen_by(Player player, const S& child, double value) {
  return child.player() == player ? value : -value;
}

}  // namespace ludus
