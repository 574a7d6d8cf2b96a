// The transposition table of the Hex solver: positions with their proof numbers.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "solve/hex_position.h"
#include "solve/table_locks.h"

namespace ludus {

// How many leaves must still be settled, at the least, to prove that the player to move wins, or loses.
struct HexProof {
  static constexpr std::uint32_t never = 1u << 30;
  std::uint32_t win = 0, loss = 0;

  bool solved() const { return win == 0 || loss == 0; }
};

template <int W>
struct HexNode {
  HexPosition<W> position;
  HexPosition<W> filled;  // the same with dead and captured cells filled in, from which the search goes on
  Bits<W> moves;          // among them is a winning move if there is any
  Bits<W> needs;   // the empty cells that the winner needs; not solved: those that refute what is no move any more
  HexProof proof;  // both zero: no node at all
  std::uint32_t work = 0;  // positions judged to get this far; 0: a guess, the moves are not known yet

  bool known() const { return proof.win != 0 || proof.loss != 0; }
  bool judged() const { return work > 0; }
};

// Each position has four possible slots. It replaces the node that took the least work, but an initial guess never
// replaces an evaluated node. Positions are compared in full, so no two are ever confused.
template <int W>
class HexTable {
 public:
  explicit HexTable(std::size_t entries) : nodes_(std::bit_floor(std::max(entries, places))) {}

  void share() { locks_.share(); }

  std::optional<HexNode<W>> find(const HexPosition<W>& position) const {
    const std::size_t at = home(position);
    const TableLocks::Hold hold = locks_.hold(at / places);
    const HexNode<W>* first = &nodes_[at];
    for (std::size_t i = 0; i < places; ++i)
      if (first[i].position == position && first[i].known()) return first[i];
    return std::nullopt;
  }

  void store(const HexNode<W>& node) {
    const std::size_t at = home(node.position);
    const TableLocks::Hold hold = locks_.hold(at / places);
    HexNode<W>* first = &nodes_[at];
    HexNode<W>* place = first;
    for (std::size_t i = 0; i < places; ++i) {
      if (first[i].position == node.position && first[i].known()) {
        const bool proven = first[i].judged() && first[i].proof.solved();  // perhaps by another thread, meanwhile
        if (!proven) first[i] = node;
        return;
      }
      if (first[i].work < place->work) place = &first[i];
    }
    if (node.judged() || !place->judged()) *place = node;
  }

  // Where the solvers that work together mark that they are at this position.
  std::size_t place(const HexPosition<W>& position) const { return position.hash() / places; }

  void clear() { std::fill(nodes_.begin(), nodes_.end(), HexNode<W>{}); }

 private:
  static constexpr std::size_t places = 4;

  std::size_t home(const HexPosition<W>& position) const {
    return position.hash() & (nodes_.size() - 1) & ~(places - 1);
  }

  std::vector<HexNode<W>> nodes_;
  TableLocks locks_;
};

}  // namespace ludus
