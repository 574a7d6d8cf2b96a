// The carriers of virtual connections, up to N for each pair of ends: those that are settled, and those that were ever
// offered, so that nothing is offered twice.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/bits.h"

namespace ludus {

template <int W, int N>
class HexCarriers {
 public:
  explicit HexCarriers(int pairs) : counts_(pairs), offered_counts_(pairs), items_(pairs), offered_(pairs) {}

  void clear() {
    std::fill(counts_.begin(), counts_.end(), std::uint8_t{0});
    std::fill(offered_counts_.begin(), offered_counts_.end(), std::uint8_t{0});
  }

  int count(int at) const { return counts_[at]; }
  bool enough(int at) const { return counts_[at] == N; }
  std::span<const Bits<W>> of(int at) const { return {items_[at].data(), counts_[at]}; }

  static constexpr int block = 8;  // carriers are copied and compared so many at a time, which costs as much as one

  // Copies the settled carriers; there must be room for whole blocks.
  int copy(int at, Bits<W>* to) const {
    for (int i = 0; i < counts_[at]; i += block)
      for (int k = i; k < i + block; ++k) to[k] = items_[at][k];
    return counts_[at];
  }

  // Is a settled carrier part of this one?
  bool cover(int at, const Bits<W>& carrier) const { return cover(items_[at], counts_[at], carrier); }
  // Is one that was offered?
  bool offered(int at, const Bits<W>& carrier) const {
    return cover(offered_[at], std::min<int>(offered_counts_[at], N), carrier);
  }

  // Remembers that a carrier was offered; where there were more than N, the first ones are forgotten.
  void offer(int at, const Bits<W>& carrier) {
    std::uint8_t& count = offered_counts_[at];
    if (count < N && count % block == 0) clear_block(&offered_[at][count]);
    offered_[at][count % N] = carrier;
    if (++count == 2 * N) count = N;
  }

  // Settles `count` carriers where there are none yet, none of which is part of another. Reads whole blocks.
  void settle_all(int at, const Bits<W>* carriers, int count) {
    for (int i = 0; i < count; i += block)
      for (int k = i; k < i + block; ++k) items_[at][k] = k < count ? carriers[k] : everything();
    counts_[at] = static_cast<std::uint8_t>(count);
  }

  // Settles a carrier, instead of those that it is part of. There must be room for it.
  void settle(int at, const Bits<W>& carrier) {
    std::uint8_t& count = counts_[at];
    Items& items = items_[at];
    bool replaces = false;
    for (int i = 0; i < count; ++i) replaces |= !carrier.without(items[i]).any();
    if (replaces) remove_containing(at, carrier);
    if (count % block == 0) clear_block(&items[count]);
    items[count++] = carrier;
  }

 private:
  static_assert(N % block == 0 && 2 * N < 256);
  struct alignas(64) Items : std::array<Bits<W>, N> {};

  static bool cover(const Items& items, int count, const Bits<W>& carrier) {
    for (int i = 0; i < count; i += block) {
      bool found = false;
      for (int k = i; k < i + block; ++k) found |= !items[k].without(carrier).any();
      if (found) return true;
    }
    return false;
  }

  void remove_containing(int at, const Bits<W>& carrier) {
    Items& items = items_[at];
    int kept = 0;
    for (int i = 0; i < counts_[at]; ++i)
      if (carrier.without(items[i]).any()) items[kept++] = items[i];
    for (int i = kept; i < counts_[at]; ++i) items[i] = everything();
    counts_[at] = static_cast<std::uint8_t>(kept);
  }

  static Bits<W> everything() {  // fills blocks up, being part of no carrier
    Bits<W> all;
    for (Word& word : all.words) word = ~Word{0};
    return all;
  }
  static void clear_block(Bits<W>* first) { std::fill_n(first, block, everything()); }

  std::vector<std::uint8_t> counts_, offered_counts_;
  std::vector<Items> items_, offered_;
};

}  // namespace ludus
