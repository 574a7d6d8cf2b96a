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

#ifndef HX_FULL
#define HX_FULL 16
#endif
#ifndef HX_SEMI
#define HX_SEMI 24
#endif
#ifndef HX_JOIN
#define HX_JOIN 5
#endif
#ifndef HX_LONG
#define HX_LONG 100
#endif
#ifndef HX_SIDE
#define HX_SIDE 0
#endif
#ifndef HX_PRUNE
#define HX_PRUNE 0
#endif
#ifndef HX_SLONG
#define HX_SLONG 100
#endif
namespace ludus {

template <int W>
class HexConnections {
  static_assert(64 * W + 2 <= 256, "the number of an end fits a byte");

 public:
  enum class Goal { one_threat, all_threats };

  explicit HexConnections(const HexBoard<W>& board)
      : board_(board), links_(board.grid.cells() + 2), side_links_(links_.size()), queue_(board.grid.cells() + 1) {
    const std::size_t ends = links_.size();
    fulls_.resize(ends * (ends - 1) / 2);
    semis_.resize(fulls_.size());
    full_.resize(fulls_.size());
    semi_.resize(fulls_.size());
  }

  // Looks for connections of the player `who` between its sides; they must not be joined by stones already. Stops
  // early once they are connected, or threaten to be if that is the goal.
  void search(const Bits<W>& own, const Bits<W>& open, Player who, Goal goal) {
    reset(own, open, who);
    for (std::size_t size = 0; size < queue_.size(); ++size)
      for (std::size_t i = 0; i < queue_[size].size(); ++i) {
        const Connection c = queue_[size][i];  // a copy: settling it makes the queue grow
        c.full ? settle_full(c, static_cast<int>(size)) : settle_semi(c);
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
    bool threat = narrow(answers, up, down);
    threat |= narrow(answers, down, up);
    return threat ? std::max(1, answers.count()) : open_.count() + distance(up) + distance(down);
  }

 private:
  // Carriers kept for each pair of ends, the smallest ones, and how many the or rule joins. Larger numbers
  // see more and take longer; these solve 6x6 and 7x7 fastest.
  static constexpr int most_full = HX_FULL, most_semi = HX_SEMI, most_joined = HX_JOIN;
  static constexpr int longest_full = HX_LONG, longest_semi = HX_SLONG;  // between ends that are no sides
  static constexpr int top = 0, bottom = 1;        // the first two ends
  static constexpr int block = 8;                  // carriers are compared so many at a time
  static_assert(most_full % block == 0 && most_semi % block == 0);

  struct Connection {
    Bits<W> carrier;
    std::uint8_t a, b;
    bool full;
  };
  struct Link {      // a full connection as one of its ends sees it
    Bits<W> needs;   // the carrier, and the far end if that is an empty cell
    std::uint8_t far, size;
  };

  static std::size_t pair(int a, int b) {
    return static_cast<std::size_t>(a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b);
  }
  static bool sides(const Connection& c) { return c.a + c.b == top + bottom; }

  // Is one of the first `count` of `items` part of `carrier`? Eight at a time, without branches.
  static bool cover(const Bits<W>* items, int count, const Bits<W>& carrier) {
    for (int i = 0; i < count; i += block) {
      bool found = false;
      for (int k = i; k < i + block; ++k) found |= !items[k].without(carrier).any();
      if (found) return true;
    }
    return false;
  }
  // Adds a carrier to `count` others; what fills the last block up is part of nothing.
  static void add(Bits<W>* items, std::uint8_t& count, const Bits<W>& carrier) {
    if (count % block == 0) {
      Bits<W> all;
      for (Word& word : all.words) word = ~Word{0};
      std::fill_n(items + count, block, all);
    }
    items[count++] = carrier;
  }
  bool full_covers(std::size_t at, const Bits<W>& carrier) const {
    return cover(full_[at].data(), fulls_[at], carrier);
  }
  bool semi_covers(std::size_t at, const Bits<W>& carrier) const {
    return cover(semi_[at].data(), semis_[at], carrier);
  }

  void reset(const Bits<W>& own, const Bits<W>& open, Player who) {
    for (auto& links : links_) links.clear();
    for (auto& links : side_links_) links.clear();
    for (auto& connections : queue_) connections.clear();
    connected_ = threatens_ = false;
    needs_ = {};
    open_ = must_break_ = open;
    number_ends(own, board_.first[who], board_.last[who]);
    const std::size_t pairs = pair(0, ends_);
    std::fill_n(fulls_.begin(), pairs, std::uint8_t{0});
    std::fill_n(semis_.begin(), pairs, std::uint8_t{0});
    for (int i : open_) offer_neighbours(i, own, board_.first[who], board_.last[who]);
  }

  // The sides come first, then the groups, then the empty cells. A group on a side is part of it.
  void number_ends(const Bits<W>& own, const Bits<W>& first, const Bits<W>& last) {
    ends_ = 2;
    for (Bits<W> rest = own; rest.any();) {
      const Bits<W> group = hex_group(board_, rest.lowest(), own);
      rest = rest.without(group);
      const bool above = (group & first).any(), below = (group & last).any();
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

  void offer_neighbours(int cell, const Bits<W>& own, const Bits<W>& first, const Bits<W>& last) {
    const int end = end_of_[cell];
    if (first.has(cell)) offer_full(end, top, {}, 0);
    if (last.has(cell)) offer_full(end, bottom, {}, 0);
    for (int i : board_.touching[cell] & (open_ | own)) offer_full(end, end_of_[i], {}, 0);
  }

  // Whatever this becomes part of, all cells common to the threats are in it.
  bool useless(int a, int b, const Bits<W>& carrier) const {
    return threatens_ && !must_break_.without(carrier | cell_[a] | cell_[b]).any();
  }

  // Queues a connection unless a smaller one makes it useless.
  void offer_full(int a, int b, const Bits<W>& carrier, int size) {
    const std::size_t at = pair(a, b);
    if (HX_PRUNE > 1 && useless(a, b, carrier)) return;
    if (fulls_[at] == most_full || full_covers(at, carrier)) return;
    queue_[size].push_back({carrier, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), true});
  }
  void offer_semi(int a, int b, const Bits<W>& carrier, int size) {
    const std::size_t at = pair(a, b);
    if (HX_PRUNE > 0 && useless(a, b, carrier)) return;
    if (semis_[at] == most_semi || fulls_[at] == most_full) return;
    if (full_covers(at, carrier) || semi_covers(at, carrier)) return;
    queue_[size].push_back({carrier, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), false});
  }

  void settle_full(const Connection& c, int size) {
    const std::size_t at = pair(c.a, c.b);
    if (fulls_[at] == most_full || full_covers(at, c.carrier)) return;
    add(full_[at].data(), fulls_[at], c.carrier);
    if (sides(c)) connected_ = true, needs_ = c.carrier;
    extend(c.a, c.b, c.carrier, size);
    extend(c.b, c.a, c.carrier, size);
    link(c.a, c.b, c.carrier, size);
    link(c.b, c.a, c.carrier, size);
  }
  void link(int end, int far, const Bits<W>& carrier, int size) {
    (far <= bottom ? side_links_ : links_)[end].push_back(
        {carrier | cell_[far], static_cast<std::uint8_t>(far), static_cast<std::uint8_t>(size)});
  }

  // The and rule: from `end` over `middle` to all that is connected with `middle`.
  void extend(int end, int middle, const Bits<W>& carrier, int size) {
    const int longest = middle <= bottom ? HX_SIDE : middle < first_cell_ ? longest_full : longest_semi - 1;
    if (middle <= bottom && (HX_SIDE == 0 || end <= bottom)) return;
    const Bits<W> needs = carrier | cell_[end], through = carrier | cell_[middle];
    if (middle > bottom) extend_by(side_links_[middle], end, middle, needs, through, size, 1000);
    extend_by(links_[middle], end, middle, needs, through, size, end <= bottom ? 1000 : longest - size);
  }

  // The same by some links of `middle`, those whose carriers have at most `most` cells.
  void extend_by(const std::vector<Link>& links, int end, int middle, const Bits<W>& needs, const Bits<W>& through,
                 int size, int most) {
    int found = 0;
    const int all = static_cast<int>(links.size());
    for (int i = 0; i < all && links[i].size <= most; ++i) {
      chosen_[found] = static_cast<std::uint16_t>(i);  // no branch: half of them would be guessed wrong
      found += !(needs & links[i].needs).any();
    }
    const bool full = middle < first_cell_;
    for (int i = 0; i < found; ++i) {
      const Link& link = links[chosen_[i]];
      if (link.far == end) continue;
      const Bits<W> carrier = (through | link.needs).without(cell_[link.far]);
      if (full)
        offer_full(end, link.far, carrier, size + link.size);
      else
        offer_semi(end, link.far, carrier, size + link.size + 1);
    }
  }

  void settle_semi(const Connection& c) {
    const std::size_t at = pair(c.a, c.b);
    if (sides(c)) {                                                     // all of them count, and their or rule is short
      if (threatens_ && !must_break_.without(c.carrier).any()) return;  // leaves no fewer answers than the others do
      threatens_ = true;
      must_break_ &= c.carrier;
      needs_ |= c.carrier;
      connected_ = !must_break_.any();
    } else if (semis_[at] < most_semi && !semi_covers(at, c.carrier) && !full_covers(at, c.carrier)) {
      join_all(c, at);
      add(semi_[at].data(), semis_[at], c.carrier);
    }
  }

  // The or rule, for `c` with the semi connections settled before it.
  void join_all(const Connection& c, std::size_t at) {
    Bits<W> shared = board_.grid.board;
    for (int i = semis_[at]; i-- > 0;) shared_from_[i] = shared &= semi_[at][i];
    join(c, at, c.carrier, c.carrier, 0, most_joined - 1);
  }

  // Adds up to `more` connections, from the one numbered `from`, to some with the cells `shared` in `all`.
  void join(const Connection& c, std::size_t at, const Bits<W>& shared, const Bits<W>& all, int from, int more) {
    for (int i = from; i < semis_[at]; ++i) {
      if ((shared & shared_from_[i]).any()) return;  // even all the rest together would share a cell
      const Bits<W>& item = semi_[at][i];
      const Bits<W> still_shared = shared & item, union_of_all = all | item;
      if (still_shared == shared) continue;
      if (!still_shared.any()) {
        const int size = union_of_all.count();
        if (c.a <= bottom || c.b <= bottom || size <= longest_full) offer_full(c.a, c.b, union_of_all, size);
      } else if (more > 1 && !full_covers(at, union_of_all)) {
        join(c, at, still_shared, union_of_all, i + 1, more - 1);
      }
    }
  }

  // Keeps of `answers` what could break every threat made of one full connection and one semi connection.
  bool narrow(Bits<W>& answers, std::size_t full, std::size_t semi) const {
    bool threat = false;
    for (int i = 0; i < fulls_[full]; ++i)
      for (int j = 0; j < semis_[semi]; ++j) {
        if ((full_[full][i] & semi_[semi][j]).any()) continue;
        answers &= full_[full][i] | semi_[semi][j];
        threat = true;
      }
    return threat;
  }

  int distance(std::size_t at) const {
    if (fulls_[at] > 0) return full_[at][0].count() / 2;
    if (semis_[at] > 0) return semi_[at][0].count();
    return open_.count();
  }

  const HexBoard<W>& board_;
  Bits<W> open_, must_break_, needs_;
  bool connected_ = false, threatens_ = false;
  int ends_ = 2, first_cell_ = 2;
  std::array<std::uint8_t, 64 * W> end_of_{};              // for each own stone and empty cell
  std::array<Bits<W>, 64 * W + 2> cell_{};                 // for each end, itself if it is an empty cell, else nothing
  std::vector<std::vector<Link>> links_, side_links_;      // for each end, its settled full connections, the smallest first
  std::vector<std::vector<Connection>> queue_;             // by size of the carrier
  std::vector<std::uint8_t> fulls_, semis_;                // how many are settled, for each pair of ends
  std::vector<std::array<Bits<W>, most_full>> full_;       // those
  std::vector<std::array<Bits<W>, most_semi>> semi_;
  std::array<std::uint16_t, (64 * W + 2) * most_full> chosen_{};  // numbers of links
  std::array<Bits<W>, most_semi> shared_from_{};           // what the semi connections from a number on have in common
};

}  // namespace ludus
