// What the solvers that share a question are searching at this moment, so that they do not all search the same.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace ludus {

// Places of a table, on which somebody may be at work. Several places share a mark; then a solver leaves for later
// what nobody is searching, which is harmless.
class AtWork {
 public:
  bool at(std::size_t place) const { return mark(place).load(std::memory_order_relaxed) > 0; }

  // Somebody is at a place for as long as this lives. Who works alone (`all` is null) marks nothing.
  class Mark {
   public:
    Mark(AtWork* all, std::size_t place) : mark_(all != nullptr ? &all->mark(place) : nullptr) {
      if (mark_ != nullptr) mark_->fetch_add(1, std::memory_order_relaxed);
    }
    ~Mark() {
      if (mark_ != nullptr) mark_->fetch_sub(1, std::memory_order_relaxed);
    }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

   private:
    std::atomic<int>* mark_;
  };

 private:
  std::atomic<int>& mark(std::size_t place) { return marks_[place % marks_.size()]; }
  const std::atomic<int>& mark(std::size_t place) const { return marks_[place % marks_.size()]; }

  std::array<std::atomic<int>, 1 << 12> marks_{};
};

}  // namespace ludus
