// When a long computation must stop: at a deadline, when another thread says so, or on Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>

namespace ludus {

struct Limit {
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::time_point::max();
  const std::atomic<bool>* stop = nullptr;  // set to true by another thread
  bool (*interrupted)() = nullptr;          // asked every 50 ms: has the user pressed Ctrl-C?

  static Limit seconds(double s) {
    if (!(s < 1e9)) return {};
    return {Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s))};
  }

  bool timed() const { return deadline != Clock::time_point::max(); }

  bool late() const { return timed() && Clock::now() >= deadline; }  // of all that reached() asks, only this

  // Reads the clock, so call it every thousand steps or so, not in every step.
  bool reached() const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return true;
    if (!timed() && interrupted == nullptr) return false;
    const Clock::time_point now = Clock::now();
    if (interrupted != nullptr && now >= next_question_) {
      next_question_ = now + std::chrono::milliseconds(50);
      if (interrupted()) return true;
    }
    return now >= deadline;
  }

  mutable Clock::time_point next_question_ = Clock::time_point::min();  // when to ask `interrupted` again
};

}  // namespace ludus
