// What a neuron makes of its sum.
#pragma once

#include <cmath>
#include <span>

#include "network/matrix.h"

namespace ludus {

enum class Activation { linear, sigmoid, tanh, relu };

[[gnu::always_inline]] inline Vector activated(Activation how, Vector x) {
  if (how == Activation::relu) return x > 0 ? x : x - x;
  if (how == Activation::tanh)
    for (int k = 0; k < lanes; ++k) x[k] = std::tanh(x[k]);
  if (how == Activation::sigmoid)
    for (int k = 0; k < lanes; ++k) x[k] = 1 / (1 + std::exp(-x[k]));
  return x;
}

// The same in place; as many numbers as fill whole vectors.
inline void activate(Activation how, std::span<float> numbers) {
  for (std::size_t k = 0; k < numbers.size(); k += lanes) store(&numbers[k], activated(how, at(&numbers[k])));
}

}  // namespace ludus
