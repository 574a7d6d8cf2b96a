// Connect Four on any board: stones drop to the lowest empty cell of a column, `line` in a row wins.
#pragma once

#include <array>
#include <cassert>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "base/action_list.h"
#include "base/random.h"

namespace ludus {

__extension__ using WideWord = unsigned __int128;  // boards of up to 128 bits

inline int count_bits(Word b) { return std::popcount(b); }
inline int count_bits(WideWord b) { return std::popcount(Word(b)) + std::popcount(Word(b >> 64)); }
inline Word nth_bit(Word b, int k) { return only_bit(b, k); }
inline WideWord nth_bit(WideWord b, int k) {
  const int low = std::popcount(Word(b));
  return k < low ? WideWord{only_bit(Word(b), k)} : WideWord{only_bit(Word(b >> 64), k - low)} << 64;
}

// The cells around which `stones` stand so that one more stone there makes a line, whether they are empty or not.
// `plain`: four in a row, and room for it in every direction.
template <class B>
struct LineGaps {
  int width, height, line;
  bool plain = line == 4 && width >= 4 && height >= 4;

  B operator()(B stones) const {
    const int right = height + 1;
    if (plain)
      return ((stones << 1) & (stones << 2) & (stones << 3)) | four_along(stones, right) |
             four_along(stones, right + 1) | four_along(stones, right - 1);
    B found = line <= height ? any_along(stones, 1) : 0;
    if (line <= width) found |= any_along(stones, right);
    if (line <= width && line <= height) found |= any_along(stones, right + 1) | any_along(stones, right - 1);
    return found;
  }

 private:
  // Three stones around a gap, along one direction: xxx_ xx_x x_xx _xxx.
  static B four_along(B s, int step) {
    const B before = (s << step) & (s << 2 * step), after = (s >> step) & (s >> 2 * step);
    return (before & ((s << 3 * step) | (s >> step))) | (after & ((s >> 3 * step) | (s << step)));
  }

  // k stones before the gap and line - 1 - k after it, for every k.
  B any_along(B s, int step) const {
    B found = 0;
    for (int k = 0; k < line; ++k) {
      B gaps = ~B{0};
      for (int i = 1; i <= k; ++i) gaps &= s << i * step;
      for (int i = 1; i < line - k; ++i) gaps &= s >> i * step;
      found |= gaps;
    }
    return found;
  }
};

// One spare bit tops each column, so no line wraps into the next (7x6 shown):
//     6 13 20 27 34 41 48   (always empty)
//     5 12 19 26 33 40 47
//     ⋮
//     0  7 14 21 28 35 42
template <class B>
struct ConnectFour {
  static constexpr int max_width = 32;
  int width, height, line;
  B board, bottom;  // all cells, the lowest cell of each column
  B stones[2] = {0, 0};
  Player turn = 0;
  int winner = -1;  // -1: nobody yet

  ConnectFour(int width, int height, int line) : width(width), height(height), line(line), board(0), bottom(0) {
    for (int c = 0; c < width; ++c) {
      bottom |= B{1} << c * (height + 1);
      board |= column(c);
    }
  }
  // `cells` row by row from the top.
  ConnectFour(int width, int height, int line, const std::vector<int>& cells, Player turn)
      : ConnectFour(width, height, line) {
    for (int i = 0; i < width * height; ++i)
      if (cells[i] != 0) stones[cells[i] - 1] |= B{1} << bit_of(i);
    this->turn = turn;
    for (Player p : {0, 1})
      if (has_line(stones[p])) winner = p;
  }

  B column(int c) const { return ((B{1} << height) - 1) << c * (height + 1); }
  B filled() const { return stones[0] | stones[1]; }
  B landings() const { return (filled() + bottom) & board; }  // the lowest empty cell of every open column

  Player player() const { return turn; }
  bool over() const { return winner >= 0 || filled() == board; }
  float score(Player p) const { return winner < 0 ? 0.f : p == winner ? 1.f : -1.f; }
  ActionList<max_width> actions() const {
    ActionList<max_width> list;
    if (winner >= 0) return list;
    const B open = landings();
    for (int c = 0; c < width; ++c)
      if (open & column(c)) list.push(c);
    return list;
  }
  bool legal(Action a) const { return winner < 0 && a >= 0 && a < width && (landings() & column(a)) != 0; }
  void play(Action a) {
    assert(legal(a));
    drop(landings() & column(a));
  }

