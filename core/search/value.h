// What a search thinks of a state: a true score at the end, a guess before. Always for one player.
#pragma once

#include <functional>
#include <limits>

#include "base/state.h"

namespace ludus {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int no_depth_limit = 1 << 30;

// How many plies a recursion over states may go down before the stack would run out.
template <class S>
constexpr std::size_t deepest_ply = (std::size_t{3} << 20) / (sizeof(S) + 600);

// A guess at the score of a state that is not over, for the player to move; strictly between -1 and +1.
template <State S>
using Guess = std::function<double(const S&)>;

// A value said by the player to move in `child`, as `player` sees it. Turns need not alternate.
template <State S>
double seen_by(Player player, const S& child, double value) {
  return child.player() == player ? value : -value;
}

}  // namespace ludus
