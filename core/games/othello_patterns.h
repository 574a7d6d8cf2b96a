// The patterns that value an Othello position on 8x8: edges with the X squares, corners, lines. Their weights
// are fitted by experiments/othello_patterns.py; the face of the game hands them over.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "games/othello.h"
#include "games/patterns.h"

namespace ludus {

constexpr float discs_of_a_lead = 8;  // a lead of so many discs counts as a lead of 1 in squash()

class OthelloPatterns {
 public:
  static constexpr int size = 8;
  static constexpr int cells = size * size;

  // The one set of weights that all states use, from when it has been loaded.
  static OthelloPatterns& shared() {
    static OthelloPatterns all;
    return all;
  }

  bool loaded() const { return loaded_.load(std::memory_order_acquire); }
  // Only the first weights count, so that no search sees them change. Not for two threads at once.
  void load(const Patterns::Weight* weights, int stages) {
    if (loaded()) return;
    patterns_.load(weights, stages);
    loaded_.store(true, std::memory_order_release);
  }

  const Patterns& patterns() const { return patterns_; }

  // The margin to be expected, in discs, for the player who owns `mine` and is to move.
  float margin(const Bits<1>& mine, const Bits<1>& theirs) const {
    return static_cast<float>(sum(mine, theirs)) / unit;
  }
  // The same in units.
  int sum(const Bits<1>& mine, const Bits<1>& theirs) const {
    const int discs = std::max(4, (mine | theirs).count()), stage = (discs - 4) * patterns_.stages() / (cells - 3);
    return patterns_.sum(stage, mine.words[0], theirs.words[0]);
  }

  static constexpr int unit = 16;  // weights are in this part of a disc

 private:
  OthelloPatterns() : patterns_(shapes(), square_images(size)) {}

  static Patterns::Cells line(int from, int step, int length) {
    Patterns::Cells cells;
    for (int i = 0; i < length; ++i) cells.push_back(from + i * step);
    return cells;
  }
  static Patterns::Cells block(int rows, int columns) {
    Patterns::Cells cells;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) cells.push_back(row * size + column);
    return cells;
  }
  static std::vector<Patterns::Cells> shapes() {
    Patterns::Cells edge = line(0, 1, size);
    edge.push_back(size + 1), edge.push_back(2 * size - 2);  // the X squares
    std::vector<Patterns::Cells> all{edge, block(3, 3), block(2, 5)};
    for (int row = 1; row < size / 2; ++row) all.push_back(line(row * size, 1, size));
    for (int length = size; length >= 4; --length) all.push_back(line(size - length, size + 1, length));  // diagonals
    return all;
  }

  Patterns patterns_;
  std::atomic<bool> loaded_ = false;
};

}  // namespace ludus
