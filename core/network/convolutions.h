// Residual convolutions, and two kinds of heads that read them.
#pragma once

#include <algorithm>
#include <optional>

#include "network/activation.h"
#include "network/convolution.h"
#include "network/outputs.h"

namespace ludus {

// What the body has made of some boards: for every board its cells row by row, each `width` channels in `stride`
// numbers.
struct Seen {
  int boards, cells, width, stride;
  Numbers numbers;

  const float* board(int i) const { return numbers.data() + static_cast<std::ptrdiff_t>(i) * cells * stride; }
};

// Applies a layer to every cell of all boards by itself.
inline Numbers each_cell(const Matrix& layer, const Seen& seen) {
  Numbers out(static_cast<std::size_t>(seen.boards) * seen.cells * layer.stride());
  layer.apply(seen.numbers.data(), seen.stride, seen.boards * seen.cells, out.data());
  return out;
}
// Applies a layer to a row of numbers for each of `count` boards.
inline Numbers each_board(const Matrix& layer, const Numbers& rows, int count) {
  Numbers out(static_cast<std::size_t>(count) * layer.stride());
  layer.apply(rows.data(), static_cast<std::ptrdiff_t>(rows.size()) / count, count, out.data());
  return out;
}

// Heads of one size of the board: each reads a few narrow channels of all cells.
struct DenseHeads {
  Matrix actor_narrow, actor;
  std::optional<Matrix> actor_cells;  // one more logit per cell, from that cell alone
  std::optional<Matrix> critic_narrow, critic_hidden, critic;

  int actions() const { return actor.width(); }

  void judge(const Seen& seen, Activation activation, std::size_t first, Outputs& outputs) const {
    const Numbers logits = each_board(actor, narrowed(actor_narrow, seen, activation), seen.boards);
    for (int i = 0; i < seen.boards; ++i)
      std::copy_n(logits.data() + i * actor.stride(), actor.width(), outputs.logits_of(first + i));
    if (actor_cells) {
      const Numbers more = each_cell(*actor_cells, seen);
      for (int i = 0; i < seen.boards; ++i)
        for (int k = 0; k < seen.cells; ++k)
          outputs.logits_of(first + i)[k] += more[(i * seen.cells + k) * actor_cells->stride()];
    }
    if (!critic) return;
    Numbers hidden = each_board(*critic_hidden, narrowed(*critic_narrow, seen, activation), seen.boards);
    activate(activation, hidden);
    const Numbers values = each_board(*critic, hidden, seen.boards);
    for (int i = 0; i < seen.boards; ++i) outputs.values[first + i] = values[i * critic->stride()];
  }

 private:
  // The narrow channels of all cells, in one row for each board.
  static Numbers narrowed(const Matrix& layer, const Seen& seen, Activation activation) {
    Numbers thin = each_cell(layer, seen);
    activate(activation, thin);
    Numbers rows(static_cast<std::size_t>(seen.boards) * seen.cells * layer.width());
    for (int k = 0; k < seen.boards * seen.cells; ++k)
      std::copy_n(thin.data() + k * layer.stride(), layer.width(), rows.data() + k * layer.width());
    return rows;
  }
};

// Heads of any size of the board: each action that is a cell reads its own cell and a summary of the board (mean and
// maximum of every channel); the critic and the other actions read the summary alone.
struct PooledHeads {
  Matrix summary;                // from the means and maxima to a hidden layer
  Matrix narrow, lift, cells;    // a cell's channels and the hidden layer, together to one logit
  std::optional<Matrix> beside;  // logits of actions that are not cells, such as a pass
  std::optional<Matrix> critic;
  int board_cells;

  int actions() const { return board_cells + (beside ? beside->width() : 0); }

  void judge(const Seen& seen, Activation activation, std::size_t first, Outputs& outputs) const {
    Numbers hidden = each_board(summary, pooled(seen), seen.boards);
    activate(activation, hidden);
    write_cells(seen, hidden, activation, first, outputs);
    if (beside) {
      const Numbers few = each_board(*beside, hidden, seen.boards);
      for (int i = 0; i < seen.boards; ++i)
        std::copy_n(few.data() + i * beside->stride(), beside->width(), outputs.logits_of(first + i) + board_cells);
    }
    if (!critic) return;
    const Numbers values = each_board(*critic, hidden, seen.boards);
    for (int i = 0; i < seen.boards; ++i) outputs.values[first + i] = values[i * critic->stride()];
  }

 private:
  // For every board the means of all channels, then the maxima of all channels.
  static Numbers pooled(const Seen& seen) {
    Numbers rows(static_cast<std::size_t>(2 * seen.width) * seen.boards), mean(static_cast<std::size_t>(seen.stride)),
        most(static_cast<std::size_t>(seen.stride));
    const float share = 1.f / static_cast<float>(seen.cells);
    for (int i = 0; i < seen.boards; ++i) {
      for (int k = 0; k < seen.stride; k += lanes) {
        const float* cell = seen.board(i) + k;
        Vector sum = {}, largest = at(cell);
        for (int c = 0; c < seen.cells; ++c, cell += seen.stride) {
          const Vector here = at(cell);
          sum += here;
          largest = here > largest ? here : largest;
        }
        store(&mean[k], sum * share);
        store(&most[k], largest);
      }
      std::copy_n(mean.data(), seen.width, rows.data() + 2 * i * seen.width);
      std::copy_n(most.data(), seen.width, rows.data() + (2 * i + 1) * seen.width);
    }
    return rows;
  }

  void write_cells(const Seen& seen, const Numbers& hidden, Activation activation, std::size_t first,
                   Outputs& outputs) const {
    const Numbers lifted = each_board(lift, hidden, seen.boards);
    Seen thin{seen.boards, seen.cells, narrow.width(), narrow.stride(), each_cell(narrow, seen)};
    for (int i = 0; i < seen.boards * seen.cells; ++i)
      for (int k = 0; k < thin.stride; k += lanes) {
        float* numbers = thin.numbers.data() + i * thin.stride + k;
        store(numbers, activated(activation, at(numbers) + at(&lifted[i / seen.cells * lift.stride() + k])));
      }
    const Numbers logits = each_cell(cells, thin);
    for (int i = 0; i < seen.boards; ++i)
      for (int k = 0; k < seen.cells; ++k)
        outputs.logits_of(first + i)[k] = logits[(i * seen.cells + k) * cells.stride()];
  }
};

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
