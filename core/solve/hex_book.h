// The book of the Hex solver: true values of positions of 7x7 with few stones.
//
// What the book says was proven by the solver without it; experiments/opening_book.py computes it.
#pragma once

#include <algorithm>

#include "solve/book.h"
#include "solve/hex_position.h"

namespace ludus {

class HexBook : public Book<std::uint64_t, HexBook> {
 public:
  using Book::Book;
  static constexpr int size = 7;
  static constexpr int stones = 9;  // a position with more of them does not fit into a word

  // The value for the player to move, who joins top and bottom, if the book has it.
  std::optional<int> value(const HexPosition<1>& p) const {
    if ((p.mine | p.theirs).count() > stones) return std::nullopt;
    return value_of(number_of(p));
  }

  // A position and its half turn as one number: in base 50 how many stones are mine, plus one, then the cells of mine
  // and of theirs, numbered from 1.
  static std::uint64_t number_of(const HexPosition<1>& p) {
    const HexTurns<1> turns(size);
    return std::min(plain(p), plain({turns.rotated(p.mine), turns.rotated(p.theirs)}));
  }

 private:
  static std::uint64_t plain(const HexPosition<1>& p) {
    std::uint64_t number = static_cast<std::uint64_t>(p.mine.count()) + 1;
    for (const Bits<1>& stones : {p.mine, p.theirs})
      for (int cell : stones) number = 50 * number + static_cast<std::uint64_t>(cell) + 1;
    return number;
  }
};

}  // namespace ludus
