// Virtual connections: two ends (a side, a group, an empty cell) that a player can join whatever the other
// does (a full connection), or can join when it moves next (a semi connection). Anshelevich's H-search (2002)
// builds them from smaller ones. A connection is its carrier, the empty cells it needs; its ends count as
// stones of the player and are no part of the carrier.
//
//   and:  x–m and m–y are full and share no cell. Through an own group m, x–y is full. Through an empty
//         cell m it is semi: the player takes m.
//   or:   semi connections x–y that have no cell in common to all make a full one: no single move can
//         break them all.
//
// Both rules only ever make carriers larger. So we settle connections in order of size, as Dijkstra does
// distances: what is settled stays, and what contains a settled carrier is of no use.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "solve/hex_position.h"

namespace ludus {

template <int W>
class HexConnections {
  static_assert(64 * W + 2 <= 256, "the number of an end fits a byte");

 public:
  enum class Goal { one_threat, all_threats };

  explicit HexConnections(const HexBoard<W>& board)
      : board_(board), links_(board.grid.cells() + 2), queue_(board.grid.cells() + 1) {
    const std::size_t ends = links_.size();
    full_.resize(ends * (ends - 1) / 2);
    semi_.resize(full_.size());
  }

  // Looks for connections of `mine` from top to bottom; they must not be joined by stones already. Stops
  // early once they are connected, or threaten to be if that is the goal.
  void search(const HexPosition<W>& p, Goal goal) {
    reset(p);
    for (std::size_t size = 0; size < queue_.size(); ++size)
      for (std::size_t i = 0; i < queue_[size].size(); ++i) {
        const Connection c = queue_[size][i];  // a copy: settling it makes the queue grow
        c.full ? settle_full(c) : settle_semi(c);
        if (connected_ || (goal == Goal::one_threat && threatens_)) return;
      }
  }

  bool connected() const { return connected_; }                  // a full connection
  bool can_connect() const { return connected_ || threatens_; }  // a semi connection at least

  // The cells common to all threats: the other player must take one of them now, or it has lost.
  const Bits<W>& must_break() const { return must_break_; }
  // The carriers of the connection or of those threats together: all cells that this needs.
  const Bits<W>& needs() const { return needs_; }

  // After an own stone on `cell`: an estimate of how many answers would not lose at once, for move ordering.
  // Larger than the number of empty cells if the stone threatens nothing.
  int answers_to(int cell) const {
    const std::size_t up = pair(top, end_of_[cell]), down = pair(bottom, end_of_[cell]);
    Bits<W> answers = open_;
    bool threat = narrow(answers, full_[up], semi_[down]);
    threat |= narrow(answers, full_[down], semi_[up]);
    return threat ? std::max(1, answers.count()) : open_.count() + distance(up) + distance(down);
  }

 private:
  // Carriers kept for each pair of ends, the smallest ones, and how many the or rule joins. Larger numbers
  // see more and take longer; these solve 6x6 and 7x7 fastest.
  static constexpr int most_full = 16, most_semi = 24, most_joined = 5;
  static constexpr int top = 0, bottom = 1;  // the first two ends

  struct Connection {
    Bits<W> carrier;
    std::uint8_t a, b;
    bool full;
  };
  struct Link {  // a full connection as one of its ends sees it
    Bits<W> carrier;
    Bits<W> needs;  // the carrier, and the far end if that is an empty cell
    int far;
  };
  template <int N>
  struct Carriers {
    int count = 0;
    std::array<Bits<W>, N> items;

    bool enough() const { return count == N; }
    void add(const Bits<W>& carrier) { items[count++] = carrier; }
    bool cover(const Bits<W>& carrier) const {  // is one of them part of `carrier`?
      for (int i = 0; i < count; ++i)
        if (!items[i].without(carrier).any()) return true;
      return false;
    }
  };
  using Full = Carriers<most_full>;
  using Semi = Carriers<most_semi>;

  static std::size_t pair(int a, int b) { return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b; }
  static bool sides(const Connection& c) { return c.a + c.b == top + bottom; }

  void reset(const HexPosition<W>& p) {
    for (auto& links : links_) links.clear();
    for (auto& connections : queue_) connections.clear();
    connected_ = threatens_ = false;
    needs_ = {};
    open_ = must_break_ = board_.grid.board.without(p.mine | p.theirs);
    number_ends(p.mine);
    for (int i = 0; i < ends_ * (ends_ - 1) / 2; ++i) full_[i].count = semi_[i].count = 0;
    for (int i : open_) offer_neighbours(i, p.mine);
  }

  // The sides come first, then the groups, then the empty cells. A group on a side is part of it.
  void number_ends(const Bits<W>& mine) {
    ends_ = 2;
    for (Bits<W> rest = mine; rest.any();) {
      const Bits<W> group = hex_group(board_, rest.lowest(), mine);
      rest = rest.without(group);
      const bool above = (group & board_.first[0]).any(), below = (group & board_.last[0]).any();
      const int end = above ? top : below ? bottom : ends_++;
      for (int i : group) end_of_[i] = static_cast<std::uint8_t>(end);
    }
    first_cell_ = ends_;
    for (int end = 0; end < first_cell_; ++end) cell_[end] = {};
    for (int i : open_) {
      cell_[ends_] = Bits<W>::one(i);
      end_of_[i] = static_cast<std::uint8_t>(ends_++);
    }
  }

