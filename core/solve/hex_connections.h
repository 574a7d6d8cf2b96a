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
//
// After a few more stones most connections are still there, some with smaller carriers. A search may start from those
// of the position before: it settles at once what has not changed, and combines only the rest anew.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "solve/hex_carriers.h"
#include "solve/hex_connected.h"
#include "solve/hex_position.h"
#include "solve/hex_threats.h"

namespace ludus {

template <int W>
class HexConnections {
  static_assert(64 * W + 2 < 256, "the number of an end fits a byte");

 public:
  enum class Goal { one_threat, all_threats };

  explicit HexConnections(const HexBoard<W>& board)
      : board_(board),
        top_(board.grid.cells()),
        bottom_(top_ + 1),
        links_(top_ + 2),
        queue_(top_ + 1),
        full_((top_ + 2) * (top_ + 1) / 2),
        semi_((top_ + 2) * (top_ + 1) / 2) {}

  // Looks for connections of the player `who` between its sides; they must not be joined by stones already. Stops
  // early once they are connected, or threaten to be if that is the goal. `before`: what was found in a position with
  // fewer stones, all of which are still there.
  void search(const Bits<W>& own, const Bits<W>& open, Player who, Goal goal, const HexConnected<W>* before) {
    reset(own, open, who, before != nullptr ? before->groups : Bits<W>{});
    if (before != nullptr)
      go_on_from(*before, own);
    else
      for (int i : open) offer_neighbours(i, own, board_.first[who], board_.last[who]);
    for (std::size_t size = 0; size < queue_.size(); ++size)
      for (std::size_t i = 0; i < queue_[size].size(); ++i) {
        const Connection c = queue_[size][i];  // a copy: settling it makes the queue grow
        c.full ? settle_full(c) : settle_semi(c);
        if (threats_.connected() || (goal == Goal::one_threat && threats_.any())) return;
      }
  }

  // Writes down what was found, for a search in a position with more stones.
  void keep(HexConnected<W>& found) const {
    found.clear();
    found.groups = groups_;
    std::size_t count = 0;
    for (const auto& [a, b] : pairs_) {
      if (found.carriers.size() < count + most_full + most_semi) found.carriers.resize(2 * count + 1024);
      const int at = pair(a, b);
      const int fulls = full_.copy(at, &found.carriers[count]);
      const int semis = semi_.copy(at, &found.carriers[count + fulls]);
      found.pairs.push_back({a, b, static_cast<std::uint8_t>(fulls), static_cast<std::uint8_t>(semis)});
      count += fulls + semis;
    }
    found.carriers.resize(count);
  }

  // The connections from side to side.
  const HexThreats<W>& threats() const { return threats_; }

 private:
  // Carriers kept for each pair of ends, and how many the or rule joins. Larger numbers see more and take longer.
  static constexpr int most_full = 16, most_semi = 24, most_joined = 5;

  struct Connection {
    Bits<W> carrier;
    std::uint8_t a, b;
    bool full;
  };
  struct Link {     // a full connection as one of its ends sees it
    Bits<W> needs;  // the carrier, and the far end if that is an empty cell
    int far;
  };

  // Ends are numbered as the cells; a stone stands for its group, and the two sides come after all cells.
  static int pair(int a, int b) { return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b; }
  bool side(int end) const { return end >= top_; }
  bool sides(const Connection& c) const { return side(c.a) && side(c.b); }

  void reset(const Bits<W>& own, const Bits<W>& open, Player who, const Bits<W>& known_groups) {
    for (auto& links : links_) links.clear();
    for (auto& connections : queue_) connections.clear();
    pairs_.clear();
    full_.clear();
    semi_.clear();
    threats_.start(open);
    open_ = open;
    find_ends(own, board_.first[who], board_.last[who], known_groups);
  }

