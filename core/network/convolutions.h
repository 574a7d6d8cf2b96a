// Residual convolutions.
#pragma once

#include <algorithm>

#include "network/convolution.h"
#include "network/heads.h"

namespace ludus {

// A convolution, residual blocks, and heads.
template <class Heads>
struct Convolutions {
  Layout board;
  int planes;
  std::vector<Convolution> layers;  // the first, then two for each block
  Heads heads;
  Activation activation;

  int actions() const { return heads.actions(); }

  void judge(const float* input, std::size_t inputs, Outputs& outputs) const {
    Desk desk(*this);
    for (std::size_t first = 0; first < outputs.count; first += static_cast<std::size_t>(desk.group)) {
      const int count = std::min(desk.group, static_cast<int>(outputs.count - first));
      for (int i = 0; i < count; ++i) fill(input + (first + i) * inputs, desk.boards.data() + i * size(stride(planes)));
      look(count, desk);
      heads.judge(without_borders(desk.seen, count), activation, first, outputs);
    }
  }

 private:
  static int stride(int channels) { return (channels + Matrix::strip - 1) / Matrix::strip * Matrix::strip; }
  std::size_t size(int numbers) const { return static_cast<std::size_t>(board.cells()) * numbers; }

  // Boards on their way through the layers, a group at a time: large enough for full blocks of the matrix product,
  // small enough for the cache.
  struct Desk {
    explicit Desk(const Convolutions& c)
        : group(boards_together(c.board.tiles())),
          boards(c.size(stride(c.planes)) * group),
          seen(c.size(c.layers[0].stride()) * group),
          inner(seen.size()) {}
    static int boards_together(int tiles) {
      for (int boards = 48 / tiles; boards > 1; --boards)
        if (boards * tiles % 12 == 0) return boards;
      return 1;
    }
    int group;
    Numbers boards, seen, inner;
    Convolution::Desk tiles = {};
  };

  // Copies planes (plane by plane) into a board (cell by cell).
  void fill(const float* input, float* to) const {
    for (int plane = 0; plane < planes; ++plane)
      for (int row = 0; row < board.rows; ++row)
        for (int column = 0; column < board.columns; ++column)
          to[board.at(row, column) * stride(planes) + plane] = *input++;
  }

  Seen without_borders(const Numbers& boards, int count) const {
    Seen seen{count, board.rows * board.columns, layers[0].width(), layers[0].stride(), {}};
    seen.numbers.resize(static_cast<std::size_t>(count) * seen.cells * seen.stride);
    float* to = seen.numbers.data();
    for (int i = 0; i < count; ++i)
      for (int row = 0; row < board.rows; ++row)
        to = std::copy_n(boards.data() + i * size(seen.stride) + board.at(row, 0) * seen.stride,
                         board.columns * seen.stride, to);
    return seen;
  }

  void look(int count, Desk& desk) const {
    const Activation how = activation;
    const auto plain = [how](Vector sum, Vector) { return activated(how, sum); };
    const auto added = [how](Vector sum, Vector old) { return activated(how, sum + old); };
    const int width = layers[0].stride();
    layers[0].apply(board, desk.boards.data(), stride(planes), count, desk.seen.data(), desk.tiles, plain);
    for (std::size_t layer = 1; layer + 1 < layers.size(); layer += 2) {
      layers[layer].apply(board, desk.seen.data(), width, count, desk.inner.data(), desk.tiles, plain);
      layers[layer + 1].apply(board, desk.inner.data(), width, count, desk.seen.data(), desk.tiles, added);
    }
  }
};

}  // namespace ludus
