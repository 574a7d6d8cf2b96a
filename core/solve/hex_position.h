// A Hex position as the solver sees it: whoever is to move joins top and bottom. Swapping the players and
// mirroring the board on its long diagonal gives an equivalent position, so the solver needs only this view.
#pragma once

#include "games/hex.h"

namespace ludus {

template <int W>
struct HexPosition {
  Bits<W> mine, theirs;  // mine join top and bottom, theirs left and right

  friend bool operator==(const HexPosition&, const HexPosition&) = default;
  Word hash() const { return Fingerprint().add(mine).add(theirs).value; }
};

// The stones of one player that are connected to `cell`.
template <int W>
Bits<W> hex_group(const HexBoard<W>& board, int cell, const Bits<W>& stones) {
  return flood(Bits<W>::one(cell), stones, [&](const Bits<W>& b) { return board.around(b); });
}

// Ways of turning the board that keep the game the same.
template <int W>
class HexTurns {
 public:
  explicit HexTurns(int size) : size_(size) {
    for (int i = 0; i < size * size; ++i) mirrored_[i] = static_cast<std::uint8_t>(i % size * size + i / size);
  }

  int mirrored(int cell) const { return mirrored_[cell]; }
  Bits<W> mirrored(const Bits<W>& cells) const {
    Bits<W> result;
    for (int i : cells) result.add(mirrored_[i]);
    return result;
  }

  // The same position with the other player to move.
  HexPosition<W> passed(const HexPosition<W>& p) const { return {mirrored(p.theirs), mirrored(p.mine)}; }

  // The position the other player faces once the mover has taken `cell`.
  HexPosition<W> after(HexPosition<W> p, int cell) const {
    p.mine.add(cell);
    return passed(p);
  }

  // Half a turn keeps every side with its owner: of the two views we keep the smaller.
  HexPosition<W> canonical(const HexPosition<W>& p) const { return smaller(p, rotated(p)); }
  static const HexPosition<W>& smaller(const HexPosition<W>& a, const HexPosition<W>& b) {
    if (a.mine != b.mine) return b.mine.words < a.mine.words ? b : a;
    return b.theirs.words < a.theirs.words ? b : a;
  }

  int rotated(int cell) const { return size_ * size_ - 1 - cell; }
  HexPosition<W> rotated(const HexPosition<W>& p) const { return {rotated(p.mine), rotated(p.theirs)}; }
  Bits<W> rotated(const Bits<W>& cells) const {
    Bits<W> result;
    for (int i : cells) result.add(rotated(i));
    return result;
  }

 private:
  int size_;
  std::array<std::uint8_t, 64 * W> mirrored_{};
};

// What canonical(after(position, move)) is, for one position and many moves.
template <int W>
class HexChildren {
 public:
  HexChildren(const HexTurns<W>& turns, const HexPosition<W>& p)
      : turns_(turns), passed_(turns.passed(p)), turned_(turns.rotated(passed_)) {}

  HexPosition<W> after(int move) const {
    const int cell = turns_.mirrored(move);
    HexPosition<W> plain = passed_, turned = turned_;
    plain.theirs.add(cell);
    turned.theirs.add(turns_.rotated(cell));
    return HexTurns<W>::smaller(plain, turned);
  }

 private:
  const HexTurns<W>& turns_;
  HexPosition<W> passed_, turned_;
};

}  // namespace ludus
