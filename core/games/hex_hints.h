// What a Hex player sees before looking ahead, for searches that begin with hints: how much of the current from side to
// side runs through each cell, for either player.
#pragma once

#include <array>

#include "games/hex_estimate.h"

namespace ludus {

template <int W>
class HexHints {
 public:
  explicit HexHints(const Hex<W>& state) : cells_(state.cell_count()) {
    for (const Player p : {0, 1}) {
      HexCircuit<W> circuit(state, p);
      circuit.settle();
      const float all = circuit.inflow() + 0.01f;  // never zero, as in the estimate
      for (int cell = 0; cell < cells_; ++cell) share_[cell] += circuit.through(cell, p) / all;
    }
  }

  // In games won: a hundred for all the current of one player.
  float operator()(Action a) const { return a < cells_ ? 100 * share_[a] : 0; }

 private:
  int cells_;
  std::array<float, 64 * W> share_{};
};

template <int W>
HexHints<W> hints(const Hex<W>& state) {
  return HexHints<W>(state);
}

}  // namespace ludus
