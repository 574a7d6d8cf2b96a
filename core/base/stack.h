// How far a recursion may go down before this thread's stack runs out, measured instead of counted: threads have stacks
// of different sizes, and the same function takes far more of it in a build that checks itself.
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(_WIN32)
#include <windows.h>
#elif defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace ludus {

// Addresses of a stack, which grows downwards: the lowest that may be used, and the one that it began with.
struct StackBounds {
  std::uintptr_t low = 0, high = 0;  // both 0: the system does not tell

  std::uintptr_t size() const { return high - low; }
};

inline StackBounds find_stack_bounds() {
#if defined(_WIN32)
  ULONG_PTR low = 0, high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  return {low, high};
#elif defined(__APPLE__)
  const auto high = reinterpret_cast<std::uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
  return {high - pthread_get_stacksize_np(pthread_self()), high};
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* start = nullptr;
  std::size_t size = 0, guard = 0;
  pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_getguardsize(&attributes, &guard);  // which some systems count as part of the stack
  pthread_attr_destroy(&attributes);
  const auto low = reinterpret_cast<std::uintptr_t>(start);
  return {low + std::min(guard, size), low + size};
#else
  return {};
#endif
}

// Those of this thread. To ask the system costs some microseconds, so it is asked once.
inline const StackBounds& stack_bounds() {
  thread_local const StackBounds bounds = find_stack_bounds();
  return bounds;
}

// Where the function that asks stands on the stack. Not the address of a local variable: an address sanitizer may keep
// those elsewhere.
#if defined(_MSC_VER)
#define LUDUS_HERE reinterpret_cast<std::uintptr_t>(_AddressOfReturnAddress())
#else
#define LUDUS_HERE reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))
#endif

// The stack that a recursion may use, which begins where this is made and stays in the same thread.
class StackLeft {
 public:
  StackLeft() : StackLeft(LUDUS_HERE) {}

  // Must the function that asks go no deeper? It still has room for the functions that it calls besides itself.
  [[gnu::always_inline]] bool spent() const { return LUDUS_HERE < floor_; }

 private:
  // What is kept free for the work at the end of the recursion: a guess at a state may call Python.
  static constexpr std::uintptr_t least_free = std::uintptr_t{48} << 10, most_free = std::uintptr_t{256} << 10;
  // More than this no recursion gets, however large the stack: each ply has memory of its own elsewhere, too.
  static constexpr std::uintptr_t most = std::uintptr_t{3} << 20;

  explicit StackLeft(std::uintptr_t here) : floor_(here - std::min(here, unknown_size)) {
    const StackBounds& bounds = stack_bounds();
    if (bounds.high == 0) return;
    const std::uintptr_t free = std::clamp(bounds.size() / 4, least_free, most_free);
    floor_ = std::max(bounds.low + free, here - std::min(here, most));
  }

  static constexpr std::uintptr_t unknown_size = std::uintptr_t{128} << 10;  // less than any system gives a thread
  std::uintptr_t floor_;
};

}  // namespace ludus
