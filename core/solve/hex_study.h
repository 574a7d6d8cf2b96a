// What can be said of a Hex position without search: who wins, or else which moves are worth a try.
#pragma once

#include <vector>

#include "solve/hex_connections.h"
#include "solve/hex_inferior.h"
#include "solve/hex_table.h"

namespace ludus {

template <int W>
class HexStudy {
 public:
  HexStudy(const HexBoard<W>& board, const HexTurns<W>& turns)
      : board_(board), turns_(turns), connections_(board), studied_((board.grid.cells() + 1) * most_kept) {}

  // Fill-in does not change the winner, so all else uses the filled board. `depth`: moves since the search began. If
  // the position before this one was the last to be judged at its depth, its connections are used again.
  HexNode<W> judge(const HexPosition<W>& position, int depth) {
    const Player mover = depth & 1, other = 1 - mover;
    Studied* const before = place(position, depth);
    if (before != nullptr) before->used = ++clock_;
    Studied& now = oldest(depth);
    now.known = false;
    HexFilled<W> filled(board_, shown(position));
    const auto proven = [&](Player winner, const Bits<W>& needs) {
      const HexProof proof = winner == mover ? HexProof{0, HexProof::never} : HexProof{HexProof::never, 0};
      return HexNode<W>{position, position, {}, shown(needs | filled.captured(winner)), proof, 1};
    };
    for (Player p : {mover, other})
      if (joined(filled.stones(p), p)) return proven(p, {});

    // Easy questions end with a threat of the player to move. Later in a search the other player has more often won.
    const bool first = before == nullptr;
    const HexThreats<W>& threats = connections_.threats();
    if (first && threatens(mover, filled, before, now)) return proven(mover, threats.needs());
    look_for(other, filled, Goal::all_threats, before);
    if (threats.connected()) return proven(other, threats.needs());
    const auto worth = filled.worth_playing(threats.must_break(), mover);
    const Bits<W> needs = threats.needs() | worth.killers;
    if (!worth.moves.any()) return proven(other, needs);
    connections_.keep(now.connected[other]);
    if (!first && threatens(mover, filled, before, now)) return proven(mover, threats.needs());

    const HexAnswers<W> answers(now.connected[mover], filled.open(), board_.grid.cells());
    for (int i : worth.moves) answers_[shown(i)] = static_cast<std::uint32_t>(answers.to(i));
    now.known = true;
    now.used = ++clock_;
    now.position = filled.position();
    const auto moves = static_cast<std::uint32_t>(worth.moves.count());
    return {position, shown(filled.position()), shown(worth.moves), shown(needs | filled.captured(other)), {1, moves},
            1};
  }

  // After the position judged last: a guess how many answers to a move would have to be refuted.
  std::uint32_t answers_to(int move) const { return answers_[move]; }

  // The cells that are dead in a position, which nobody ever needs.
  Bits<W> dead_cells(const HexPosition<W>& position) const {
    const Bits<W> open = board_.grid.board.without(position.mine | position.theirs);
    HexGraph<W> graph;
    graph.look_at(board_, position.mine, open, 0);
    const Bits<W> dead = graph.dead_cells();
    graph.look_at(board_, position.theirs, open, 1);
    return dead | graph.dead_cells();
  }

 private:
  using Goal = typename HexConnections<W>::Goal;
  static constexpr int most_kept = W == 1 ? 4 : 1;  // of each depth; on a large board they take much memory

  // A position with its connections. All are seen from where the search began, so that nothing has to be mirrored.
  struct Studied {
    bool known = false;
    std::int64_t used = 0;
    HexPosition<W> position;
    HexConnected<W> connected[2];

    const Bits<W>& stones(Player who) const { return who == 0 ? position.mine : position.theirs; }
    bool comes_before(const HexPosition<W>& p) const {
      return !position.mine.without(p.mine).any() && !position.theirs.without(p.theirs).any();
    }
  };

  std::span<Studied> at(int depth) { return std::span(studied_).subspan(depth * most_kept, most_kept); }

  // Turns a position so that it comes after one that was judged not long ago, at the largest depth that has one.
  Studied* place(const HexPosition<W>& position, int depth) {
    mirrored_ = depth & 1;
    rotated_ = true;
    const HexPosition<W> turned = shown(position);
    rotated_ = false;
    const HexPosition<W> seen = shown(position);
    for (int d = depth; d-- > 0;)
      for (Studied& s : at(d)) {
        if (!s.known) continue;
        if (s.comes_before(seen)) return &s;
        if (s.comes_before(turned)) return rotated_ = true, &s;
      }
    return nullptr;
  }

  // Where to keep what is judged now: in the place of what was not used for the longest time.
  Studied& oldest(int depth) {
    const auto earlier = [](const Studied& a, const Studied& b) { return a.used < b.used; };
    return *std::ranges::min_element(at(depth), earlier);
  }

  // Turns what the position's player sees into what is studied, or the other way round.
  int shown(int cell) const {
    const int there = mirrored_ ? turns_.mirrored(cell) : cell;
    return rotated_ ? turns_.rotated(there) : there;
  }
  Bits<W> shown(const Bits<W>& cells) const {
    const Bits<W> there = mirrored_ ? turns_.mirrored(cells) : cells;
    return rotated_ ? turns_.rotated(there) : there;
  }
  HexPosition<W> shown(const HexPosition<W>& p) const {
    return mirrored_ ? HexPosition<W>{shown(p.theirs), shown(p.mine)} : HexPosition<W>{shown(p.mine), shown(p.theirs)};
  }

  // Does a player threaten to join its sides? If not, its connections are kept.
  bool threatens(Player who, const HexFilled<W>& filled, const Studied* before, Studied& now) {
    if (before != nullptr && before->stones(who) == filled.stones(who)) {  // nothing new can have come of it
      now.connected[who].thin_out(before->connected[who], filled.open(), board_.grid.cells());
      return false;
    }
    look_for(who, filled, Goal::one_threat, before);
    if (connections_.threats().any()) return true;
    connections_.keep(now.connected[who]);
    return false;
  }

  void look_for(Player who, const HexFilled<W>& filled, Goal goal, const Studied* before) {
    connections_.search(filled.stones(who), filled.open(), who, goal,
                        before != nullptr ? &before->connected[who] : nullptr);
  }

  bool joined(const Bits<W>& stones, Player p) const {
    const auto around = [this](const Bits<W>& b) { return board_.around(b); };
    return (flood(stones & board_.first[p], stones, around) & board_.last[p]).any();
  }

  const HexBoard<W>& board_;
  const HexTurns<W>& turns_;
  HexConnections<W> connections_;
  std::vector<Studied> studied_;  // for each depth, the position judged last
  std::int64_t clock_ = 0;
  bool mirrored_ = false, rotated_ = false;
  std::array<std::uint32_t, 64 * W> answers_{};
};

}  // namespace ludus
