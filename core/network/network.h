// Evaluating networks: fully connected layers, or residual convolutions. The weights are learned elsewhere (PyTorch).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <variant>

#include "network/matrix.h"

namespace ludus {

using Numbers = std::vector<float>;

enum class Activation { linear, sigmoid, tanh, relu };

inline void activate(Activation how, std::span<float> numbers) {
  switch (how) {
    case Activation::linear:
      return;
    case Activation::relu:
      for (float& x : numbers) x = x > 0 ? x : 0;
      return;
    case Activation::tanh:
      for (float& x : numbers) x = std::tanh(x);
      return;
    case Activation::sigmoid:
      for (float& x : numbers) x = 1 / (1 + std::exp(-x));
  }
}

// The outputs of the heads for `count` boards: logits for every action, and values before their tanh.
struct Outputs {
  std::size_t count;
  Numbers logits = {}, values = {};  // a row of `stride` numbers each, as their matrices write them
};

// Any number of hidden layers; with `residual`, a layer as wide as the one before is added to its input.
struct Perceptron {
  std::vector<Matrix> layers;
  Matrix actor;
  std::optional<Matrix> critic;
  Activation activation;
  bool residual;

  void judge(const float* planes, std::size_t inputs, Outputs& outputs) const {
    const int count = static_cast<int>(outputs.count);
    Numbers seen(planes, planes + inputs * outputs.count), next;
    std::ptrdiff_t step = static_cast<std::ptrdiff_t>(inputs);
    int width = static_cast<int>(inputs);
    for (const Matrix& layer : layers) {
      next.assign(static_cast<std::size_t>(layer.stride()) * outputs.count, 0);
      layer.apply(seen.data(), step, count, next.data());
      activate(activation, next);
      if (residual && layer.width() == width)
        for (int r = 0; r < count; ++r)
          for (int k = 0; k < width; ++k) next[r * layer.stride() + k] += seen[r * step + k];
      seen.swap(next);
      step = layer.stride(), width = layer.width();
    }
    actor.apply(seen.data(), step, count, outputs.logits.data());
    if (critic) critic->apply(seen.data(), step, count, outputs.values.data());
  }
};

// A convolution, residual blocks, and heads that read a few narrow channels of the whole board. A board lies in rows
// with one empty cell after each, between two empty rows: so every cell has eight neighbours.
struct Convolutions {
  int planes, rows, columns;
  std::vector<Matrix> layers;  // the first, then two for each block
  Matrix actor_narrow, actor;
  std::optional<Matrix> actor_cells;  // one logit per cell, from that cell alone
  std::optional<Matrix> critic_narrow, critic_hidden, critic;
  Activation activation;

  void judge(const float* input, std::size_t inputs, Outputs& outputs) const {
    const std::size_t cells = static_cast<std::size_t>(rows) * columns;
    const int width = layers[0].stride();
    Numbers board(size(planes)), seen(size(width)), one(size(width)), other(size(width)), thin;
    Numbers actor_input(outputs.count * cells * actor_narrow.width()), critic_input, hidden;
    if (critic) critic_input.resize(outputs.count * cells * critic_narrow->width());
    Numbers from_cells(actor_cells ? outputs.count * cells : 0);
    for (std::size_t i = 0; i < outputs.count; ++i) {
      fill_padded(input + i * inputs, board);
      convolve(layers[0], board, planes, seen);
      activate_board(seen, width);
      for (std::size_t layer = 1; layer + 1 < layers.size(); layer += 2) {
        convolve(layers[layer], seen, width, one);
        activate_board(one, width);
        convolve(layers[layer + 1], one, width, other);
        for (std::size_t k = 0; k < seen.size(); ++k) seen[k] += other[k];
        activate_board(seen, width);
      }
      narrow(actor_narrow, seen, width, thin, actor_input.data() + i * cells * actor_narrow.width());
      if (critic) narrow(*critic_narrow, seen, width, thin, critic_input.data() + i * cells * critic_narrow->width());
      if (actor_cells) cell_logits(seen, width, from_cells.data() + i * cells);
    }
    const int count = static_cast<int>(outputs.count);
    actor.apply(actor_input.data(), static_cast<std::ptrdiff_t>(cells) * actor_narrow.width(), count,
                outputs.logits.data());
    for (std::size_t i = 0; i < (actor_cells ? outputs.count : 0); ++i)
      for (std::size_t k = 0; k < cells; ++k) outputs.logits[i * actor.stride() + k] += from_cells[i * cells + k];
    if (!critic) return;
    hidden.resize(static_cast<std::size_t>(critic_hidden->stride()) * outputs.count);
    critic_hidden->apply(critic_input.data(), static_cast<std::ptrdiff_t>(cells) * critic_narrow->width(), count,
                         hidden.data());
    activate(activation, hidden);
    critic->apply(hidden.data(), critic_hidden->stride(), count, outputs.values.data());
  }

