// Cells that cannot matter, or matter less than another: dead, captured, vulnerable and dominated ones.
//
// All of it follows from one test on a graph (Björnsson, Hayward, Johanson and van Rijswijck 2006). To
// either player, an own stone is a shortcut between the empty cells around it and a stone
// of the other player is a hole. A cell matters only if some shortest winning path runs through it, and such
// a path comes and goes by two neighbours that do not touch each other. So a cell whose neighbours all touch
// one another is dead: whoever has it, nothing changes, now or after any further stones.
#pragma once

#include "solve/hex_position.h"

namespace ludus {

// The empty cells as the player `who` sees them, who joins its first and its last side.
template <int W>
class HexGraph {
 public:
  void look_at(const HexBoard<W>& board, const Bits<W>& own, const Bits<W>& open, Player who) {
    open_ = open;
    first_ = board.first[who] & open_;
    last_ = board.last[who] & open_;
    for (int i : open_) near_[i] = board.touching[i] & open_;
    for (Bits<W> rest = own; rest.any();) {
      const Bits<W> group = hex_group(board, rest.lowest(), own);
      rest = rest.without(group);
      tie(board.around(group) & open_, (group & board.first[who]).any(), (group & board.last[who]).any());
    }
  }

  // Looks for what a stone on each cell would kill; the following functions know it from then on.
  void find_killers() {
    for (int i : open_) killed_[i] = killed_from(i);
  }

  const Bits<W>& open() const { return open_; }

  // What an own stone on `stone` makes dead.
  const Bits<W>& killed_by(int stone) const { return killed_[stone]; }

  Bits<W> dead_cells() const {
    Bits<W> result;
    for (int i : open_)
      if (all_touch(near_[i], near_[i], first_.has(i), last_.has(i), first_, last_)) result.add(i);
    return result;
  }

  // Two cells that kill each other are captured, as good as own stones: should the other player take one, the
  // owner takes its twin and the intruder is dead.
  Bits<W> captured_cells() const {
    Bits<W> result;
    for (int a : open_)
      for (int b : killed_[a])
        if (b > a && killed_[b].has(a)) result.add(a), result.add(b);
    return result;
  }

  // What an own stone on `cell` captures among its neighbours.
  Bits<W> captured_by(int cell) {
    const Bits<W> rim = near_[cell], first = first_, last = last_;
    for (int i : rim) kept_[i] = near_[i];
    tie(rim, first_.has(cell), last_.has(cell));
    for (int i : rim) near_[i].remove(cell);
    Bits<W> result;
    for (int a : rim)
      for (int b : rim)
        if (b > a && kills(a, b) && kills(b, a)) result.add(a), result.add(b);
    for (int i : rim) near_[i] = kept_[i];
    first_ = first, last_ = last;
    return result;
  }
  const Bits<W>& near(int cell) const { return near_[cell]; }

 private:
  // From now on the cells of `rim` touch each other, and perhaps a side.
  void tie(const Bits<W>& rim, bool to_first, bool to_last) {
    for (int i : rim) {
      near_[i] |= rim;
      near_[i].remove(i);
    }
    if (to_first) first_ |= rim;
    if (to_last) last_ |= rim;
  }

  // What is killed has a neighbour in common with the stone, so it is never far away.
  Bits<W> killed_from(int stone) const {
    Bits<W> candidates = near_[stone], result;
    for (int i : near_[stone]) candidates |= near_[i];
    candidates.remove(stone);
    for (int i : candidates)
      if (kills(stone, i)) result.add(i);
    return result;
  }

  // Is `cell` dead once there is an own stone on `stone`?
  bool kills(int stone, int cell) const {
    const Bits<W>& tied = near_[stone];
    const Bits<W> first = first_.has(stone) ? first_ | tied : first_;
    const Bits<W> last = last_.has(stone) ? last_ | tied : last_;
    Bits<W> around = tied.has(cell) ? near_[cell] | tied : near_[cell];
    around.remove(cell);
    around.remove(stone);
    return all_touch(around, around.without(tied), first.has(cell), last.has(cell), first, last);
  }

