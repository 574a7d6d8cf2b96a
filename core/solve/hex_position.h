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
  HexPosition<W> canonical(const HexPosition<W>& p) const {
    const HexPosition<W> turned{rotated(p.mine), rotated(p.theirs)};
    if (turned.mine != p.mine) return turned.mine.words < p.mine.words ? turned : p;
    return turned.theirs.words < p.theirs.words ? turned : p;
  }

  Bits<W> rotated(const Bits<W>& cells) const {
    Bits<W> result;
    for (int i : cells) result.add(size_ * size_ - 1 - i);
    return result;
  }

 private:
  int size_;
  std::array<std::uint8_t, 64 * W> mirrored_{};
};

}  // namespace ludus