  // A group on a side is part of it. Every other one is known by one of its stones, the same as before if it can be.
  void find_ends(const Bits<W>& own, const Bits<W>& first, const Bits<W>& last, const Bits<W>& known_groups) {
    groups_ = {};
    end_of_.fill(gone);
    end_of_[top_] = static_cast<std::uint8_t>(top_), end_of_[bottom_] = static_cast<std::uint8_t>(bottom_);
    for (Bits<W> rest = own; rest.any();) {
      const Bits<W> group = hex_group(board_, rest.lowest(), own);
      rest = rest.without(group);
      const bool above = (group & first).any(), below = (group & last).any();
      const Bits<W> known = group & known_groups;
      const int end = above ? top_ : below ? bottom_ : known.any() ? known.lowest() : group.lowest();
      if (!side(end)) groups_.add(end);
      for (int i : group) end_of_[i] = static_cast<std::uint8_t>(end);
    }
    cell_.fill({});
    for (int i : open_) {
      cell_[i] = Bits<W>::one(i);
      end_of_[i] = static_cast<std::uint8_t>(i);
    }
  }

  void offer_neighbours(int cell, const Bits<W>& own, const Bits<W>& first, const Bits<W>& last) {
    if (first.has(cell)) offer_full(cell, top_, {});
    if (last.has(cell)) offer_full(cell, bottom_, {});
    for (int i : board_.touching[cell] & (open_ | own)) offer_full(cell, end_of_[i], {});
  }

  // Settles what is as it was, and queues what has lost cells or has another end now.
  void go_on_from(const HexConnected<W>& before, const Bits<W>& own) {
    const Bits<W> alive = open_ | own;
    changed_.clear();
    const Bits<W>* next = before.carriers.data();
    for (const auto& old : before.pairs) {
      const std::uint8_t a = end_of_[old.a], b = end_of_[old.b];
      const std::span<const Bits<W>> full(next, old.fulls), semi(next + old.fulls, old.semis);
      next += old.fulls + old.semis;
      if (a == gone || b == gone || a == b) continue;
      const bool same = stands(old.a, before) && stands(old.b, before);
      const int fulls = sort_out(full, same, alive, {{}, a, b, true}, 0);
      const int semis = sort_out(semi, same, alive, {{}, a, b, false}, fulls);
      if (fulls + semis == 0) continue;
      const int at = pair(a, b);
      pairs_.push_back({a, b});
      full_.settle_all(at, same_.data(), fulls);
      semi_.settle_all(at, same_.data() + fulls, semis);
      for (int i = 0; i < fulls; ++i) link(a, b, same_[i]);
    }
    for (const Connection& c : changed_) c.full ? offer_full(c.a, c.b, c.carrier) : offer_semi(c.a, c.b, c.carrier);
  }
  // Copies carriers that are the same to `same_`, from a place on, and others to `changed_`. How many are the same?
  int sort_out(std::span<const Bits<W>> carriers, bool same, const Bits<W>& alive, const Connection& like, int place) {
    int count = 0;
    for (const Bits<W>& carrier : carriers) {
      same_[place + count] = carrier;
      if (same && !carrier.without(open_).any())
        ++count;
      else if (!carrier.without(alive).any())
        changed_.push_back({carrier & open_, like.a, like.b, like.full});
    }
    return count;
  }
  // Is an end what it was before? A cell that has become a stone may still have its number.
  bool stands(int end, const HexConnected<W>& before) const {
    return end_of_[end] == end && (side(end) || open_.has(end) || before.groups.has(end));
  }

