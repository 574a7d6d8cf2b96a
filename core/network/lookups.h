// Patterns: for every cell, the sum of what the lines through it are worth. Which lines there are, and how their
// contents are numbered, comes with the weights (src/ludus/learn/patterns.py).
#pragma once

#include <algorithm>

#include "network/heads.h"

namespace ludus {

template <class Heads>
struct Lookups {
  int planes, cells;
  Matrix lines;  // from what every cell shows to the number of what every line shows; a few lines for each cell
  Matrix table;  // the worth of every number: channels
  Matrix point;  // from the planes of a cell to its channels
  Heads heads;
  Activation activation;

  int actions() const { return heads.actions(); }

  void judge(const float* input, std::size_t inputs, Outputs& outputs) const {
    for (std::size_t first = 0; first < outputs.count; first += group) {
      const int count = std::min(group, static_cast<int>(outputs.count - first));
      Seen seen{count, cells, point.width(), point.stride(), pointwise(input + first * inputs, count)};
      add_lines(input + first * inputs, seen);
      activate(activation, seen.numbers);
      heads.judge(seen, activation, first, outputs);
    }
  }

 private:
  static constexpr int group = 12;  // boards at a time: as many rows as pass through a matrix together

  Numbers pointwise(const float* input, int count) const {
    Numbers by_cell(static_cast<std::size_t>(count) * cells * planes);
    for (int i = 0; i < count; ++i)
      for (int plane = 0; plane < planes; ++plane)
        for (int cell = 0; cell < cells; ++cell) by_cell[(i * cells + cell) * planes + plane] = *input++;
    Numbers out(static_cast<std::size_t>(count) * cells * point.stride());
    point.apply(by_cell.data(), planes, count * cells, out.data());
    return out;
  }

  // 1 where the first plane has a stone, 2 where the second has one.
  Numbers shown(const float* input, int count) const {
    Numbers shown(static_cast<std::size_t>(count) * cells);
    for (int i = 0; i < count; ++i, input += static_cast<std::ptrdiff_t>(planes) * cells)
      for (int cell = 0; cell < cells; ++cell)
        shown[i * cells + cell] = input[cell] > 0.5f ? 1.f : planes > 1 && input[cells + cell] > 0.5f ? 2.f : 0.f;
    return shown;
  }

  void add_lines(const float* input, Seen& seen) const {
    const Numbers stones = shown(input, seen.boards);
    Numbers numbers(static_cast<std::size_t>(seen.boards) * lines.stride());
    lines.apply(stones.data(), cells, seen.boards, numbers.data());
    const int each = lines.width() / cells;
    for (int i = 0; i < seen.boards; ++i)
      for (int line = 0; line < lines.width(); ++line)
        table.add_line(static_cast<int>(numbers[i * lines.stride() + line]),
                       seen.numbers.data() + static_cast<std::ptrdiff_t>(i * cells + line / each) * seen.stride);
  }
};

}  // namespace ludus
