// What a network says of some boards, before it is made a policy and a value.
#pragma once

#include <cstddef>
#include <vector>

namespace ludus {

using Numbers = std::vector<float>;

// Logits of every action, and values before their tanh (empty without a critic).
struct Outputs {
  std::size_t count;  // boards
  int actions;
  Numbers logits = {}, values = {};

  Outputs(std::size_t boards, int num_actions, bool critic)
      : count(boards), actions(num_actions), logits(boards * num_actions), values(critic ? boards : 0) {}
  float* logits_of(std::size_t board) { return logits.data() + board * actions; }
};

}  // namespace ludus
