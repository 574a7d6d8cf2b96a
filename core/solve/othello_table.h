// The transposition table of the Othello solver: for a position, bounds on its margin and the cell to try first.
// Whole positions are stored, so two of them are never mixed up.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/bits.h"
#include "solve/table_locks.h"

namespace ludus {

// The discs of the player to move and of the other player.
template <int W>
struct OthelloSides {
  Bits<W> mine, theirs;
  OthelloSides swapped() const { return {theirs, mine}; }
  int lead() const { return mine.count() - theirs.count(); }
  // After a move to `cell` that turns some discs over, as the other player sees it.
  OthelloSides after(int cell, const Bits<W>& turned) const {
    Bits<W> more = mine | turned;
    more.add(cell);
    return {theirs.without(turned), more};
  }
  friend bool operator==(const OthelloSides&, const OthelloSides&) = default;
};

// What is known of a position.
struct OthelloKnown {
  int lower, upper;  // bounds on the margin
  int first = -1;    // the cell to try first, -1: any
};

// Boards of one word have small entries: three of them and a place in a table are one cache line.
template <int W>
class OthelloTable {
  using Number = std::conditional_t<W == 1, std::int8_t, std::int16_t>;
  struct [[gnu::packed, gnu::aligned(4)]] Entry {  // all zeros: nothing here
    Word words[2 * W] = {};
    Number lower = 0, upper = 0;
    Number first = 0;
    std::uint8_t work = 0;  // log2 of the nodes it took

    bool is(const OthelloSides<W>& s) const {
      Word other = 0;
      for (int w = 0; w < W; ++w) other |= (words[w] ^ s.mine.words[w]) | (words[W + w] ^ s.theirs.words[w]);
      return other == 0;
    }
  };
  struct alignas(64) Bucket {
    std::array<Entry, W == 1 ? 3 : 2> entries;
  };

 public:
  explicit OthelloTable(std::size_t bytes) {
    while (sizeof(Bucket) << (bits_ + 1) <= bytes) ++bits_;
    const std::size_t size = sizeof(Bucket) << bits_;
    // From calloc, because a short search does not pay for what it does not touch; in large pages, because most places
    // that are looked up are far from all others.
    const std::size_t whole = size < huge_page ? alignof(Bucket) : huge_page;
    memory_.reset(std::calloc(size + whole, 1));
    if (memory_ == nullptr) throw std::bad_alloc();
    void* at = memory_.get();
    std::size_t space = size + whole;
    buckets_ = static_cast<Bucket*>(std::align(whole, size, at, space));
#ifdef MADV_HUGEPAGE
    if (size >= huge_page) madvise(buckets_, size, MADV_HUGEPAGE);
#endif
  }

  void share() { locks_.share(); }

  // What the table knows of a position; if nothing, then `nothing`.
  OthelloKnown find(const OthelloSides<W>& sides, const OthelloKnown& nothing) const {
    const std::size_t at = place(sides);
    const TableLocks::Hold hold = locks_.hold(at);
    for (const Entry& entry : buckets_[at].entries)
      if (entry.is(sides)) return {entry.lower, entry.upper, entry.first};
    return nothing;
  }

  // Takes the place of what took the least work. What took the most seems a little less work from then on, so that old
  // entries are replaced in the end.
  void keep(const OthelloSides<W>& sides, const OthelloKnown& known, std::int64_t nodes) {
    const std::size_t at = place(sides);
    const TableLocks::Hold hold = locks_.hold(at);
    Entry& entry = to_replace(buckets_[at], sides);
    for (int w = 0; w < W; ++w) entry.words[w] = sides.mine.words[w], entry.words[W + w] = sides.theirs.words[w];
    entry.lower = static_cast<Number>(known.lower);
    entry.upper = static_cast<Number>(known.upper);
    entry.first = static_cast<Number>(known.first);
    entry.work = static_cast<std::uint8_t>(std::bit_width(static_cast<Word>(nodes)));
  }

  void prefetch(const OthelloSides<W>& sides) const { __builtin_prefetch(&buckets_[place(sides)]); }
  void clear() { std::fill(buckets_, buckets_ + (std::size_t{1} << bits_), Bucket{}); }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  std::size_t place(const OthelloSides<W>& sides) const {
    Word mixed = 0;
    for (int w = 0; w < W; ++w) {
      mixed = (mixed ^ sides.mine.words[w]) * 0x9e3779b97f4a7c15u;
      mixed = (mixed ^ mixed >> 32 ^ sides.theirs.words[w]) * 0xbf58476d1ce4e5b9u;
    }
    return mixed >> (64 - bits_);
  }

  static Entry& to_replace(Bucket& bucket, const OthelloSides<W>& sides) {
    for (Entry& entry : bucket.entries)
      if (entry.is(sides)) return entry;
    const auto by_work = [](const Entry& a, const Entry& b) { return a.work < b.work; };
    const auto [least, most] = std::minmax_element(bucket.entries.begin(), bucket.entries.end(), by_work);
    if (most->work > 0) --most->work;
    return *least;
  }

  int bits_ = 8;
  std::unique_ptr<void, Free> memory_;
  Bucket* buckets_;
  TableLocks locks_;
};

}  // namespace ludus