 private:
  int line() const { return columns + 1; }
  std::size_t first() const { return static_cast<std::size_t>(line()) + 1; }  // where the first cell lies
  int span() const { return rows * line() - 1; }                              // from there to the last one
  std::size_t size(int channels) const { return (static_cast<std::size_t>(rows + 2) * line() + 1) * channels; }

  // Copies planes (plane by plane) into a padded board (cell by cell).
  void fill_padded(const float* input, Numbers& board) const {
    for (int plane = 0; plane < planes; ++plane)
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
          board[(first() + row * line() + column) * planes + plane] = *input++;
  }
  void convolve(const Matrix& layer, const Numbers& from, int channels, Numbers& to) const {
    std::array<std::ptrdiff_t, 9> taps;
    for (int k = 0; k < 9; ++k) taps[k] = static_cast<std::ptrdiff_t>((k / 3 - 1) * line() + k % 3 - 1) * channels;
    layer.apply(from.data() + first() * channels, channels, taps, span(), to.data() + first() * layer.stride());
    for (int row = 0; row + 1 < rows; ++row)  // clears the padding, which was written over
      std::fill_n(to.data() + (first() + row * line() + columns) * layer.stride(), layer.stride(), 0.f);
  }
  void activate_board(Numbers& board, int channels) const {
    const std::span<float> cells(board.data() + first() * channels, static_cast<std::size_t>(span()) * channels);
    activate(activation, cells);
    if (activation != Activation::sigmoid) return;  // the other activations map 0 to 0, so the padding is still clear
    for (int row = 0; row + 1 < rows; ++row)
      std::fill_n(board.data() + (first() + row * line() + columns) * channels, channels, 0.f);
  }
  void narrow(const Matrix& layer, const Numbers& seen, int channels, Numbers& thin, float* out) const {
    thin.resize(static_cast<std::size_t>(span()) * layer.stride());
    layer.apply(seen.data() + first() * channels, channels, span(), thin.data());
    activate(activation, thin);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        out = std::copy_n(thin.data() + static_cast<std::size_t>(row * line() + column) * layer.stride(), layer.width(),
                          out);
  }
  // The logits of actions that are cells, each from the channels of its own cell.
  void cell_logits(const Numbers& seen, int channels, float* out) const {
    Numbers logits(static_cast<std::size_t>(span()) * actor_cells->stride());
    actor_cells->apply(seen.data() + first() * channels, channels, span(), logits.data());
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        *out++ = logits[static_cast<std::size_t>(row * line() + column) * actor_cells->stride()];
  }
};

// Policies over all actions, which sum to one, and values from -1 to +1 (zero without a critic).
template <class Body>
void answer(const Body& body, const float* planes, std::size_t inputs, std::size_t count, float* policies,
            float* values) {
  Outputs outputs{count};
  outputs.logits.resize(count * body.actor.stride());
  if (body.critic) outputs.values.resize(count * body.critic->stride());
  body.judge(planes, inputs, outputs);
  const std::size_t actions = static_cast<std::size_t>(body.actor.width());
  for (std::size_t i = 0; i < count; ++i) {
    const float* logits = outputs.logits.data() + i * body.actor.stride();
    float* policy = policies + i * actions;
    const float most = *std::max_element(logits, logits + actions);
    float sum = 0;
    for (std::size_t a = 0; a < actions; ++a) sum += policy[a] = std::exp(logits[a] - most);
    for (std::size_t a = 0; a < actions; ++a) policy[a] /= sum;
    values[i] = body.critic ? std::tanh(outputs.values[i * body.critic->stride()]) : 0.f;
  }
}

// A network of either kind.
struct Network {
  std::variant<Perceptron, Convolutions> body;

  std::size_t actions() const {
    return static_cast<std::size_t>(std::visit([](const auto& b) { return b.actor.width(); }, body));
  }
  // In a file of its own, which may be compiled with fused multiply-add.
  void answer(const float* planes, std::size_t inputs, std::size_t count, float* policies, float* values) const;
};

}  // namespace ludus
