// A lock for a tree or a table that several threads share.
#pragma once

#include <atomic>
#include <thread>

namespace ludus {

// A lock for work of a microsecond or less: whoever must wait looks again, instead of going to sleep.
class alignas(64) SpinLock {  // a cache line of its own
 public:
  void lock() {
    while (taken_.test_and_set(std::memory_order_acquire))
      for (int tries = 1; taken_.test(std::memory_order_relaxed); ++tries) rest(tries);
  }
  void unlock() { taken_.clear(std::memory_order_release); }

 private:
  static void rest(int tries) {
    if (tries % 256 == 0) std::this_thread::yield();  // the other thread may have lost its processor
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }
  std::atomic_flag taken_;
};

}  // namespace ludus
