// What the Othello solver needs of a board besides its rays: corners, quarters, neighbours and mirror images.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "games/othello.h"
#include "solve/othello_table.h"

namespace ludus {

template <int W>
struct OthelloMap {
  int cells;
  Bits<W> corners;
  std::array<Bits<W>, 4> quarters;
  std::vector<std::uint8_t> quarter_of;
  std::vector<Bits<W>> beside;             // the up to eight neighbours of each cell
  std::array<std::vector<int>, 8> images;  // where each cell goes when the board is turned or mirrored

  explicit OthelloMap(int size) : cells(size * size), images(square_images(size)) {
    const Grid<W> grid(size, size);
    corners = corner_cells(grid);
    for (int cell = 0; cell < cells; ++cell) {
      const int r = cell / size, c = cell % size;
      quarter_of.push_back(static_cast<std::uint8_t>((2 * r >= size) * 2 + (2 * c >= size)));
      quarters[quarter_of.back()].add(cell);
      beside.push_back(grid.around(Bits<W>::one(cell)) | diagonal_to(grid, Bits<W>::one(cell)));
    }
  }

  // The quarters with an odd number of empty cells. The player who moves there first tends to make the last move there.
  Bits<W> odd(const Bits<W>& empty) const {
    Bits<W> found;
    for (const Bits<W>& quarter : quarters)
      if ((empty & quarter).count() % 2 == 1) found |= quarter;
    return found;
  }

  // How soon to try a move to `cell` that leaves `replies`. The fewer replies the better ("fastest first"): the tree
  // below is smaller, and the move tends to be good.
  int rank(int cell, const Bits<W>& replies, const Bits<W>& odd) const {
    return 4 * odd.has(cell) + 8 * corners.has(cell) - 8 * (replies.count() + (replies & corners).count());
  }

  // A canonical one of the eight images of a position: the same for all of them.
  OthelloSides<W> canonical(const OthelloSides<W>& sides) const {
    OthelloSides<W> least = sides;
    for (const std::vector<int>& to : images) {
      OthelloSides<W> image;
      for (int cell : sides.mine) image.mine.add(to[cell]);
      for (int cell : sides.theirs) image.theirs.add(to[cell]);
      const auto words = [](const OthelloSides<W>& s) { return std::pair(s.mine.words, s.theirs.words); };
      if (words(image) < words(least)) least = image;
    }
    return least;
  }
};

}  // namespace ludus
