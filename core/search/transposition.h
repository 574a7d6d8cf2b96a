// The transposition table: for every searched state its value or a bound on it, the depth, and the best action.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <unordered_map>

#include "base/bits.h"
#include "base/state.h"

namespace ludus {

// A search with a window knows a value exactly, or only that it is at least or at most so much.
enum class Bound : std::uint8_t { exact, at_least, at_most };

struct Known {
  double value;
  int depth;
  Action action;
  Bound bound;
  bool complete;  // rests on no guess, so no depth would change it

  // Does this answer a search of `wanted` plies within a window? A value that rests on guesses must come from the
  // same depth: a deeper search may be more accurate, but then caching would change the result.
  bool settles(int wanted, double alpha, double beta) const {
    if (depth != wanted && !complete) return false;
    return bound == Bound::exact || (bound == Bound::at_least ? value >= beta : value <= alpha);
  }
};

// A map from states to something, by their key() or, where they have none, by == and hash().
template <class S>
struct StateHash {
  std::size_t operator()(const S& state) const { return state.hash(); }
};
template <class S, class V>
struct StateMapOf {
  using Type = std::unordered_map<S, V, StateHash<S>>;
  static const S& name(const S& state) { return state; }
};
template <class S, class V>
  requires requires(const S& state) { state.key(); }
struct StateMapOf<S, V> {
  using Type = std::unordered_map<Word, V>;
  static Word name(const S& state) { return state.key(); }
};
template <class S, class V>
using StateMap = typename StateMapOf<S, V>::Type;

// States with a 64-bit key(): a table of fixed size with one entry per place, where a new entry replaces an old one.
// calloc gets zeroed memory from the system page by page as it is touched, so a short search does not pay for a large
// table.
template <class S>
class Transpositions {
 public:
  explicit Transpositions(std::size_t places = 1 << 20) {
    std::size_t size = 1;
    while (size < places) size *= 2;
    mask_ = size - 1;
    table_.reset(static_cast<Entry*>(std::calloc(size, sizeof(Entry))));
    if (!table_) throw std::bad_alloc();
  }

  const Known* find(const S& state) const {
    const Word key = state.key();
    const Entry& entry = table_[key & mask_];
    return entry.used && entry.key == key ? &entry.known : nullptr;
  }
  void store(const S& state, const Known& known) {
    const Word key = state.key();
    table_[key & mask_] = {key, known, true};
  }

 private:
  struct Entry {  // all zeros: unused
    Word key;
    Known known;
    bool used;
  };
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  std::unique_ptr<Entry[], Free> table_;
  std::size_t mask_ = 0;
};

// States without a key but with == and a hash (Python's): a map that holds the states themselves.
template <class S>
  requires requires(const S& state) { state.hash(); }
class Transpositions<S> {
 public:
  explicit Transpositions(std::size_t = 0) {}
  const Known* find(const S& state) const {
    const auto found = map_.find(state);
    return found == map_.end() ? nullptr : &found->second;
  }
  void store(const S& state, const Known& known) { map_.insert_or_assign(state, known); }

 private:
  StateMap<S, Known> map_;
};

}  // namespace ludus
