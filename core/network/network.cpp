// The arithmetic of networks, compiled apart: unlike rules and searches it may use fused multiply-add.
#include "network/network.h"

namespace ludus {

namespace {

bool has_critic(const Perceptron& body) { return body.critic.has_value(); }
bool has_critic(const auto& body) { return body.heads.critic.has_value(); }

void write_policy(const float* logits, std::size_t actions, float* policy) {
  const float most = *std::max_element(logits, logits + actions);
  float sum = 0;
  for (std::size_t a = 0; a < actions; ++a) sum += policy[a] = std::exp(logits[a] - most);
  for (std::size_t a = 0; a < actions; ++a) policy[a] /= sum;
}

}  // namespace

void Network::answer(const float* planes, std::size_t inputs, std::size_t count, float* policies, float* values) const {
  std::visit(
      [&](const auto& b) {
        Outputs outputs(count, b.actions(), has_critic(b));
        b.judge(planes, inputs, outputs);
        for (std::size_t i = 0; i < count; ++i) {
          write_policy(outputs.logits_of(i), actions(), policies + i * actions());
          values[i] = outputs.values.empty() ? 0.f : std::tanh(outputs.values[i]);
        }
      },
      body);
}

}  // namespace ludus
