// Discs that nobody can turn over any more, which bounds how far the other player can still get ahead.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "games/othello.h"

namespace ludus {

// Along one edge: which discs stay theirs whatever is set on the edge by anybody. A row of cells is a number in base 3,
// whose i-th digit says what is on cell i: 0 empty, 1 own, 2 the other's.
class OthelloEdges {
 public:
  explicit OthelloEdges(int size) : size_(size), ternary_(std::size_t{1} << size) {
    for (unsigned cells = 0; cells < ternary_.size(); ++cells)
      for (int i = size - 1; i >= 0; --i)
        ternary_[cells] = static_cast<std::uint16_t>(3 * ternary_[cells] + (cells >> i & 1));
    int contents = 1;
    for (int i = 0; i < size; ++i) contents *= 3;
    stable_.resize(contents);
    for (int empty = 0; empty <= size; ++empty) fill(empty);
  }

  unsigned stable(Word own, Word other) const { return stable_[ternary_[own] + 2 * ternary_[other]]; }

 private:
  // All contents with so many empty cells; those with fewer are done.
  void fill(int empty) {
    const unsigned all = static_cast<unsigned>(ternary_.size()) - 1;
    for (unsigned taken = 0; taken <= all; ++taken) {
      if (std::popcount(taken) != size_ - empty) continue;
      for (unsigned own = taken;; own = (own - 1) & taken) {
        const unsigned other = taken & ~own;
        unsigned stay = own;
        for (int cell = 0; cell < size_; ++cell)
          if ((taken >> cell & 1) == 0) {
            stay &= stable_after(own, other, cell);
            const unsigned turned = flips(other, own, cell);
            stay &= stable(own & ~turned, other | turned | 1u << cell);
          }
        stable_[ternary_[own] + 2 * ternary_[other]] = static_cast<std::uint8_t>(stay);
        if (own == 0) break;
      }
    }
  }

  unsigned stable_after(unsigned own, unsigned other, int cell) const {
    const unsigned turned = flips(own, other, cell);
    return stable(own | turned | 1u << cell, other & ~turned);
  }

  unsigned flips(unsigned own, unsigned other, int cell) const {
    unsigned turned = 0;
    for (int step : {-1, 1}) {
      unsigned run = 0;
      int at = cell + step;
      for (; at >= 0 && at < size_ && (other >> at & 1) != 0; at += step) run |= 1u << at;
      if (at >= 0 && at < size_ && (own >> at & 1) != 0) turned |= run;
    }
    return turned;
  }

  int size_;
  std::vector<std::uint16_t> ternary_;
  std::vector<std::uint8_t> stable_;
};

template <int W>
class OthelloStability {
 public:
  explicit OthelloStability(const Grid<W>& grid) : grid_(grid), edges_(W == 1 ? grid.width : 1) {
    side_ = grid.board.without(grid.not_first & grid.not_last);
    end_ = grid.board.without(grid.north(grid.board) & grid.south(grid.board));
    for (int cell = 0; cell < grid.cells(); ++cell) lines_.push_back(lines_through(cell));
    if constexpr (W == 1) {
      for (unsigned content = 0; content < 1u << grid.width; ++content) {
        Word column = 0;
        for (int row = 0; row < grid.width; ++row) column |= Word{content >> row & 1} << row * grid.width;
        column_.push_back(column);
      }
      for (int k = 0; k < grid.width; ++k) gather_ |= Word{1} << k * (grid.width - 1);
    }
  }

  // Discs of `own` that are certain to stay; there may be more.
  Bits<W> find(const Bits<W>& own, const Bits<W>& other, const Bits<W>& empty) const {
    std::array<Bits<W>, 4> open;  // the cells on rows, columns and diagonals with an empty cell
    for (int cell : empty)
      for (int axis = 0; axis < 4; ++axis) open[axis] |= lines_[cell][axis];
    // On each axis a disc is held if the line is full, if it is at the end of the line, or beside another disc that
    // stays.
    const Bits<W> side = side_ | grid_.board.without(open[0]), end = end_ | grid_.board.without(open[1]);
    const Bits<W> border = side_ | end_;
    const Bits<W> falling = border | grid_.board.without(open[2]), rising = border | grid_.board.without(open[3]);
    Bits<W> stable = on_edges(own, other) | (own & side & end & falling & rising);
    for (;;) {
      const Bits<W> north = grid_.north(stable), south = grid_.south(stable);
      const Bits<W> held = (side | grid_.east(stable) | grid_.west(stable)) & (end | north | south) &
                           (falling | grid_.west(north) | grid_.east(south)) &
                           (rising | grid_.east(north) | grid_.west(south));
      const Bits<W> more = stable | (held & own);
      if (more == stable) return stable;
      stable = more;
    }
  }

 private:
  // The row, the column and the diagonals of a cell.
  std::array<Bits<W>, 4> lines_through(int cell) const {
    const auto line = [&](auto there, auto back) {
      const auto both = [&](const Bits<W>& b) { return there(b) | back(b); };
      return flood<W>(Bits<W>::one(cell), grid_.board, both);
    };
    const auto east = [&](const Bits<W>& b) { return grid_.east(b); };
    const auto west = [&](const Bits<W>& b) { return grid_.west(b); };
    const auto south = [&](const Bits<W>& b) { return grid_.south(b); };
    const auto north = [&](const Bits<W>& b) { return grid_.north(b); };
    const auto southeast = [&](const Bits<W>& b) { return south(east(b)); };
    const auto northwest = [&](const Bits<W>& b) { return north(west(b)); };
    const auto southwest = [&](const Bits<W>& b) { return south(west(b)); };
    const auto northeast = [&](const Bits<W>& b) { return north(east(b)); };
    return {line(east, west), line(south, north), line(southeast, northwest), line(southwest, northeast)};
  }

  // Discs on the four edges that stay because of what is on the edge. Large boards only find them from the corners.
  Bits<W> on_edges(const Bits<W>& own, const Bits<W>& other) const {
    if constexpr (W == 1) {
      const int n = grid_.width, up = n * (n - 1);
      const Word row = (Word{1} << n) - 1, a = own.words[0], b = other.words[0];
      const auto top = edges_.stable(a & row, b & row);
      const auto bottom = edges_.stable(a >> up & row, b >> up & row);
      // Every bit of a column is moved to where those of the first row would be, one beside the other.
      const auto column = [&](Word w) { return (w & column_[row]) * gather_ >> (n - 1) * (n - 1) & row; };
      const auto left = edges_.stable(column(a), column(b));
      const auto right = edges_.stable(column(a >> (n - 1)), column(b >> (n - 1)));
      return {Word{top} | Word{bottom} << up | column_[left] | column_[right] << (n - 1)};
    }
    return {};
  }

  Grid<W> grid_;
  OthelloEdges edges_;
  Bits<W> side_, end_;  // first and last columns, first and last rows
  std::vector<std::array<Bits<W>, 4>> lines_;
  std::vector<Word> column_;  // by the bits of a row: the same cells of the first column
  Word gather_ = 0;
};

}  // namespace ludus
