// A lock for a tree that several threads share.
#pragma once

#include <atomic>
#include <thread>

namespace ludus {

// A lock for work of a microsecond or less: whoever must wait looks again, instead of going to sleep.
class SpinLock {
 public:
  void lock() {
    for (int tries = 0; taken_.test_and_set(std::memory_order_acquire); ++tries)
      if (tries % 64 == 63) std::this_thread::yield();
  }
  void unlock() { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_;
};

}  // namespace ludus
