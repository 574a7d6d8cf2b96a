// The book of the Connect Four solver: true values of positions with few stones on the standard board.
//
// What the book says was proven by the solver without it; experiments/opening_book.py computes it.
#pragma once

#include <algorithm>
#include <bit>

#include "games/connect_four.h"
#include "solve/book.h"

namespace ludus {

class ConnectFourBook : public Book<std::uint32_t, ConnectFourBook> {
 public:
  using Book::Book;
  static constexpr int width = 7, height = 6, line = 4;
  static constexpr int stones = 12;  // a position with more of them does not fit into a word

  // The value for the player to move, whose stones are `mine`, if the book has it.
  std::optional<int> value(Word mine, Word filled) const {
    if (std::popcount(filled) > stones) return std::nullopt;
    return value_of(number_of(mine, filled));
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
};

}  // namespace ludus
