// What all searches need at the door to Python: states in and out, limits, and letting go of the interpreter.
#pragma once

#include <atomic>

#include "base/limit.h"
#include "bindings/position.h"
#include "bindings/python_state.h"

namespace ludus {

// Asked by a long computation that has let go of Python: has Ctrl-C been pressed?
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

// Searches let go of Python while they run, so another thread could touch them. It gets a sentence instead.
struct Busy {
  std::atomic<bool> flag = false;
};
class InUse {
 public:
  explicit InUse(Busy& busy) : busy_(busy) {
    if (busy_.flag.exchange(true))
      raise("LudusError", "this search is at work in another thread; wait until it is done");
  }
  ~InUse() { busy_.flag = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  Busy& busy_;
};

template <State S, class Call>
auto without_python(Call call) {  // native states let go of Python while they compute
  if constexpr (std::is_same_v<S, PythonState>) {
    return call();
  } else {
    const nb::gil_scoped_release release;
    return call();
  }
}

// How Python hands over a state of type S, and how S becomes a Python object again.
template <State S>
struct Door {
  using Type = const Position<S>&;
  static Position<S> enter(Type p) { return p; }
  static nb::object leave(const Position<S>& p) { return nb::cast(p); }
};
template <>
struct Door<PythonState> {
  using Type = nb::object;
  static Position<PythonState> enter(Type object) { return {PythonState{object}, nb::none()}; }
  static nb::object leave(const Position<PythonState>& p) { return p.state.object; }
};

}  // namespace ludus
