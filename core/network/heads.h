// What reads the channels of all cells: heads for one size of the board, and heads for every size.
#pragma once

#include <algorithm>
#include <optional>

#include "network/activation.h"
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

}  // namespace ludus
