// What games with stones on a board share: their cells for drawings, their planes for networks, the turns of a board.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "base/bits.h"
#include "base/state.h"

namespace ludus {

// The board row by row: 0 empty, 1 a stone of player 0, 2 a stone of player 1.
template <int W>
std::vector<int> board_cells(const Bits<W> (&stones)[2], int cells) {
  std::vector<int> board(cells, 0);
  for (int p : {0, 1})
    for (int cell : stones[p]) board[cell] = p + 1;
  return board;
}

// Ones where `cells` are, zeros elsewhere. Returns where the next plane begins.
template <int W>
float* write_plane(float* out, const Bits<W>& cells, int size) {
  std::fill(out, out + size, 0.f);
  for (int cell : cells) out[cell] = 1.f;
  return out + size;
}

// Two planes that tell whose turn it is: all ones in the mover's, zeros in the other's.
inline float* write_turn(float* out, Player turn, int size) {
  std::fill(out, out + size, turn == 0 ? 1.f : 0.f);
  std::fill(out + size, out + 2 * size, turn == 1 ? 1.f : 0.f);
  return out + 2 * size;
}

// Where each cell of a square board goes when it is turned or mirrored, in all eight ways; in the first it stays.
inline std::array<std::vector<int>, 8> square_images(int size) {
  std::array<std::vector<int>, 8> images;
  const int last = size - 1;
  for (int cell = 0; cell < size * size; ++cell) {
    const int r = cell / size, c = cell % size;
    for (int way = 0; way < 8; ++way) {
      const int a = way & 1 ? last - r : r, b = way & 2 ? last - c : c;
      images[way].push_back(way & 4 ? b * size + a : a * size + b);
    }
  }
  return images;
}

}  // namespace ludus