  // Queues a connection unless a smaller one makes it useless.
  void offer_full(int a, int b, const Bits<W>& carrier) {
    const int at = pair(a, b);
    if (full_.enough(at) || full_.cover(at, carrier) || full_.offered(at, carrier)) return;
    full_.offer(at, carrier);
    queue_[carrier.count()].push_back({carrier, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), true});
  }
  void offer_semi(int a, int b, const Bits<W>& carrier) {
    const int at = pair(a, b);
    if (semi_.enough(at) || full_.enough(at)) return;
    if (full_.cover(at, carrier) || semi_.cover(at, carrier)) return;
    if (full_.offered(at, carrier) || semi_.offered(at, carrier)) return;
    semi_.offer(at, carrier);
    queue_[carrier.count()].push_back({carrier, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), false});
  }

  // Among the settled connections from now on.
  void put(const Connection& c, int at) {
    if (full_.count(at) + semi_.count(at) == 0) pairs_.push_back({c.a, c.b});
    if (c.full) {
      full_.settle(at, c.carrier);
      link(c.a, c.b, c.carrier);
    } else {
      semi_.settle(at, c.carrier);
    }
  }

  void link(int a, int b, const Bits<W>& carrier) {
    links_[a].push_back({carrier | cell_[b], b});
    links_[b].push_back({carrier | cell_[a], a});
  }

  void settle_full(const Connection& c) {
    const int at = pair(c.a, c.b);
    if (full_.enough(at) || full_.cover(at, c.carrier)) return;
    if (sides(c)) threats_.connect(c.carrier);
    extend(c.a, c.b, c.carrier);
    extend(c.b, c.a, c.carrier);
    put(c, at);
  }

  // The and rule: from `end` over `middle` to all that is connected with `middle`.
  void extend(int end, int middle, const Bits<W>& carrier) {
    if (side(middle)) return;  // sound, but a detour over a side costs much more than it finds
    const Bits<W> needs = carrier | cell_[end], through = carrier | cell_[middle];
    const std::vector<Link>& links = links_[middle];
    if (chosen_.size() < links.size()) chosen_.resize(links.size());
    int found = 0;
    for (int i = 0; i < static_cast<int>(links.size()); ++i) {
      chosen_[found] = static_cast<std::uint16_t>(i);  // no branch: half of them would be guessed wrong
      found += !(needs & links[i].needs).any();
    }
    const bool full = !open_.has(middle);
    for (int i = 0; i < found; ++i) {
      const Link& link = links[chosen_[i]];
      if (link.far == end) continue;
      const Bits<W> both = (through | link.needs).without(cell_[link.far]);
      full ? offer_full(end, link.far, both) : offer_semi(end, link.far, both);
    }
  }

  void settle_semi(const Connection& c) {
    const int at = pair(c.a, c.b);
    if (sides(c)) {
      threats_.add(c.carrier);  // all of them count, and their or rule is short
    } else if (!semi_.enough(at) && !semi_.cover(at, c.carrier) && !full_.cover(at, c.carrier)) {
      join_all(c, at);
      put(c, at);
    }
  }

  // The or rule, for `c` with the semi connections settled before it.
  void join_all(const Connection& c, int at) {
    const std::span<const Bits<W>> known = semi_.of(at);
    Bits<W> shared = board_.grid.board;
    for (std::size_t i = known.size(); i-- > 0;) shared_from_[i] = shared &= known[i];
    join(c, known, c.carrier, c.carrier, 0, most_joined - 1);
  }

  // Adds up to `more` connections, from the one numbered `from`, to some with the cells `shared` in `all`.
  void join(const Connection& c, std::span<const Bits<W>> known, const Bits<W>& shared, const Bits<W>& all,
            std::size_t from, int more) {
    for (std::size_t i = from; i < known.size(); ++i) {
      if ((shared & shared_from_[i]).any()) return;  // even all the rest together would share a cell
      const Bits<W> still_shared = shared & known[i], union_of_all = all | known[i];
      if (still_shared == shared) continue;
      if (!still_shared.any())
        offer_full(c.a, c.b, union_of_all);
      else if (more > 1 && !full_.cover(pair(c.a, c.b), union_of_all))
        join(c, known, still_shared, union_of_all, i + 1, more - 1);
    }
  }

  static constexpr std::uint8_t gone = 255;

  const HexBoard<W>& board_;
  const int top_, bottom_;  // the two sides as ends
  Bits<W> open_, groups_;
  HexThreats<W> threats_;
  std::array<std::uint8_t, 64 * W + 2> end_of_{};  // what each end of before is now
  std::array<Bits<W>, 64 * W + 2> cell_{};         // for each end, itself if it is an empty cell, else nothing
  std::vector<std::vector<Link>> links_;           // for each end, its settled full connections
  std::vector<std::vector<Connection>> queue_;     // by size of the carrier
  std::vector<Connection> changed_;
  std::array<Bits<W>, most_full + most_semi + 8> same_{};
  HexCarriers<W, most_full> full_;
  HexCarriers<W, most_semi> semi_;
  std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs_;  // those with settled connections
  std::vector<std::uint16_t> chosen_;                         // numbers of links
  std::array<Bits<W>, most_semi> shared_from_{};  // what the semi connections from a number on have in common
};

}  // namespace ludus
