// Connect Four played out to the end: the proven value of a position, never a guess.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "base/limit.h"
#include "games/connect_four.h"
#include "solve/connect_four_lines.h"
#include "solve/connect_four_table.h"

namespace ludus {

// A score counts for the player to move: +k is a win that leaves k of the winner's own stones unused, the
// winning stone included; -k the same for the other; 0 a draw.
template <class B>
class ConnectFourSolver {
 public:
  explicit ConnectFourSolver(std::size_t table_bytes = std::size_t{64} << 20) : table_(table_bytes) {}

  // +1, 0 or -1 for the player to move; nothing when the limit came first.
  std::optional<int> value(const ConnectFour<B>& state, const Limit& limit = {}) {
    return between(state, -1, 1, limit);
  }

  // The score; takes longer than the value.
  std::optional<int> score(const ConnectFour<B>& state, const Limit& limit = {}) {
    const int most = (state.width * state.height + 1) / 2;
    return between(state, -most, most, limit);
  }

  std::int64_t nodes() const { return nodes_; }

 private:
  using Lines = ConnectFourLines<B>;
  static constexpr int max_width = ConnectFour<B>::max_width;

  // The score, cut off below `low` and above `high`.
  std::optional<int> between(const ConnectFour<B>& state, int low, int high, const Limit& limit) {
    if (!lines_ || !lines_->fits(state)) learn_board(state);
    limit_ = &limit;
    stopped_ = false;
    const B filled = state.filled(), mine = state.stones[state.turn];
    const int left = lines_->cells() - count_bits(filled);
    if (state.winner >= 0) return std::clamp(state.winner == state.turn ? (left + 1) / 2 : -(left / 2 + 1), low, high);
    if (lines_->completing(mine, filled) & lines_->landings(filled)) return std::min((left + 1) / 2, high);
    return narrow(mine, filled, low, high);
  }

  // Asks "more than this?" again and again, first near zero: such questions are far cheaper than a wide window.
  std::optional<int> narrow(B mine, B filled, int low, int high) {
    while (low < high) {
      int middle = low + (high - low) / 2;
      if (middle <= 0 && low / 2 < middle) middle = low / 2;
      if (middle >= 0 && high / 2 > middle) middle = high / 2;
      const int found = search(mine, filled, middle, middle + 1);
      if (stopped_) return std::nullopt;
      (found <= middle ? high : low) = found <= middle ? std::max(found, low) : std::min(found, high);
    }
    return low;
  }

  void learn_board(const ConnectFour<B>& state) {
    lines_.emplace(state);
    table_.clear();
    history_ = {};
    for (int i = 0; i < state.width; ++i) order_[i] = state.width / 2 + (i % 2 == 0 ? i / 2 : -(i + 1) / 2);
    if (state.width % 2 == 0)
      for (int i = 0; i < state.width; ++i) order_[i] = state.width / 2 + (i % 2 == 0 ? i / 2 : -(i / 2) - 1);
  }

#include "search.inc"

  std::optional<Lines> lines_;
  ConnectFourTable<B> table_;
  std::array<int, max_width> order_{};
  std::array<std::array<int, 128>, 2> history_{};
  const Limit* limit_ = nullptr;
  bool stopped_ = false;
  std::int64_t nodes_ = 0;
};

}  // namespace ludus
