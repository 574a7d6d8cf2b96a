// The patterns that value an Othello position on 8x8 and 6x6: edges with the X squares, corners, lines. Their weights
// are fitted by experiments/othello_patterns.py; the face of the game hands them over.
#pragma once

#include <atomic>
#include <vector>

#include "games/othello.h"
#include "games/patterns.h"

namespace ludus {

constexpr float discs_of_a_lead = 8;  // a lead of so many discs counts as a lead of 1 in squash()

class OthelloPatterns {
 public:
  static bool exist_for(int size) { return size == 6 || size == 8; }

  // The patterns of a size and the one set of weights that all its states use, from when it has been loaded.
  static OthelloPatterns& of(int size) {
    static OthelloPatterns six(6), eight(8);
    return size == 6 ? six : eight;
  }

  static const OthelloPatterns* loaded_for(int size) {
    if (!exist_for(size)) return nullptr;
    const OthelloPatterns& patterns = of(size);
    return patterns.loaded() ? &patterns : nullptr;
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
    const int discs = (mine | theirs).count(), stage = (discs - 4) * patterns_.stages() / (cells_ - 3);
    return static_cast<float>(patterns_.sum(stage, mine.words[0], theirs.words[0])) / unit;
  }

  static constexpr float unit = 64;  // weights are in this part of a disc

 private:
  explicit OthelloPatterns(int size) : cells_(size * size), patterns_(shapes(size), square_images(size)) {}

  static std::vector<Patterns::Cells> shapes(int size) {
    const int n = size;
    const auto block = [n](int rows, int columns) {
      Patterns::Cells cells;
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) cells.push_back(r * n + c);
      return cells;
    };
    const auto line = [](int from, int step, int length) {
      Patterns::Cells cells;
      for (int i = 0; i < length; ++i) cells.push_back(from + i * step);
      return cells;
    };
    Patterns::Cells edge = line(0, 1, n);
    edge.push_back(n + 1), edge.push_back(2 * n - 2);  // the X squares
    std::vector<Patterns::Cells> all{edge, block(3, 3), block(2, 5)};
    for (int row = 1; row < n / 2; ++row) all.push_back(line(row * n, 1, n));
    for (int length = n; length >= (n == 8 ? 4 : 3); --length) all.push_back(line(n - length, n + 1, length));
    return all;
  }

  int cells_;
  Patterns patterns_;
  std::atomic<bool> loaded_ = false;
};

}  // namespace ludus
