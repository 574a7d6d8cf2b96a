// The lists that actions() returns: no allocation, ascending, indexable.
#pragma once

#include <array>
#include <cassert>

#include "base/bits.h"
#include "base/state.h"

namespace ludus {

// {first, first + 1, …, last - 1}.
struct ActionRange {
  int first, last;
  int size() const { return last - first; }
  Action operator[](int i) const {
    assert(0 <= i && i < size());
    return first + i;
  }

  struct Walk {
    int now;
    Action operator*() const { return now; }
    Walk& operator++() {
      ++now;
      return *this;
    }
    bool operator!=(const Walk& other) const { return now != other.now; }
  };
  Walk begin() const { return {first}; }
  Walk end() const { return {last}; }
};

// A list of at most N actions.
template <int N>
struct ActionList {
  std::array<Action, N> items;
  int length = 0;
  void push(Action action) {
    assert(length < N && (length == 0 || items[length - 1] < action));
    items[length++] = action;
  }
  int size() const { return length; }
  Action operator[](int i) const {
    assert(0 <= i && i < length);
    return items[i];
  }
  const Action* begin() const { return items.data(); }
  const Action* end() const { return items.data() + length; }
};

// The members of a set of cells, and perhaps one more action after all cells (a pass, a swap).
template <int W>
struct CellActions {
  Bits<W> cells;
  Action last = -1;  // -1: there is no such action

  int size() const { return cells.count() + (last >= 0); }
  Action operator[](int i) const {
    assert(0 <= i && i < size());
    return last >= 0 && i == cells.count() ? last : cells.select(i);
  }

  struct Walk {
    Bits<W> left;
    Action last;
    Action operator*() const { return left.any() ? left.lowest() : last; }
    Walk& operator++() {
      if (left.any())
        left.remove_lowest();
      else
        last = -1;
      return *this;
    }
    bool operator!=(const Walk&) const { return left.any() || last >= 0; }
  };
  Walk begin() const { return {cells, last}; }
  Walk end() const { return {{}, -1}; }
};

}  // namespace ludus
