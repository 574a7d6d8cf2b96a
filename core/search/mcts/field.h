// How a struct of options says what may be set from outside: its name, and fields(), a tuple of these.
#pragma once

#include <tuple>

namespace ludus {

template <class S, class T>
struct Field {
  using Type = T;
  const char* name;
  T S::* member;
};

}  // namespace ludus
