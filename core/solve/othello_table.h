// What the Othello solver remembers: for a position, bounds on its margin and the action to try first.
// Whole positions are stored, so two of them are never mixed up.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bits.h"

namespace ludus {

template <int W>
struct OthelloEntry {
  Bits<W> mine, theirs;
  std::int16_t lower = 0, upper = -1;  // lower > upper: nothing here
  std::int16_t first = -1;             // the cell to try first, -1: any
  std::int16_t work = 0;               // log2 of the nodes it took

  bool used() const { return lower <= upper; }
  bool is(const Bits<W>& m, const Bits<W>& t) const { return used() && mine == m && theirs == t; }
};

template <int W>
class OthelloTable {
  using Entry = OthelloEntry<W>;
  struct Bucket {
    Entry laborious, latest;  // the first keeps what was hard to find, the second whatever comes
  };

 public:
  explicit OthelloTable(std::size_t bytes) {
    while (sizeof(Bucket) << (bits_ + 1) <= bytes) ++bits_;
    buckets_.resize(std::size_t{1} << bits_);
  }

  const Entry* find(const Bits<W>& mine, const Bits<W>& theirs) const {
    const Bucket& b = buckets_[place(mine, theirs)];
    if (b.laborious.is(mine, theirs)) return &b.laborious;
    return b.latest.is(mine, theirs) ? &b.latest : nullptr;
  }

  void keep(const Entry& e) {
    Bucket& b = buckets_[place(e.mine, e.theirs)];
    if (b.laborious.is(e.mine, e.theirs) || b.laborious.work <= e.work) {
      if (!b.laborious.is(e.mine, e.theirs)) b.latest = b.laborious;
      b.laborious = e;
    } else {
      --b.laborious.work;  // ages, so old work goes in the end
      b.latest = e;
    }
  }

  void prefetch(const Bits<W>& mine, const Bits<W>& theirs) const {
    __builtin_prefetch(&buckets_[place(mine, theirs)]);
  }
  void clear() { std::fill(buckets_.begin(), buckets_.end(), Bucket{}); }

 private:
  std::size_t place(const Bits<W>& mine, const Bits<W>& theirs) const {
    Word mixed = 0;
    for (int w = 0; w < W; ++w) mixed = (mixed ^ mine.words[w]) * 0x9e3779b97f4a7c15u ^ (theirs.words[w] * 0xbf58476d1ce4e5b9u >> 7) ^ theirs.words[w] << 21;
    return scramble(mixed) >> (64 - bits_);
  }

  int bits_ = 8;
  std::vector<Bucket> buckets_;
};

}  // namespace ludus
