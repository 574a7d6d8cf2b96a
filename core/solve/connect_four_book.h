// The book of the Connect Four solver: true values of positions with few stones on the standard board.
//
// What the book says was proven by the solver without it; experiments/connect_four_book.py computes it.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "games/connect_four.h"

namespace ludus {

class ConnectFourBook {
 public:
  static constexpr int width = 7, height = 6, line = 4;
  static constexpr int stones = 12;  // a position with more of them does not fit into a word

  // Sorted words: a position's number times four, plus its value for the player to move (-1, 0, +1) plus one.
  explicit ConnectFourBook(std::vector<std::uint32_t> words) : words_(std::move(words)) {
    assert(std::is_sorted(words_.begin(), words_.end()));
  }

  // The book that every solver made from now on will ask; none, if it is empty.
  static void use(std::shared_ptr<const ConnectFourBook> book) { in_use_ = std::move(book); }
  static const std::shared_ptr<const ConnectFourBook>& in_use() { return in_use_; }

  // The value for the player to move, whose stones are `mine`, if the book has it.
  std::optional<int> value(Word mine, Word filled) const {
    if (std::popcount(filled) > stones) return std::nullopt;
    const std::uint32_t number = number_of(mine, filled);
    const auto found = std::lower_bound(words_.begin(), words_.end(), 4 * number);
    if (found == words_.end() || *found / 4 != number) return std::nullopt;
    return static_cast<int>(*found % 4) - 1;
  }

  // A position and its mirror image as one number: column by column from the bottom up in base 3 (1 mine, 2 theirs),
  // with a 0 between two columns.
  static std::uint32_t number_of(Word mine, Word filled) {
    std::uint32_t plain = 0, mirrored = 0;
    for (int c = 0; c < width; ++c) {
      plain = with_column(plain, c, mine, filled, c > 0);
      mirrored = with_column(mirrored, width - 1 - c, mine, filled, c > 0);
    }
    return std::min(plain, mirrored);
  }

 private:
  static std::uint32_t with_column(std::uint32_t number, int c, Word mine, Word filled, bool later) {
    if (later) number *= 3;
    for (Word cell = Word{1} << c * (height + 1); (filled & cell) != 0; cell <<= 1)
      number = 3 * number + ((mine & cell) != 0 ? 1 : 2);
    return number;
  }

  inline static std::shared_ptr<const ConnectFourBook> in_use_;
  std::vector<std::uint32_t> words_;
};

}  // namespace ludus
