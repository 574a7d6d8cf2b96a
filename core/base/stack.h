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

// The lowest address of this thread's stack, which grows downwards; 0 where the system does not tell.
inline std::uintptr_t find_stack_end() {
#if defined(_WIN32)
  ULONG_PTR low = 0, high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  return low;
#elif defined(__APPLE__)
  const auto high = reinterpret_cast<std::uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
  return high - pthread_get_stacksize_np(pthread_self());
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* low = nullptr;
  std::size_t size = 0, guard = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_getguardsize(&attributes, &guard);  // which some systems count as part of the stack
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(low) + guard;
#else
  return 0;
#endif
}

// The same, kept for every thread, because asking the system takes some microseconds.
inline std::uintptr_t stack_end() {
  thread_local const std::uintptr_t end = find_stack_end();
  return end;
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
  static constexpr std::uintptr_t unknown = std::uintptr_t{128} << 10;  // less than any system gives a thread

  explicit StackLeft(std::uintptr_t here) {
    const std::uintptr_t end = stack_end() != 0 ? stack_end() : here - std::min(here, unknown);
    const std::uintptr_t left = here > end ? here - end : 0;
    floor_ = std::max(end + std::clamp(left / 4, least_free, most_free), here - std::min(here, most));
  }

  std::uintptr_t floor_;
};

}  // namespace ludus
