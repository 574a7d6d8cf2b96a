// The arithmetic of networks, compiled apart: unlike rules and searches it may use fused multiply-add.
#include "network/network.h"

namespace ludus {

void Network::answer(const float* planes, std::size_t inputs, std::size_t count, float* policies, float* values) const {
  std::visit([&](const auto& b) { ludus::answer(b, planes, inputs, count, policies, values); }, body);
}

}  // namespace ludus
