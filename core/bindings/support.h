// What all searches need in their bindings: states from and to Python, limits, and releasing the GIL.
#pragma once

#include <atomic>

#include "base/limit.h"
#include "bindings/position.h"
#include "bindings/python_state.h"

namespace ludus {

// Called by a long computation that has released the GIL: has Ctrl-C been pressed?
inline bool interrupted() {
  const nb::gil_scoped_acquire hold;
  return PyErr_CheckSignals() != 0;
}
inline void raise_if_interrupted() {
  if (PyErr_Occurred()) throw nb::python_error();
}
inline Limit limit_of(double seconds) {
  Limit limit = Limit::seconds(seconds);
  limit.interrupted = &interrupted;
  return limit;
}

// Searches release the GIL while they run, so another Python thread could touch them. It gets an error instead.
struct Busy {
  std::atomic<bool> flag = false;
};
class InUse {
 public:
  explicit InUse(Busy& busy) : busy_(busy) {
    if (busy_.flag.exchange(true))
      raise("LudusError", "this search is running in another thread; wait until it is done");
  }
  ~InUse() { busy_.flag = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  Busy& busy_;
};

template <State S, class Call>
auto without_python(Call call) {  // native states release the GIL while they compute
  if constexpr (std::is_same_v<S, PythonState>) {
    return call();
  } else {
    const nb::gil_scoped_release release;
    return call();
  }
}

// Only native states can be searched by several threads: Python runs one thread at a time.
template <State S>
void refuse_threads(int threads) {
  if (std::is_same_v<S, PythonState> && threads > 1)
    raise("BadOption", "several threads need a native game, plain rollouts and expansion 'one'");
}

// Converts a state from Python to C++ (from_python) and back (to_python).
template <State S>
struct Convert {
  using Type = const Position<S>&;
  static Position<S> from_python(Type p) { return p; }
  static StateObject to_python(const Position<S>& p) { return hand_over<StateObject>(p); }
};
template <>
struct Convert<PythonState> {
  using Type = StateObject;
  static Position<PythonState> from_python(Type object) { return {PythonState{object}, nb::none()}; }
  static StateObject to_python(const Position<PythonState>& p) { return nb::borrow<StateObject>(p.state.object); }
};

}  // namespace ludus
