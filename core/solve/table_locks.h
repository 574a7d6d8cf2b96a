// Locks for a table that several threads share. The table of a single thread has none and pays nothing.
#pragma once

#include <memory>

#include "base/spin_lock.h"

namespace ludus {

class TableLocks {
 public:
  // From now on several threads may use the table.
  void share() {
    if (!locks_) locks_ = std::make_unique<SpinLock[]>(count);
  }

  // Holds the lock of a place for as long as it lives, if there are locks.
  class Hold {
   public:
    explicit Hold(SpinLock* lock) : lock_(lock) {
      if (lock_ != nullptr) lock_->lock();
    }
    ~Hold() {
      if (lock_ != nullptr) lock_->unlock();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    SpinLock* lock_;
  };
  Hold hold(std::size_t place) const { return Hold(locks_ ? &locks_[place % count] : nullptr); }

 private:
  static constexpr std::size_t count = 256;  // many places share a lock
  std::unique_ptr<SpinLock[]> locks_;
};

}  // namespace ludus
