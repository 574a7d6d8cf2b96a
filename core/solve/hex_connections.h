// Virtual connections: pairs of groups or cells that one player can join whatever the other does (full), or
// can join if it moves next (semi). Anshelevich's H-search (2002) builds them from smaller ones.
//
// A connection is its carrier: the empty cells it needs. Both ends count as own stones.
//   and: x–m and m–y are full, their carriers apart. Through an own group m, x–y is full; through an
//        empty cell m, it is semi: the owner takes m.
//   or:  semi connections x–y that share no cell make a full one: one move cannot break them all.
#pragma once

#include <vector>

#include "solve/hex_position.h"

namespace ludus {

template <int W>
class HexConnections {
 public:
  explicit HexConnections(const HexBoard<W>& board)
      : board_(board), rows_(board.grid.cells() + 2), queue_(board.grid.cells() + 1) {
    const std::size_t ends = board.grid.cells() + 2;
    full_.resize(ends * (ends - 1) / 2);
    semi_.resize(full_.size());
  }

  enum Goal { any_semi, all_semis };

  // Looks for connections of `mine` from top to bottom.
  void search(const HexPosition<W>& p, Goal goal) {
    reset(p);
    for (std::size_t size = 0; size < queue_.size(); ++size)
      for (std::size_t i = 0; i < queue_[size].size(); ++i) {
        const Found found = queue_[size][i];
        if (found.full)
          settle_full(found);
        else
          settle_semi(found);
        if (won_ || (goal == any_semi && threats_ > 0)) return;
      }
  }

  bool joined() const { return won_; }
  bool can_join() const { return won_ || threats_ > 0; }
  // Where the other player must move, or the owner joins its sides.
  const Bits<W>& must_break() const { return must_break_; }

 private:
  static constexpr int most_full = 6, most_semi = 10;  // carriers kept per pair of ends, the smallest ones

  struct Found {
    Bits<W> carrier;
    std::uint8_t a, b;
    bool full;
  };
  struct Link {
    Bits<W> needs;  // the carrier, and the far end if it is empty
    Bits<W> carrier;
    int end;
  };
  template <int N>
  struct Carriers {
    int count = 0;
    std::array<Bits<W>, N> items;
    bool covers(const Bits<W>& carrier) const {
      for (int i = 0; i < count; ++i)
        if (!items[i].without(carrier).any()) return true;
      return false;
    }
    void add(const Bits<W>& carrier) {
      if (count < N) items[count++] = carrier;
    }
  };

  static std::size_t pair(int a, int b) { return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b; }

  void reset(const HexPosition<W>& p) {
    for (auto& row : rows_) row.clear();
    for (auto& q : queue_) q.clear();
    won_ = false;
    threats_ = 0;
    must_break_ = board_.grid.board.without(p.mine | p.theirs);
    open_ = must_break_;
    name_ends(p.mine);
    for (int i = 0; i < ends_ * (ends_ - 1) / 2; ++i) full_[i].count = semi_[i].count = 0;
    for (int i : open_) {
      if (board_.first[0].has(i)) offer(end_of_[i], top, {}, true);
      if (board_.last[0].has(i)) offer(end_of_[i], bottom, {}, true);
      for (int j : board_.touching[i] & (open_ | p.mine))
        if (p.mine.has(j) || j > i) offer(end_of_[i], end_of_[j], {}, true);
    }
  }

  static constexpr int top = 0, bottom = 1;

  // Ends are small numbers: the sides, the groups, the empty cells.
  void name_ends(const Bits<W>& mine) {
    ends_ = 2;
    cell_[top] = cell_[bottom] = {};
    for (Bits<W> rest = mine; rest.any();) {
      const Bits<W> group = flood(Bits<W>::one(rest.lowest()), mine, [&](const Bits<W>& b) { return board_.around(b); });
      rest = rest.without(group);
      int end;
      if ((group & board_.first[0]).any()) {
        end = top;
      } else if ((group & board_.last[0]).any()) {
        end = bottom;
      } else {
        cell_[ends_] = {};
        end = ends_++;
      }
      for (int i : group) end_of_[i] = static_cast<std::uint8_t>(end);
    }
    first_cell_ = ends_;
    for (int i : open_) {
      cell_[ends_] = Bits<W>::one(i);
      end_of_[i] = static_cast<std::uint8_t>(ends_++);
    }
  }

  void offer(int a, int b, const Bits<W>& carrier, bool full) {
    const std::size_t at = pair(a, b);
    if (full_[at].count == most_full || full_[at].covers(carrier)) return;
    if (!full && (semi_[at].covers(carrier) || (semi_[at].count == most_semi && at != 0))) return;
    queue_[carrier.count()].push_back({carrier, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), full});
  }

  void settle_full(const Found& f) {
    auto& known = full_[pair(f.a, f.b)];
    if (known.count == most_full || known.covers(f.carrier)) return;
    known.add(f.carrier);
    if (pair(f.a, f.b) == 0) {
      won_ = true;
      return;
    }
    extend(f.a, f.b, f.carrier);
    extend(f.b, f.a, f.carrier);
    rows_[f.a].push_back({f.carrier | cell_[f.b], f.carrier, f.b});
    rows_[f.b].push_back({f.carrier | cell_[f.a], f.carrier, f.a});
  }

  // The and rule: from `a` over `middle` to everything that is connected with it.
  void extend(int a, int middle, const Bits<W>& carrier) {
    if (middle <= bottom) return;
    const Bits<W> needs = carrier | cell_[a];
    const bool full = middle < first_cell_;
    const Bits<W> base = carrier | cell_[middle];
    for (const Link& link : rows_[middle]) {
      if (link.end == a || (needs & link.needs).any()) continue;
      offer(a, link.end, base | link.carrier, full);
    }
  }

  void settle_semi(const Found& f) {
    const std::size_t at = pair(f.a, f.b);
    auto& known = semi_[at];
    if (full_[at].covers(f.carrier) || known.covers(f.carrier)) return;
    if (at == 0) {
      ++threats_;
      must_break_ &= f.carrier;
      if (!must_break_.any()) won_ = true;
    } else if (known.count < most_semi) {
      join(f, f.carrier, f.carrier, 0, 3);
    }
    known.add(f.carrier);
  }

  // The or rule: `f` with up to `more` of the semi connections settled before it.
  void join(const Found& f, const Bits<W>& common, const Bits<W>& all, int from, int more) {
    const auto& known = semi_[pair(f.a, f.b)];
    for (int i = from; i < known.count; ++i) {
      const Bits<W> left = common & known.items[i];
      if (left == common) continue;
      if (!left.any())
        offer(f.a, f.b, all | known.items[i], true);
      else if (more > 1)
        join(f, left, all | known.items[i], i + 1, more - 1);
    }
  }

  const HexBoard<W>& board_;
  Bits<W> open_, must_break_;
  bool won_ = false;
  int threats_ = 0;
  int ends_ = 2, first_cell_ = 2;
  std::array<std::uint8_t, 64 * W> end_of_{};
  std::array<Bits<W>, 64 * W + 2> cell_{};  // the end itself if it is an empty cell, else nothing
  std::vector<std::vector<Link>> rows_;     // for each end, its settled full connections
  std::vector<std::vector<Found>> queue_;   // by size of the carrier
  std::vector<Carriers<most_full>> full_;
  std::vector<Carriers<most_semi>> semi_;
};

}  // namespace ludus
