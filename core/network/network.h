// Evaluating networks: fully connected layers, residual convolutions, or patterns. The weights are learned elsewhere
// (PyTorch).
#pragma once

#include <variant>

#include "network/convolutions.h"
#include "network/lookups.h"
#include "network/perceptron.h"

namespace ludus {

// A network of any kind.
struct Network {
  std::variant<Perceptron, Convolutions<DenseHeads>, Convolutions<PooledHeads>, Lookups<DenseHeads>,
               Lookups<PooledHeads>>
      body;

  std::size_t actions() const {
    return static_cast<std::size_t>(std::visit([](const auto& b) { return b.actions(); }, body));
  }
  // Policies over all actions, which sum to one, and values from -1 to +1 (zero without a critic). In a file of its
  // own, which may be compiled with fused multiply-add.
  void answer(const float* planes, std::size_t inputs, std::size_t count, float* policies, float* values) const;
};

}  // namespace ludus
