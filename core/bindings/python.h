// The door to Python: what every binding file needs, and how an error is said there.
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

// `player` as 0 or 1, or a sentence.
inline int player_number(nb::handle player) {
  int number = -1;
  if (!whole_number(player, number) || (number != 0 && number != 1))
    raise("LudusError", "there is no player " + text_of(player) + "; players are 0 and 1");
  return number;
}

}  // namespace ludus
