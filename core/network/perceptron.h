// Fully connected layers.
#pragma once

#include <optional>

#include "network/activation.h"
#include "network/outputs.h"

namespace ludus {

// Any number of hidden layers; with `residual`, a layer as wide as the one before is added to its input.
struct Perceptron {
  std::vector<Matrix> layers;
  Matrix actor;
  std::optional<Matrix> critic;
  Activation activation;
  bool residual;

  int actions() const { return actor.width(); }

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
    Numbers logits(static_cast<std::size_t>(actor.stride()) * outputs.count);
    actor.apply(seen.data(), step, count, logits.data());
    for (std::size_t i = 0; i < outputs.count; ++i)
      std::copy_n(logits.data() + i * actor.stride(), actor.width(), outputs.logits_of(i));
    if (!critic) return;
    Numbers values(static_cast<std::size_t>(critic->stride()) * outputs.count);
    critic->apply(seen.data(), step, count, values.data());
    for (std::size_t i = 0; i < outputs.count; ++i) outputs.values[i] = values[i * critic->stride()];
  }
};

}  // namespace ludus
