// When a long computation must stop: at a time, or when somebody says so.
#pragma once

#include <atomic>
#include <chrono>

namespace ludus {

struct Limit {
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::time_point::max();
  const std::atomic<bool>* stop = nullptr;  // raised by another thread, by Ctrl-C for one

  static Limit seconds(double s) {
    if (s >= 1e9) return {};
    return {Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s))};
  }

  // Looks at the clock, so ask every thousand steps or so, not in every one.
  bool reached() const {
    return (stop != nullptr && stop->load(std::memory_order_relaxed)) ||
           (deadline != Clock::time_point::max() && Clock::now() >= deadline);
  }
};

}  // namespace ludus
