// The transposition table of the Connect Four solver: for a position, bounds on its score.
//
// Two positions are never mixed up. A 64-bit position is multiplied by an odd number, which can be undone;
// the upper bits of the product choose a bucket and the other bits are stored, so nothing of it is lost.
#pragma once

#include <cstdint>
#include <vector>

#include "games/connect_four.h"
#include "solve/table_locks.h"

namespace ludus {

// A score from `lower` to `upper`, and how much work (log2 of nodes, halved) it was to find out.
struct ScoreBounds {
  int lower, upper, work;
};

// Bits, from the top: 46 of the position, 7 for each bound, 4 for the work. An empty slot is 0.
struct PackedScore {
  static constexpr int tag_bits = 46, offset = 64;
  Word word = 0;

  PackedScore() = default;
  PackedScore(Word tag, const ScoreBounds& b)
      : word(tag << 18 | Word(b.lower + offset) << 11 | Word(b.upper + offset) << 4 | Word(b.work)) {}
  bool used() const { return word != 0; }
  Word tag() const { return word >> 18; }
  int lower() const { return static_cast<int>(word >> 11 & 127) - offset; }
  int upper() const { return static_cast<int>(word >> 4 & 127) - offset; }
  int work() const { return static_cast<int>(word & 15); }
  void age() { word -= work() > 0; }
};

// The same for boards of more than 64 bits, with the whole position beside it.
struct WideScore {
  WideWord position = 0;
  std::int8_t low = 0, high = 0, effort = -1;

  WideScore() = default;
  WideScore(WideWord tag, const ScoreBounds& b)
      : position(tag),
        low(static_cast<std::int8_t>(b.lower)),
        high(static_cast<std::int8_t>(b.upper)),
        effort(static_cast<std::int8_t>(b.work)) {}
  bool used() const { return effort >= 0; }
  WideWord tag() const { return position; }
  int lower() const { return low; }
  int upper() const { return high; }
  int work() const { return effort; }
  void age() { effort = static_cast<std::int8_t>(effort - (effort > 0)); }
};

template <class B>
class ConnectFourTable {
  static constexpr bool packed = sizeof(B) == sizeof(Word);
  using Slot = std::conditional_t<packed, PackedScore, WideScore>;
  static constexpr int slots = 4, min_bits = 64 - PackedScore::tag_bits;
  struct alignas(32) Bucket {
    Slot slot[slots];
  };

 public:
  void share() {
    if constexpr (!packed) locks_.share();
  }

  explicit ConnectFourTable(std::size_t bytes) {
    while (sizeof(Bucket) << (bits_ + 1) <= bytes) ++bits_;
    buckets_.resize(std::size_t{1} << bits_);
  }

  struct Place {
    std::size_t bucket;
    B tag;
  };
  Place place(B position) const {
    constexpr Word odd = 0x9e3779b97f4a7c15u;
    if constexpr (packed) {
      const Word product = position * odd;
      return {product >> (64 - bits_), product << bits_ >> bits_};
    } else {
      return {scramble(Word(position) ^ scramble(Word(position >> 64))) >> (64 - bits_), position};
    }
  }
  void prefetch(const Place& p) const { __builtin_prefetch(&buckets_[p.bucket]); }

  ScoreBounds find(const Place& p, const ScoreBounds& unknown) const {
    [[maybe_unused]] const auto held = hold(p.bucket);
    for (const Slot& slot : buckets_[p.bucket].slot) {
      const Slot& s = load(slot);
      if (s.used() && s.tag() == p.tag) return {s.lower(), s.upper(), s.work()};
    }
    return unknown;
  }

  // Replaces the entry that took the least work. The work of the others counts one less each time, so that old
  // entries are replaced in the end.
  void keep(const Place& p, const ScoreBounds& bounds) {
    [[maybe_unused]] const auto held = hold(p.bucket);
    Slot* victim = nullptr;
    int least = 0;
    for (Slot& slot : buckets_[p.bucket].slot) {
      const Slot& s = load(slot);
      if (!s.used() || s.tag() == p.tag) {
        store(slot, Slot(p.tag, bounds));
        return;
      }
      if (victim == nullptr || s.work() < least) victim = &slot, least = s.work();
    }
    for (Slot& slot : buckets_[p.bucket].slot) {
      if (&slot == victim) continue;
      Slot s = load(slot);
      s.age();
      store(slot, s);
    }
    store(*victim, Slot(p.tag, bounds));
  }

  void clear() { std::fill(buckets_.begin(), buckets_.end(), Bucket{}); }

 private:
  struct NoLock {};  // see load()
  auto hold(std::size_t bucket) const {
    if constexpr (packed)
      return NoLock{};
    else
      return locks_.hold(bucket);
  }
  // A packed slot is one word, written and read at once: threads that share the table need no lock for it. A slot that
  // two of them write at the same time holds what one of them wrote, which is true in any case.
  static std::conditional_t<packed, Slot, const Slot&> load(const Slot& slot) {
    if constexpr (packed) {
      Slot copy;
      copy.word = __atomic_load_n(&slot.word, __ATOMIC_RELAXED);
      return copy;
    } else {
      return slot;
    }
  }
  static void store(Slot& slot, const Slot& value) {
    if constexpr (packed)
      __atomic_store_n(&slot.word, value.word, __ATOMIC_RELAXED);
    else
      slot = value;
  }

  int bits_ = min_bits;
  std::vector<Bucket> buckets_;
  TableLocks locks_;
};

}  // namespace ludus
