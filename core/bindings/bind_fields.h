// bind_fields<T>: a Python class for a struct of options.
#pragma once

#include "bindings/python.h"
#include "search/mcts/field.h"

namespace ludus {

// T says what its fields() are; the constructor takes them by position or by name.
template <class T>
nb::class_<T> bind_fields(nb::module_& m) {
  nb::class_<T> type(m, T::name);
  std::apply(
      [&]<class... F>(const F&... field) {
        type.def(
            "__init__",
            [](T* self, typename F::Type... values) {
              new (self) T;
              std::apply([&](const auto&... f) { ((self->*f.member = values), ...); }, T::fields());
            },
            (nb::arg(field.name) = T{}.*field.member)...);
        (type.def_rw(field.name, field.member), ...);
      },
      T::fields());
  return type;
}

}  // namespace ludus
