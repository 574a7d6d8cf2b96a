// Cells that cannot matter, or matter less than another: dead, captured, dominated and vulnerable ones.
//
// All of it follows from one test on a graph (Björnsson, Hayward, Johanson and van Rijswijck 2006). To the
// player who joins top and bottom a stone of its own is as good as a shortcut between the empty cells
// around it, and a stone of the other player is a hole. A cell matters only if some shortest winning path
// runs through it; such a path enters and leaves by two neighbours that do not touch each other. So a cell
// whose neighbours all touch one another is dead: its colour never decides anything.
#pragma once

#include "solve/hex_position.h"

namespace ludus {

template <int W>
struct HexGraph {
  Bits<W> open;                        // the empty cells
  Bits<W> top, bottom;                 // those that touch a side, directly or through own stones
  std::array<Bits<W>, 64 * W> near;    // the empty cells that one touches, directly or through own stones

  HexGraph(const HexBoard<W>& board, const HexPosition<W>& p) {
    open = board.grid.board.without(p.mine | p.theirs);
    top = board.first[0] & open;
    bottom = board.last[0] & open;
    for (int i : open) near[i] = board.touching[i] & open;
    for (Bits<W> rest = p.mine; rest.any();) {
      const Bits<W> group = flood(Bits<W>::one(rest.lowest()), p.mine, [&](const Bits<W>& b) { return board.around(b); });
      rest = rest.without(group);
      add_shortcut(board.around(group) & open, (group & board.first[0]).any(), (group & board.last[0]).any());
    }
  }

  // The graph with one more own stone.
  HexGraph with(int cell) const {
    HexGraph g = *this;
    g.open.remove(cell);
    g.add_shortcut(near[cell], top.has(cell), bottom.has(cell));
    for (int i : near[cell]) g.near[i].remove(cell);
    return g;
  }

  bool dead(int cell) const {
    return !(top.has(cell) && bottom.has(cell)) && clique(near[cell], near[cell], top.has(cell), bottom.has(cell), top, bottom);
  }

  // Is `cell` dead once its owner has a stone on `stone`?
  bool kills(int stone, int cell) const {
    const Bits<W>& bound = near[stone];  // these touch each other from then on
    const Bits<W> new_top = top.has(stone) ? top | bound : top;
    const Bits<W> new_bottom = bottom.has(stone) ? bottom | bound : bottom;
    if (new_top.has(cell) && new_bottom.has(cell)) return false;
    Bits<W> around = bound.has(cell) ? near[cell] | bound : near[cell];
    around.remove(cell);
    around.remove(stone);
    return clique(around, around.without(bound), new_top.has(cell), new_bottom.has(cell), new_top, new_bottom);
  }

  Bits<W> dead_cells() const {
    Bits<W> result;
    for (int i : open)
      if (dead(i)) result.add(i);
    return result;
  }

  Bits<W> killed_by(int stone) const {
    Bits<W> candidates = near[stone];
    for (int i : near[stone]) candidates |= near[i];
    candidates.remove(stone);
    Bits<W> result;
    for (int i : candidates)
      if (kills(stone, i)) result.add(i);
    return result;
  }

  // Two cells that kill each other are captured: whichever the other player takes, the owner takes its twin.
  Bits<W> captured_cells(const Bits<W>& among) const {
    Bits<W> result;
    for (int a : among)
      for (int b : killed_by(a) & among)
        if (b > a && kills(b, a)) result.add(a), result.add(b);
    return result;
  }

 private:
  void add_shortcut(const Bits<W>& rim, bool to_top, bool to_bottom) {
    for (int i : rim) {
      near[i] |= rim;
      near[i].remove(i);
    }
    if (to_top) top |= rim;
    if (to_bottom) bottom |= rim;
  }

  // Do all of `cells` touch each other, and the sides named? Only `doubtful` ones need a look.
  bool clique(const Bits<W>& cells, const Bits<W>& doubtful, bool to_top, bool to_bottom, const Bits<W>& top,
              const Bits<W>& bottom) const {
    if (to_top && cells.without(top).any()) return false;
    if (to_bottom && cells.without(bottom).any()) return false;
    for (int i : doubtful) {
      Bits<W> strangers = cells.without(near[i]);
      strangers.remove(i);
      if (strangers.any()) return false;
    }
    return true;
  }
};

}  // namespace ludus
