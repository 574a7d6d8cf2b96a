// What every binding file needs: nanobind, raising errors of ludus.errors, and reading numbers that Python hands over.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace nb = nanobind;

namespace ludus {

// Raises ludus.errors.<kind>(message) in Python.
[[noreturn]] inline void raise(const char* kind, const std::string& message) {
  const nb::object type = nb::module_::import_("ludus.errors").attr(kind);
  PyErr_SetString(type.ptr(), message.c_str());
  throw nb::python_error();
}

inline void require(bool fine, const char* message) {
  if (!fine) raise("BadOption", message);
}

inline void require_cells(const std::vector<int>& cells, int count) {
  bool fine = static_cast<int>(cells.size()) == count;
  for (const int cell : cells) fine &= cell >= 0 && cell <= 2;
  require(fine, "cells must be one 0, 1 or 2 for every cell of the board");
}

// Python objects as arguments and results, under the names that signatures and the stub give them.
inline bool any_object(PyObject*) { return true; }
struct GameObject : nb::object {
  NB_OBJECT_DEFAULT(GameObject, nb::object, "ludus.game.Game", any_object)
};
struct StateObject : nb::object {
  NB_OBJECT_DEFAULT(StateObject, nb::object, "ludus.game.State", any_object)
};
struct NativeStateObject : nb::object {
  NB_OBJECT_DEFAULT(NativeStateObject, nb::object, "ludus.game.NativeState", any_object)
};
struct OriginObject : nb::object {  // a drawn board and who is to move on it; None: the start of the game
  NB_OBJECT_DEFAULT(OriginObject, nb::object, "tuple[str, int | None] | None", any_object)
};
struct EstimateObject : nb::object {
  NB_OBJECT_DEFAULT(EstimateObject, nb::object, "str | collections.abc.Callable[[ludus.game.State], float]", any_object)
};
struct MctsObject : nb::object {
  NB_OBJECT_DEFAULT(MctsObject, nb::object, "ludus.search.compiled.CompiledMcts", any_object)
};
struct ForestObject : nb::object {
  NB_OBJECT_DEFAULT(ForestObject, nb::object, "ludus.search.compiled.CompiledForest", any_object)
};
struct SelfPlayObject : nb::object {
  NB_OBJECT_DEFAULT(SelfPlayObject, nb::object, "ludus.learn.native.NativeSelfPlay", any_object)
};
struct SchoolObject : nb::object {
  NB_OBJECT_DEFAULT(SchoolObject, nb::object, "ludus.learn.native.NativeSchool", any_object)
};
struct ExercisesObject : nb::object {
  NB_OBJECT_DEFAULT(ExercisesObject, nb::object, "ludus.learn.native.NativeExercises", any_object)
};

// A new C++ object that Python owns from now on, or a copy of a value, under one of those names.
template <class Name, class T>
Name hand_over(T&& value) {
  return nb::steal<Name>(nb::cast(std::forward<T>(value), nb::rv_policy::automatic).release());
}

// A Python whole number (a numpy one, too) as an int. False if it is none or does not fit.
inline bool whole_number(nb::handle from, int& to) {
  const nb::object number = nb::steal(PyNumber_Index(from.ptr()));
  if (!number.is_valid()) {
    PyErr_Clear();
    return false;
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  to = static_cast<int>(value);
  return overflow == 0 && to == value;
}

inline std::string text_of(nb::handle object) { return nb::cast<std::string>(nb::repr(object)); }

// `player` as 0 or 1; raises an error for anything else.
inline int player_number(nb::handle player) {
  int number = -1;
  if (!whole_number(player, number) || (number != 0 && number != 1))
    raise("LudusError", "there is no player " + text_of(player) + "; players are 0 and 1");
  return number;
}

}  // namespace ludus
