// An estimate of the score of a Hex game: which player's resistor network carries more current from side to side.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "games/hex.h"

namespace ludus {

// The board as Shannon's resistor network. Cells conduct well where the player has a stone, not at all where
// the other has one; one side of the player is held at potential 1, the opposite side at -1. A link between
// two cells conducts as the product of their conductances, so at rest the potential of a cell is the mean of
// its neighbours' potentials, weighted by *their* conductances alone.
//
// Cells lie row by row with a frame round them; the player's sides are the frame's first and last row.
template <int W>
struct HexCircuit {
  static constexpr int max_size = W == 1 ? 8 : W == 2 ? 11 : 19;
  static constexpr int stride = max_size + 2;
  static constexpr float stone = 6.f;   // conductance of an own stone and of the sides; an empty cell has 1
  static constexpr float reach = 1.6f;  // overrelaxation: 1 stops at the mean, 2 would oscillate for ever
  static constexpr int rounds = 24;
  using Field = std::array<float, stride * stride>;

  int size;
  Field conductance{}, potential{}, carried{};  // carried = conductance * potential

  HexCircuit(const Hex<W>& state, Player p) : size(state.size()) {
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        const int cell = p == 0 ? row * size + column : column * size + row;  // the goals are mirror images
        set(at(row, column), state.stones[p].has(cell) ? stone : state.stones[1 - p].has(cell) ? 0.f : 1.f, row);
      }
    for (int column = 0; column < size; ++column) {
      set(at(-1, column), stone, -1), set(at(size, column), stone, size);
    }
    set(at(-1, size), stone, -1), set(at(size, -1), stone, size);  // the corners that touch a cell
  }

  static int at(int row, int column) { return (row + 1) * stride + column + 1; }

  // Potentials begin where they would be on an empty board: falling evenly from side to side.
  void set(int i, float conducts, int row) {
    conductance[i] = conducts;
    potential[i] = static_cast<float>(size - 1 - 2 * row) / static_cast<float>(size + 1);
    carried[i] = conducts * potential[i];
  }

  static float sum_around(const Field& f, int i) {
    return ((f[i - stride] + f[i + stride]) + (f[i - 1] + f[i + 1])) + (f[i - stride + 1] + f[i + stride - 1]);
  }

  // Moves every cell towards the mean of its neighbours, again and again. Steps beyond the mean, seen from the
  // potential before the last, arrive in a fraction of the rounds (second-order Richardson iteration).
  void settle() {
    Field share{};  // nothing flows in the frame's columns and under enemy stones
    const int first = at(0, 0), last = at(size, -1);
    for (int i = first; i < last; ++i) {
      const float sum = sum_around(conductance, i);
      share[i] = conductance[i] > 0 && sum > 0 ? 1.f / sum : 0.f;
    }
    Field before = potential;
    for (int round = 0; round < rounds; ++round) {
      for (int i = first; i < last; ++i) {
        const float next = before[i] + reach * (sum_around(carried, i) * share[i] - before[i]);
        before[i] = potential[i];
        potential[i] = next;
      }
      for (int i = first; i < last; ++i) carried[i] = conductance[i] * potential[i];
    }
  }

  // The current through a cell, which enters it and leaves it again.
  float through(int cell, Player p) const {
    const int row = cell / size, column = cell % size;
    return through(p == 0 ? at(row, column) : at(column, row));
  }
  float through(int i) const {
    float flow = 0;
    for (const int j : {i - stride, i + stride, i - 1, i + 1, i - stride + 1, i + stride - 1})
      flow += conductance[j] * std::abs(potential[i] - potential[j]);
    return flow * conductance[i] / 2;
  }
  // The current that enters by the first row.
  float inflow() const {
    float flow = 0;
    for (int column = 0; column < size; ++column) {
      const int i = at(0, column);
      flow += 2 * stone * conductance[i] * (1 - potential[i]);  // by two links
    }
    return flow;
  }

  // The current from side to side. In a circuit that is cut the iteration may not have converged and give less than 0.
  float current() const {
    float flow = 0;
    for (int column = 0; column < size; ++column) {
      const int in = at(0, column), out = at(size - 1, size - 1 - column);  // summed in mirrored order
      flow += conductance[in] * (1.f - potential[in]) + conductance[out] * (1.f + potential[out]);
    }
    return std::max(flow, 0.f);
  }
};

template <int W>
float estimate(const Hex<W>& state, Player p) {
  std::array<float, 2> current;
  for (Player q : {0, 1}) {
    HexCircuit<W> circuit(state, q);
    circuit.settle();
    current[q] = circuit.current() + 0.01f;  // never zero, so the quotient below is defined
  }
  return (current[p] - current[1 - p]) / (current[p] + current[1 - p]);
}

}  // namespace ludus
