// Residual convolutions, and two kinds of heads that read them.
#pragma once

#include <algorithm>
#include <optional>

#include "network/activation.h"
#include "network/convolution.h"
#include "network/outputs.h"

namespace ludus {

// What the body has made of some boards: `width` channels in `stride` numbers a cell, borders included.
struct Seen {
  const Layout& board;
  const float* numbers;
  int width, stride;

  const float* cell(int i, int row, int column) const {
    return numbers + (static_cast<std::ptrdiff_t>(i) * board.cells() + board.at(row, column)) * stride;
  }
};

// Applies a layer to every cell of a board by itself: `layer.stride()` numbers a cell, without borders.
inline void each_cell(const Matrix& layer, const Seen& seen, int i, Numbers& out) {
  out.resize(static_cast<std::size_t>(seen.board.rows) * seen.board.columns * layer.stride());
  for (int row = 0; row < seen.board.rows; ++row)
    layer.apply(seen.cell(i, row, 0), seen.stride, seen.board.columns,
                out.data() + static_cast<std::ptrdiff_t>(row) * seen.board.columns * layer.stride());
}

// Heads of one size of the board: each reads a few narrow channels of all cells.
struct DenseHeads {
  Matrix actor_narrow, actor;
  std::optional<Matrix> actor_cells;  // one more logit per cell, from that cell alone
  std::optional<Matrix> critic_narrow, critic_hidden, critic;

  int actions() const { return actor.width(); }

  void judge(const Seen& seen, int count, Activation activation, std::size_t first, Outputs& outputs) const {
    Numbers thin, row, logits(static_cast<std::size_t>(actor.stride()));
    for (int i = 0; i < count; ++i) {
      float* out = outputs.logits_of(first + static_cast<std::size_t>(i));
      narrowed(actor_narrow, seen, i, activation, thin, row);
      actor.apply(row.data(), 0, 1, logits.data());
      std::copy_n(logits.data(), actor.width(), out);
      if (actor_cells) {
        each_cell(*actor_cells, seen, i, thin);
        for (int k = 0; k < seen.board.rows * seen.board.columns; ++k) out[k] += thin[k * actor_cells->stride()];
      }
      if (!critic) continue;
      narrowed(*critic_narrow, seen, i, activation, thin, row);
      Numbers hidden(static_cast<std::size_t>(critic_hidden->stride())), value(Matrix::strip);
      critic_hidden->apply(row.data(), 0, 1, hidden.data());
      activate(activation, hidden);
      critic->apply(hidden.data(), 0, 1, value.data());
      outputs.values[first + static_cast<std::size_t>(i)] = value[0];
    }
  }

 private:
  // The narrow channels of all cells in one row.
  static void narrowed(const Matrix& layer, const Seen& seen, int i, Activation activation, Numbers& thin,
                       Numbers& row) {
    each_cell(layer, seen, i, thin);
    activate(activation, thin);
    const int cells = seen.board.rows * seen.board.columns;
    row.resize(static_cast<std::size_t>(cells) * layer.width());
    for (int k = 0; k < cells; ++k)
      std::copy_n(thin.data() + k * layer.stride(), layer.width(), row.data() + k * layer.width());
  }
};

// Heads of any size of the board: each action that is a cell reads its own cell and a summary of the board (mean and
// maximum of every channel); so do the critic and the other actions, which read the summary alone.
struct PooledHeads {
  Matrix summary;                // from the means and maxima to a hidden layer
  Matrix narrow, lift, cells;    // a cell's channels and the hidden layer, together to one logit
  std::optional<Matrix> beside;  // logits of actions that are not cells, such as a pass
  std::optional<Matrix> critic;
  int board_cells;

  int actions() const { return board_cells + (beside ? beside->width() : 0); }

  void judge(const Seen& seen, int count, Activation activation, std::size_t first, Outputs& outputs) const {
    Numbers thin, logits, pooled(static_cast<std::size_t>(2 * seen.stride));
    Numbers hidden(static_cast<std::size_t>(summary.stride())), lifted(static_cast<std::size_t>(lift.stride()));
    Numbers few(Matrix::strip);
    for (int i = 0; i < count; ++i) {
      float* out = outputs.logits_of(first + static_cast<std::size_t>(i));
      pool(seen, i, pooled);
      summary.apply(pooled.data(), 0, 1, hidden.data());
      activate(activation, hidden);
      lift.apply(hidden.data(), 0, 1, lifted.data());
      each_cell(narrow, seen, i, thin);
      for (std::size_t k = 0; k < thin.size(); k += lanes)
        store(&thin[k], activated(activation, at(&thin[k]) + at(&lifted[k % lifted.size()])));
      logits.resize(static_cast<std::size_t>(board_cells) * cells.stride());
      cells.apply(thin.data(), narrow.stride(), board_cells, logits.data());
      for (int k = 0; k < board_cells; ++k) out[k] = logits[k * cells.stride()];
      if (beside) {
        beside->apply(hidden.data(), 0, 1, few.data());
        std::copy_n(few.data(), beside->width(), out + board_cells);
      }
      if (!critic) continue;
      critic->apply(hidden.data(), 0, 1, few.data());
      outputs.values[first + static_cast<std::size_t>(i)] = few[0];
    }
  }

 private:
  // The mean of every channel, then the maximum of every channel.
  static void pool(const Seen& seen, int i, Numbers& pooled) {
    const float share = 1.f / static_cast<float>(seen.board.rows * seen.board.columns);
    Numbers most(static_cast<std::size_t>(seen.stride));
    for (int k = 0; k < seen.stride; k += lanes) {
      Vector sum = {}, largest = at(seen.cell(i, 0, 0) + k);
      for (int row = 0; row < seen.board.rows; ++row)
        for (int column = 0; column < seen.board.columns; ++column) {
          const Vector here = at(seen.cell(i, row, column) + k);
          sum += here;
          largest = here > largest ? here : largest;
        }
      store(&pooled[k], sum * share);
      store(&most[k], largest);
    }
    std::copy_n(most.data(), seen.width, pooled.data() + seen.width);
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
      heads.judge({board, desk.seen.data(), layers[0].width(), layers[0].stride()}, count, activation, first, outputs);
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