  void offer_neighbours(int cell, const Bits<W>& mine) {
    const int end = end_of_[cell];
    if (board_.first[0].has(cell)) offer(end, top, {}, true);
    if (board_.last[0].has(cell)) offer(end, bottom, {}, true);
    for (int i : board_.touching[cell] & (open_ | mine)) offer(end, end_of_[i], {}, true);
  }

  // Queues a connection unless a smaller one makes it useless.
  void offer(int a, int b, const Bits<W>& carrier, bool full) {
    const std::size_t at = pair(a, b);
    if (full_[at].enough() || full_[at].cover(carrier)) return;
    if (!full && (semi_[at].enough() || semi_[at].cover(carrier))) return;
    queue_[carrier.count()].push_back({carrier, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), full});
  }

  void settle_full(const Connection& c) {
    Full& known = full_[pair(c.a, c.b)];
    if (known.enough() || known.cover(c.carrier)) return;
    known.add(c.carrier);
    if (sides(c)) connected_ = true, needs_ = c.carrier;
    extend(c.a, c.b, c.carrier);
    extend(c.b, c.a, c.carrier);
    links_[c.a].push_back({c.carrier, c.carrier | cell_[c.b], c.b});
    links_[c.b].push_back({c.carrier, c.carrier | cell_[c.a], c.a});
  }

  // The and rule: from `end` over `middle` to all that is connected with `middle`.
  void extend(int end, int middle, const Bits<W>& carrier) {
    if (middle <= bottom) return;  // sound, but a detour over a side costs much more than it finds
    const Bits<W> needs = carrier | cell_[end], through = carrier | cell_[middle];
    const bool full = middle < first_cell_;
    for (const Link& link : links_[middle])
      if (link.far != end && !(needs & link.needs).any()) offer(end, link.far, through | link.carrier, full);
  }

  void settle_semi(const Connection& c) {
    Semi& known = semi_[pair(c.a, c.b)];
    if (sides(c)) {                                                     // all of them count, and their or rule is short
      if (threatens_ && !must_break_.without(c.carrier).any()) return;  // leaves no fewer answers than the others do
      threatens_ = true;
      must_break_ &= c.carrier;
      needs_ |= c.carrier;
      connected_ = !must_break_.any();
    } else if (!known.enough() && !known.cover(c.carrier) && !full_[pair(c.a, c.b)].cover(c.carrier)) {
      join_all(c);
      known.add(c.carrier);
    }
  }

  // The or rule, for `c` with the semi connections settled before it.
  void join_all(const Connection& c) {
    const Semi& known = semi_[pair(c.a, c.b)];
    Bits<W> shared = board_.grid.board;
    for (int i = known.count; i-- > 0;) shared_from_[i] = shared &= known.items[i];
    join(c, c.carrier, c.carrier, 0, most_joined - 1);
  }

  // Adds up to `more` connections, from the one numbered `from`, to some with the cells `shared` in `all`.
  void join(const Connection& c, const Bits<W>& shared, const Bits<W>& all, int from, int more) {
    const Semi& known = semi_[pair(c.a, c.b)];
    for (int i = from; i < known.count; ++i) {
      if ((shared & shared_from_[i]).any()) return;  // even all the rest together would share a cell
      const Bits<W> still_shared = shared & known.items[i], union_of_all = all | known.items[i];
      if (still_shared == shared) continue;
      if (!still_shared.any())
        offer(c.a, c.b, union_of_all, true);
      else if (more > 1 && !full_[pair(c.a, c.b)].cover(union_of_all))
        join(c, still_shared, union_of_all, i + 1, more - 1);
    }
  }

  // Keeps of `answers` what could break every threat made of one of `full` and one of `semi`.
  static bool narrow(Bits<W>& answers, const Full& full, const Semi& semi) {
    bool threat = false;
    for (int i = 0; i < full.count; ++i)
      for (int j = 0; j < semi.count; ++j) {
        if ((full.items[i] & semi.items[j]).any()) continue;
        answers &= full.items[i] | semi.items[j];
        threat = true;
      }
    return threat;
  }

  int distance(std::size_t at) const {
    if (full_[at].count > 0) return full_[at].items[0].count() / 2;
    if (semi_[at].count > 0) return semi_[at].items[0].count();
    return open_.count();
  }

  const HexBoard<W>& board_;
  Bits<W> open_, must_break_, needs_;
  bool connected_ = false, threatens_ = false;
  int ends_ = 2, first_cell_ = 2;
  std::array<std::uint8_t, 64 * W> end_of_{};   // for each own stone and empty cell
  std::array<Bits<W>, 64 * W + 2> cell_{};      // for each end, itself if it is an empty cell, else nothing
  std::vector<std::vector<Link>> links_;        // for each end, its settled full connections
  std::vector<std::vector<Connection>> queue_;  // by size of the carrier
  std::vector<Full> full_;                      // settled, for each pair of ends
  std::vector<Semi> semi_;
  std::array<Bits<W>, most_semi> shared_from_{};  // what the semi connections from a number on have in common
};

}  // namespace ludus