  // Do all of `cells` touch each other, and the sides asked for? Only the `doubtful` ones need a look.
  bool all_touch(const Bits<W>& cells, const Bits<W>& doubtful, bool and_first, bool and_last, const Bits<W>& first,
                 const Bits<W>& last) const {
    if (and_first && and_last) return false;  // the sides themselves do not touch
    if (and_first && cells.without(first).any()) return false;
    if (and_last && cells.without(last).any()) return false;
    for (int i : doubtful) {
      Bits<W> strangers = cells.without(near_[i]);
      strangers.remove(i);
      if (strangers.any()) return false;
    }
    return true;
  }

  Bits<W> open_;                        // the empty cells
  Bits<W> first_, last_;                // those that touch a side, directly or through own stones
  std::array<Bits<W>, 64 * W> near_;    // the empty cells that each one touches, directly or through own stones
  std::array<Bits<W>, 64 * W> killed_;  // what a stone on each one makes dead
  std::array<Bits<W>, 64 * W> kept_;    // how some of `near_` were before
};

// A position in which dead and captured cells are filled in. Who wins does not change, whoever is to move. The owner of
// captured cells needs them: should the other player take one, the answer is its twin. Nobody needs a dead cell.
template <int W>
class HexFilled {
 public:
  // Gives every dead cell to somebody and every captured cell to its owner, until none is left.
  HexFilled(const HexBoard<W>& board, const HexPosition<W>& p) : position_(p) {
    Bits<W>* const stones[2] = {&position_.mine, &position_.theirs};
    int quiet = 0;  // players in a row for whom nothing was found
    for (Player who = 0; quiet < 2; who = 1 - who) {
      graphs_[who].look_at(board, *stones[who], open(board), who);
      graphs_[who].find_killers();
      const Bits<W> caught = graphs_[who].captured_cells(), found = graphs_[who].dead_cells() | caught;
      captured_[who] |= caught;
      *stones[who] |= found;
      quiet = found.any() ? 0 : quiet + 1;
    }
    open_ = open(board);
  }

  const HexPosition<W>& position() const { return position_; }
  const Bits<W>& stones(Player who) const { return who == 0 ? position_.mine : position_.theirs; }
  const Bits<W>& open() const { return open_; }
  // The cells that a player has captured.
  const Bits<W>& captured(Player who) const { return captured_[who]; }

  struct Moves {
    Bits<W> moves;
    Bits<W> killers;  // the answers to moves that were dropped because an answer kills them
  };

  // Of the cells `must`, which hold every winning move, enough to hold one winning move if there is any.
  //
  // A cell is vulnerable if some answer kills it. If it wins, the mover also wins with the answer on the board
  // and the move undone; so another move wins, and it can be found among cells that are not vulnerable.
  // A cell is dominated if another move kills or captures it: that other move is at least as good. It may stand
  // in for the cell if it is kept itself, and rules the cell out if it cannot win, being outside `must`.
  Moves worth_playing(const Bits<W>& must, Player mover) {
    HexGraph<W>&mine = graphs_[mover], &theirs = graphs_[1 - mover];
    Bits<W> moves = must, killers;
    for (int i : open_) {
      const Bits<W> killed = theirs.killed_by(i) & moves;
      if (killed.any()) killers.add(i), moves = moves.without(killed);
    }
    for (int i : open_) {
      if (must.has(i) && !moves.has(i)) continue;  // already dropped, so it cannot represent another move
      moves = moves.without(mine.killed_by(i));
      if ((mine.near(i) & moves).any()) moves = moves.without(mine.captured_by(i));
    }
    return {moves, killers};
  }

 private:
  Bits<W> open(const HexBoard<W>& board) const { return board.grid.board.without(position_.mine | position_.theirs); }

  HexPosition<W> position_;
  Bits<W> open_, captured_[2];
  HexGraph<W> graphs_[2];
};

}  // namespace ludus
