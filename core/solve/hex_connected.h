// The virtual connections that were found for one player in one position (hex_connections.h finds them).
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/bits.h"

namespace ludus {

// Ends are numbered as the cells; one stone stands for its group, and the two sides come after all cells. Connections
// from side to side are not kept.
template <int W>
struct HexConnected {
  struct Pair {
    std::uint8_t a, b;          // two ends
    std::uint8_t fulls, semis;  // how many carriers they have
  };
  std::vector<Pair> pairs;
  std::vector<Bits<W>> carriers;  // of the pairs, one after another, the full connections first
  Bits<W> groups;                 // of each group, the stone that stands for it

  void clear() {
    pairs.clear();
    carriers.clear();
  }

  // What is left of `before` where only the cells `open` are still empty, and the player has no more stones.
  void thin_out(const HexConnected& before, const Bits<W>& open, int cells) {
    clear();
    groups = before.groups;
    carriers.resize(before.carriers.size());
    const auto alive = [&](int end) { return end >= cells || open.has(end) || groups.has(end); };
    const Bits<W>* next = before.carriers.data();
    Bits<W>* kept = carriers.data();
    const auto keep = [&](int count) {
      const Bits<W>* const first = kept;
      for (int i = 0; i < count; ++i) {
        *kept = *next++;
        kept += !kept->without(open).any();
      }
      return static_cast<std::uint8_t>(kept - first);
    };
    for (const Pair& old : before.pairs) {
      if (!alive(old.a) || !alive(old.b)) {
        next += old.fulls + old.semis;
        continue;
      }
      const std::uint8_t fulls = keep(old.fulls), semis = keep(old.semis);
      if (fulls + semis > 0) pairs.push_back({old.a, old.b, fulls, semis});
    }
    carriers.resize(kept - carriers.data());
  }
};

// For ordering the moves of a player whose connections are known.
template <int W>
class HexAnswers {
 public:
  HexAnswers(const HexConnected<W>& connected, const Bits<W>& open, int cells) : open_(open) {
    const Bits<W>* next = connected.carriers.data();
    for (const auto& p : connected.pairs) {
      const int low = std::min(p.a, p.b), high = std::max(p.a, p.b);
      if (high >= cells && low < cells) to_[high - cells][low] = {{next, p.fulls}, {next + p.fulls, p.semis}};
      next += p.fulls + p.semis;
    }
  }

  // After an own stone on `cell`: an estimate of how many answers would not lose at once. Larger than the number of
  // empty cells if the stone threatens nothing.
  int to(int cell) const {
    const Carriers &up = to_[0][cell], &down = to_[1][cell];
    Bits<W> answers = open_;
    bool threat = narrow(answers, up.full, down.semi);
    threat |= narrow(answers, down.full, up.semi);
    return threat ? std::max(1, answers.count()) : open_.count() + distance(up) + distance(down);
  }

 private:
  struct Carriers {
    std::span<const Bits<W>> full, semi;
  };

  // Keeps of `answers` what could break every threat made of one full connection and one semi connection.
  static bool narrow(Bits<W>& answers, std::span<const Bits<W>> full, std::span<const Bits<W>> semi) {
    bool threat = false;
    for (const Bits<W>& one : full)
      for (const Bits<W>& other : semi) {
        if ((one & other).any()) continue;
        answers &= one | other;
        threat = true;
      }
    return threat;
  }

  int distance(const Carriers& c) const {
    if (!c.full.empty()) return smallest(c.full) / 2;
    if (!c.semi.empty()) return smallest(c.semi);
    return open_.count();
  }
  static int smallest(std::span<const Bits<W>> carriers) {
    int least = Bits<W>::capacity;
    for (const Bits<W>& carrier : carriers) least = std::min(least, carrier.count());
    return least;
  }

  Bits<W> open_;
  std::array<std::array<Carriers, 64 * W>, 2> to_;  // the two sides
};

}  // namespace ludus
