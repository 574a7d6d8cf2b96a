// Cells that cannot matter, or matter less than another: dead, captured, vulnerable and dominated ones.
//
// All of it follows from one test on a graph (Björnsson, Hayward, Johanson and van Rijswijck 2006). To the
// player who joins top and bottom, an own stone is a shortcut between the empty cells around it and a stone
// of the other player is a hole. A cell matters only if some shortest winning path runs through it, and such
// a path comes and goes by two neighbours that do not touch each other. So a cell whose neighbours all touch
// one another is dead: whoever has it, nothing changes, now or after any further stones.
#pragma once

#include "solve/hex_position.h"

namespace ludus {

template <int W>
class HexGraph {
 public:
  HexGraph(const HexBoard<W>& board, const HexPosition<W>& p) {
    open_ = board.grid.board.without(p.mine | p.theirs);
    top_ = board.first[0] & open_;
    bottom_ = board.last[0] & open_;
    for (int i : open_) near_[i] = board.touching[i] & open_;
    for (Bits<W> rest = p.mine; rest.any();) {
      const Bits<W> group = hex_group(board, rest.lowest(), p.mine);
      rest = rest.without(group);
      tie(board.around(group) & open_, (group & board.first[0]).any(), (group & board.last[0]).any());
    }
  }

  const Bits<W>& open() const { return open_; }
  const Bits<W>& near(int cell) const { return near_[cell]; }

  // The graph with one more own stone.
  HexGraph with(int cell) const {
    HexGraph g = *this;
    g.open_.remove(cell);
    g.tie(near_[cell], top_.has(cell), bottom_.has(cell));
    for (int i : near_[cell]) g.near_[i].remove(cell);
    return g;
  }

  Bits<W> dead_cells() const {
    Bits<W> result;
    for (int i : open_)
      if (all_touch(near_[i], near_[i], top_.has(i), bottom_.has(i), top_, bottom_)) result.add(i);
    return result;
  }

  // What an own stone on `stone` makes dead. That takes a common neighbour, so it is never far away.
  Bits<W> killed_by(int stone) const {
    Bits<W> candidates = near_[stone];
    for (int i : near_[stone]) candidates |= near_[i];
    candidates.remove(stone);
    Bits<W> result;
    for (int i : candidates)
      if (kills(stone, i)) result.add(i);
    return result;
  }

  // Two cells that kill each other are captured, as good as own stones: should the other player take one, the
  // owner takes its twin and the intruder is dead.
  Bits<W> captured_cells(const Bits<W>& among) const {
    Bits<W> result;
    for (int a : among)
      for (int b : killed_by(a) & among)
        if (b > a && kills(b, a)) result.add(a), result.add(b);
    return result;
  }

 private:
  // From now on the cells of `rim` touch each other, and perhaps a side.
  void tie(const Bits<W>& rim, bool to_top, bool to_bottom) {
    for (int i : rim) {
      near_[i] |= rim;
      near_[i].remove(i);
    }
    if (to_top) top_ |= rim;
    if (to_bottom) bottom_ |= rim;
  }

  // Is `cell` dead in with(stone)? The same without building that graph.
  bool kills(int stone, int cell) const {
    const Bits<W>& tied = near_[stone];
    const Bits<W> top = top_.has(stone) ? top_ | tied : top_;
    const Bits<W> bottom = bottom_.has(stone) ? bottom_ | tied : bottom_;
    Bits<W> around = tied.has(cell) ? near_[cell] | tied : near_[cell];
    around.remove(cell);
    around.remove(stone);
    return all_touch(around, around.without(tied), top.has(cell), bottom.has(cell), top, bottom);
  }

  // Do all of `cells` touch each other, and the sides asked for? Only the `doubtful` ones need a look.
  bool all_touch(const Bits<W>& cells, const Bits<W>& doubtful, bool and_top, bool and_bottom, const Bits<W>& top,
                 const Bits<W>& bottom) const {
    if (and_top && and_bottom) return false;  // the sides themselves do not touch
    if (and_top && cells.without(top).any()) return false;
    if (and_bottom && cells.without(bottom).any()) return false;
    for (int i : doubtful) {
      Bits<W> strangers = cells.without(near_[i]);
      strangers.remove(i);
      if (strangers.any()) return false;
    }
    return true;
  }

  Bits<W> open_;                      // the empty cells
  Bits<W> top_, bottom_;              // those that touch a side, directly or through own stones
  std::array<Bits<W>, 64 * W> near_;  // the empty cells that each one touches, directly or through own stones
};

template <int W>
struct HexFilled {
  HexPosition<W> position;
  Bits<W> needs[2];  // the cells that were captured by the player to move, and by the other one
};

// Gives every dead cell to somebody and every captured cell to its owner, until none is left. Who wins does
// not change, whoever is to move. The owner of captured cells needs them: should the other player take one, the answer
// is its twin. Nobody needs a dead cell.
template <int W>
HexFilled<W> filled_in(const HexBoard<W>& board, const HexTurns<W>& turns, HexPosition<W> p) {
  HexFilled<W> filled;
  const auto fill_mine = [&](HexPosition<W> q, Bits<W>& captured) {
    const HexGraph<W> graph(board, q);
    const Bits<W> caught = graph.captured_cells(graph.open());
    captured |= caught;
    q.mine |= graph.dead_cells() | caught;
    return q;
  };
  for (;;) {
    const HexPosition<W> before = p;
    p = turns.passed(fill_mine(turns.passed(fill_mine(p, filled.needs[0])), filled.needs[1]));
    if (p == before) break;
  }
  filled.position = p;
  filled.needs[1] = turns.mirrored(filled.needs[1]);
  return filled;
}

template <int W>
struct HexMoves {
  Bits<W> moves;
  Bits<W> killers;  // the answers to moves that were dropped because an answer kills them
};

// Of the cells `must`, which hold every winning move, enough to hold one winning move if there is any.
//
// A cell is vulnerable if some answer kills it. If it wins, the mover also wins with the answer on the board
// and the move undone; so another move wins, and it can be found among cells that are not vulnerable.
// A cell is dominated if another move kills or captures it: that other move is at least as good. It may stand
// in for the cell if it is kept itself, and rules the cell out if it cannot win, being outside `must`.
template <int W>
HexMoves<W> worth_playing(const HexBoard<W>& board, const HexTurns<W>& turns, const HexPosition<W>& p,
                          const Bits<W>& must) {
  const HexGraph<W> theirs(board, turns.passed(p)), mine(board, p);
  Bits<W> rest = turns.mirrored(must), killers;
  for (int i : theirs.open()) {
    const Bits<W> killed = theirs.killed_by(i) & rest;
    if (killed.any()) killers.add(i), rest = rest.without(killed);
  }
  Bits<W> moves = turns.mirrored(rest);
  for (int i : mine.open()) {
    if (must.has(i) && !moves.has(i)) continue;  // already dropped, so it cannot represent another move
    moves = moves.without(mine.killed_by(i) | mine.with(i).captured_cells(mine.near(i)));
  }
  return {moves, turns.mirrored(killers)};
}

}  // namespace ludus
