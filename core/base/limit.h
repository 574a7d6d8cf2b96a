// When a long computation must stop: at a deadline, when another thread says so, or on Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <ctime>
#include <limits>

namespace ludus {

// Seconds that this thread has computed; where the system does not tell, seconds of a clock.
inline double processor_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  std::timespec spent{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) == 0)
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Limit {
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::time_point::max();
  const std::atomic<bool>* stop = nullptr;  // set to true by another thread
  bool (*interrupted)() = nullptr;          // asked every 50 ms: has the user pressed Ctrl-C?
  double processor_end = endless;           // of processor_seconds() of the thread that made this limit

  static Limit seconds(double s) {
    if (!(s < 1e9)) return {};
    return {Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s))};
  }

  // So much work of this thread, however long it has to wait for a processor on a busy machine.
  static Limit work(double seconds) {
    Limit limit;
    limit.processor_end = processor_seconds() + seconds;
    return limit;
  }

  bool timed() const { return deadline != Clock::time_point::max(); }

  bool late() const { return timed() && Clock::now() >= deadline; }  // of all that reached() asks, only this

  // Reads the clock, so call it every thousand steps or so, not in every step.
  bool reached() const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return true;
    if (processor_end != endless && processor_seconds() >= processor_end) return true;
    if (!timed() && interrupted == nullptr) return false;
    const Clock::time_point now = Clock::now();
    if (interrupted != nullptr && now >= next_question_) {
      next_question_ = now + std::chrono::milliseconds(50);
      if (interrupted()) return true;
    }
    return now >= deadline;
  }

  static constexpr double endless = std::numeric_limits<double>::infinity();
  mutable Clock::time_point next_question_ = Clock::time_point::min();  // when to ask `interrupted` again
};

}  // namespace ludus