  void drop(B cell) {
    assert(count_bits(cell) == 1 && (cell & landings()) != 0);
    stones[turn] |= cell;
    if (has_line(stones[turn])) winner = turn;
    turn = 1 - turn;
  }
  // Uniform random play to the end. Draws among the landing cells, so no list of columns is made. Everything that
  // changes is kept in registers.
  void finish(Rng& rng) {
    if (winner >= 0) return;
    if (line == 4 && height >= 4 && width >= 4)
      finish(rng, [right = height + 1](B s) { return has_four(s, right); });
    else
      finish(rng, [this](B s) { return has_line(s); });
  }
  template <class Won>
  void finish(Rng& rng, Won won) {
    Rng dice = rng;
    const B bottom = this->bottom, board = this->board;
    B mine = stones[turn], theirs = stones[1 - turn];
    Player mover = turn;
    B open = ((mine | theirs) + bottom) & board;
    while (open) {
      const B cell = nth_bit(open, dice.below(count_bits(open)));
      mine |= cell;
      open = (open + cell) & board;
      std::swap(mine, theirs);
      mover = 1 - mover;
      if (won(theirs)) {
        winner = 1 - mover;
        break;
      }
    }
    turn = mover;
    stones[turn] = mine;
    stones[1 - turn] = theirs;
    rng = dice;
  }

  bool has_line(B s) const {
    const int up = 1, right = height + 1;
    const bool tall = height >= line, wide = width >= line;  // where no line fits, a shift might leave the word
    if (line == 4 && tall && wide) return has_four(s, right);
    return (tall && run(s, up)) || (wide && run(s, right)) ||
           (tall && wide && (run(s, right + 1) || run(s, right - 1)));
  }

  friend bool operator==(const ConnectFour& a, const ConnectFour& b) {
    return a.stones[0] == b.stones[0] && a.stones[1] == b.stones[1] && a.turn == b.turn;
  }
  Word key() const {
    Fingerprint print;
    for (B s : stones) print.add(Word(s)).add(Word(WideWord(s) >> 64));
    return print.add(turn).value;
  }

  // Mine, theirs; the empty cells that complete a line of mine, and of theirs; and every other row, those that I shall
  // get in the last column if all others are full (where columns have an even number of cells).
  std::array<int, 3> plane_shape() const { return {5, height, width}; }
  void planes(float* out) const {
    const LineGaps<B> gaps{width, height, line};
    const B mine = stones[turn], theirs = stones[1 - turn], empty = board & ~filled();
    B rows = 0;
    for (int row = count_bits(filled()) % 2; row < height; row += 2) rows |= bottom << row;
    const int size = width * height;
    for (B plane : {mine, theirs, gaps(mine) & empty, gaps(theirs) & empty, rows})
      for (int i = 0; i < size; ++i) *out++ = plane >> bit_of(i) & 1 ? 1.f : 0.f;
  }
  std::vector<int> cells() const {
    std::vector<int> rows(width * height, 0);
    for (int i = 0; i < width * height; ++i)
      for (Player p : {0, 1})
        if (stones[p] >> bit_of(i) & 1) rows[i] = p + 1;
    return rows;
  }

 private:
  // Cell i counts row by row from the top; bits count column by column from the bottom.
  int bit_of(int i) const { return i % width * (height + 1) + height - 1 - i / width; }

  // Where four stones of `s` stand `step` bits apart. All directions together need no branch but one.
  static B fours(B s, int step) {
    s &= s >> step;
    return s & s >> 2 * step;
  }
  static bool has_four(B s, int right) {
#ifdef __AVX2__
    if constexpr (std::is_same_v<B, Word>) {  // all four at once
      const __m256i steps = _mm256_setr_epi64x(1, right, right + 1, right - 1);
      const __m256i one = _mm256_set1_epi64x(static_cast<long long>(s));
      const __m256i two = _mm256_and_si256(one, _mm256_srlv_epi64(one, steps));
      return !_mm256_testz_si256(two, _mm256_srlv_epi64(two, _mm256_add_epi64(steps, steps)));
    }
#endif
    return (fours(s, 1) | fours(s, right) | fours(s, right + 1) | fours(s, right - 1)) != 0;
  }
  // True if `line` stones of `s` stand `step` bits apart: runs of two make runs of four, and so on.
  bool run(B s, int step) const {
    for (int length = 1; length < line;) {
      const int by = length < line - length ? length : line - length;
      s &= s >> by * step;
      length += by;
    }
    return s != 0;
  }
};
static_assert(State<ConnectFour<Word>>);

}  // namespace ludus
