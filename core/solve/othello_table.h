// The transposition table of the Othello solver: for a position, bounds on its margin and the cell to try first.
// Whole positions are stored, so two of them are never mixed up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bits.h"
#include "solve/table_locks.h"

namespace ludus {

// The discs of the player to move and of the other player.
template <int W>
struct OthelloSides {
  Bits<W> mine, theirs;
  OthelloSides swapped() const { return {theirs, mine}; }
  int lead() const { return mine.count() - theirs.count(); }
  friend bool operator==(const OthelloSides&, const OthelloSides&) = default;
};

template <int W>
struct OthelloEntry {
  OthelloSides<W> sides;
  std::int16_t lower = 0, upper = -1;  // lower > upper: nothing here
  std::int16_t first = -1;             // the cell to try first, -1: any
  std::int16_t work = 0;               // log2 of the nodes it took

  bool is(const OthelloSides<W>& s) const { return sides == s && lower <= upper; }
};

template <int W>
class OthelloTable {
  using Entry = OthelloEntry<W>;
  struct Bucket {
    Entry laborious, latest;  // the first keeps the entry that took more work, the second is always replaced
  };

 public:
  explicit OthelloTable(std::size_t bytes) {
    while (sizeof(Bucket) << (bits_ + 1) <= bytes) ++bits_;
    buckets_.resize(std::size_t{1} << bits_);
  }

  void share() { locks_.share(); }

  std::optional<Entry> find(const OthelloSides<W>& sides) const {
    const std::size_t at = place(sides);
    const TableLocks::Hold hold = locks_.hold(at);
    const Bucket& b = buckets_[at];
    if (b.laborious.is(sides)) return b.laborious;
    if (b.latest.is(sides)) return b.latest;
    return std::nullopt;
  }

  void keep(const Entry& entry) {
    const std::size_t at = place(entry.sides);
    const TableLocks::Hold hold = locks_.hold(at);
    Bucket& b = buckets_[at];
    if (b.laborious.is(entry.sides)) {
      b.laborious = entry;
    } else if (b.laborious.work <= entry.work) {
      b.latest = b.laborious;
      b.laborious = entry;
    } else {
      --b.laborious.work;  // so that old entries are replaced in the end
      b.latest = entry;
    }
  }

  void prefetch(const OthelloSides<W>& sides) const { __builtin_prefetch(&buckets_[place(sides)]); }
  void clear() { std::fill(buckets_.begin(), buckets_.end(), Bucket{}); }

 private:
  std::size_t place(const OthelloSides<W>& sides) const {
    Word mixed = 0;
    for (int w = 0; w < W; ++w) {
      mixed = (mixed ^ sides.mine.words[w]) * 0x9e3779b97f4a7c15u;
      mixed = (mixed ^ mixed >> 32 ^ sides.theirs.words[w]) * 0xbf58476d1ce4e5b9u;
    }
    return mixed >> (64 - bits_);
  }

  int bits_ = 8;
  std::vector<Bucket> buckets_;
  TableLocks locks_;
};

}  // namespace ludus
