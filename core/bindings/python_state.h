// PythonState: any Python object with the five members, as a State for the compiled searches.
#pragma once

#include <cmath>
#include <vector>

#include "base/state.h"
#include "bindings/python.h"

namespace ludus {

// Copying shares the Python object; play() replaces it, for Python states are values too.
struct PythonState {
  static constexpr bool may_never_end = true;

  nb::object object;

  Player player() const {
    const nb::object number = member("player");
    int who = -1;
    if (!whole_number(number, who) || (who != 0 && who != 1))
      raise("BrokenGame", "player must be 0 or 1, not " + text_of(number));
    return who;
  }
  bool over() const {
    const nb::object answer = member("over");
    const int truth = PyCallable_Check(answer.ptr()) ? -2 : PyObject_IsTrue(answer.ptr());
    if (truth == -2) raise("BrokenGame", "over must be a property, not a method: put @property above it");
    if (truth < 0) throw nb::python_error();
    return truth == 1;
  }
  float score(Player p) const {
    const nb::object number = member("score")(p);
    const double score = PyFloat_AsDouble(number.ptr());
    if (PyErr_Occurred()) PyErr_Clear(), raise("BrokenGame", "score() must return a number, not " + text_of(number));
    if (score < -1 || score > 1 || score != score)
      raise("BrokenGame", "score() must be between -1 and +1, not " + text_of(number));
    return static_cast<float>(score);
  }
  // Optional: the result in points, for searches that are asked for the margin.
  double margin(Player p) const {
    const nb::object number = member("margin")(p);
    const double margin = PyFloat_AsDouble(number.ptr());
    if (PyErr_Occurred()) PyErr_Clear(), raise("BrokenGame", "margin() must return a number, not " + text_of(number));
    if (!std::isfinite(margin)) raise("BrokenGame", "margin() must be a finite number, not " + text_of(number));
    return margin;
  }
  std::vector<Action> actions() const {
    const nb::object list = member("actions")();
    const nb::object items = nb::steal(PySequence_Fast(list.ptr(), ""));
    if (!items.is_valid()) {
      PyErr_Clear();
      raise("BrokenGame", "actions() must return a list of whole numbers, not " + text_of(list));
    }
    std::vector<Action> numbers;
    numbers.reserve(nb::len(items));
    for (nb::handle item : items) {
      int action = -1;
      if (!whole_number(item, action) || action < 0)
        raise("BrokenGame", "an action is a whole number from 0 up, not " + text_of(item));
      numbers.push_back(action);
    }
    if (numbers.empty() && !over()) raise("BrokenGame", "actions() is empty although the game is not over");
    return numbers;
  }
  void play(Action a) {
    object = member("play")(a);
    if (object.is_none()) raise("BrokenGame", "play() must return the next state and leave the old one as it is");
  }

  // For tables of states: Python's own == and hash().
  friend bool operator==(const PythonState& a, const PythonState& b) { return a.object.equal(b.object); }
  std::size_t hash() const {
    const Py_hash_t h = PyObject_Hash(object.ptr());
    if (h == -1) {
      PyErr_Clear();
      raise("BrokenGame", "caching needs states with == and hash(), and " + text_of(object) + " has no hash");
    }
    return static_cast<std::size_t>(h);
  }

 private:
  nb::object member(const char* name) const {
    if (!nb::hasattr(object, name))
      raise("BrokenGame", nb::cast<std::string>(nb::str(object.type().attr("__name__"))) + " has no member " + name +
                              "; a state needs player, over, score, actions and play");
    return object.attr(name);
  }
};
static_assert(State<PythonState>);

// Can a table of states tell this one from others? Python compares by identity where a class has no == of its own.
inline bool can_be_cached(const PythonState& state) {
  const nb::handle type = state.object.type(), plain = reinterpret_cast<PyObject*>(&PyBaseObject_Type);
  return !type.attr("__hash__").is_none() && !type.attr("__eq__").is(plain.attr("__eq__"));
}

}  // namespace ludus
