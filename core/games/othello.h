// Othello (Reversi): set a disc so that it brackets enemy discs in a straight line and turn those over.
// Two variants: `passing` (a player who cannot move passes, and the game ends when neither can) or the game ends as
// soon as the player to move cannot. Most discs win.
#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <vector>
#ifdef __AVX512CD__
#include <immintrin.h>
#endif

#include "base/action_list.h"
#include "base/grid.h"
#include "base/random.h"
#include "games/board.h"

namespace ludus {

// Finds bracketed runs along the eight directions of a board of several words, one direction after the
// other. A disc in the first or last column is never bracketed sideways, so only inner columns carry a
// sideways run and nothing wraps round an edge.
template <int W>
struct OthelloRays {
  Grid<W> grid;
  explicit OthelloRays(int size) : grid(size, size) {}

  // Calls visit(through, step) for each direction: the discs a run can go through, and one step along it.
  template <class Visit>
  void each_way(const Bits<W>& theirs, Visit visit) const {
    const Bits<W> inner = theirs & grid.not_first & grid.not_last;
    const int down = grid.width;
    for (int by : {1, down - 1, down + 1}) {
      visit(inner, [by](const Bits<W>& b) { return b << by; });
      visit(inner, [by](const Bits<W>& b) { return b >> by; });
    }
    visit(theirs, [down](const Bits<W>& b) { return b << down; });
    visit(theirs, [down](const Bits<W>& b) { return b >> down; });
  }

  Bits<W> moves(const Bits<W>& mine, const Bits<W>& theirs) const {
    Bits<W> found;
    each_way(theirs, [&](const Bits<W>& through, auto step) { found |= step(run(mine, through, step)); });
    return (found & grid.board).without(mine | theirs);
  }

  Bits<W> flips(int cell, const Bits<W>& mine, const Bits<W>& theirs) const {
    Bits<W> turned;
    each_way(theirs, [&](const Bits<W>& through, auto step) {
      const Bits<W> between = run(Bits<W>::one(cell), through, step);
      if ((step(between) & mine).any()) turned |= between;
    });
    return turned;
  }

  // The same for the last empty cell: all others are mine or theirs.
  Bits<W> last_flips(int cell, const Bits<W>& mine) const {
    Bits<W> theirs = grid.board.without(mine);
    theirs.remove(cell);
    return flips(cell, mine, theirs);
  }

 private:
  // The runs of `through` that begin right beside `from`.
  template <class Step>
  static Bits<W> run(const Bits<W>& from, const Bits<W>& through, Step step) {
    return flood<W>(step(from) & through, through, step);
  }
};

// The same for boards of one word, four directions at a time: a lane of a vector register each.
//     lane     0      1       2            3
//     down     east   south   south-east   south-west
//     up       west   north   north-west   north-east
template <>
struct OthelloRays<1> {
  using Lanes = Word __attribute__((vector_size(32)));
  Grid<1> grid;
  Lanes steps, inner;
  std::array<Lanes, 64> down{}, up{};  // all cells on the way from a cell to the edge of the board

  explicit OthelloRays(int size) : grid(size, size) {
    const Word n = static_cast<Word>(size), all = grid.board.words[0];
    const Word middle = (grid.not_first & grid.not_last).words[0];
    steps = Lanes{1, n, n + 1, n - 1};
    inner = Lanes{middle, all, middle, middle};
    for (int cell = 0; cell < grid.cells(); ++cell) {
      const Bits<1> one = Bits<1>::one(cell);
      const auto way = [&](auto step) { return flood<1>(step(one), grid.board, step).words[0]; };
      const auto east = [&](const Bits<1>& b) { return grid.east(b); };
      const auto west = [&](const Bits<1>& b) { return grid.west(b); };
      const auto south = [&](const Bits<1>& b) { return grid.south(b); };
      const auto north = [&](const Bits<1>& b) { return grid.north(b); };
      down[cell] = Lanes{way(east), way(south), way([&](const Bits<1>& b) { return south(east(b)); }),
                         way([&](const Bits<1>& b) { return south(west(b)); })};
      up[cell] = Lanes{way(west), way(north), way([&](const Bits<1>& b) { return north(west(b)); }),
                       way([&](const Bits<1>& b) { return north(east(b)); })};
    }
  }

  Bits<1> moves(const Bits<1>& mine, const Bits<1>& theirs) const {
    const Lanes from = spread(mine.words[0]), through = spread(theirs.words[0]) & inner;
    const Word found = join((run_down(from, through, steps) << steps) | (run_up(from, through, steps) >> steps));
    return {found & grid.board.words[0] & ~(mine.words[0] | theirs.words[0])};
  }

  // On each way: the first cell that is not theirs, if it is mine, and then all before it.
  Bits<1> flips(int cell, const Bits<1>& mine, const Bits<1>& theirs) const {
    const Lanes own = spread(mine.words[0]), other = spread(theirs.words[0]);
    const Lanes end_down = lowest(down[cell] & ~other) & own, end_up = highest(up[cell] & ~other, steps) & own;
    return {join(before_down(cell, end_down) | before_up(cell, end_up))};
  }

  // The same for the last empty cell: all others are mine or theirs.
  Bits<1> last_flips(int cell, const Bits<1>& mine) const {
    const Lanes own = spread(mine.words[0]);
    const Lanes end_down = lowest(down[cell] & own), end_up = highest(up[cell] & own, steps);
    return {join(before_down(cell, end_down) | before_up(cell, end_up))};
  }

 private:
  static Lanes spread(Word w) { return Lanes{w, w, w, w}; }
  static Word join(Lanes v) {
    const auto halves = __builtin_shufflevector(v, v, 0, 1) | __builtin_shufflevector(v, v, 2, 3);
    return halves[0] | halves[1];
  }

  // Runs of up to six discs beside `from`: one, two, then two and two more at a time.
  static Lanes run_down(Lanes from, Lanes through, Lanes by) {
    Lanes run = through & (from << by);
    run |= through & (run << by);
    const Lanes pairs = through & (through << by);
    run |= pairs & (run << (by + by));
    return run | (pairs & (run << (by + by)));
  }
  static Lanes run_up(Lanes from, Lanes through, Lanes by) {
    Lanes run = through & (from >> by);
    run |= through & (run >> by);
    const Lanes pairs = through & (through >> by);
    run |= pairs & (run >> (by + by));
    return run | (pairs & (run >> (by + by)));
  }

  // The lowest and the highest of some cells on one way, whose cells are `by` apart; none of none.
  static Lanes lowest(Lanes some) { return some & -some; }
  static Lanes highest(Lanes some, [[maybe_unused]] Lanes by) {
#if defined(__AVX512CD__) && defined(__AVX512VL__)
    return (Lanes)_mm256_srlv_epi64(_mm256_set1_epi64x(std::int64_t{-1} << 63), _mm256_lzcnt_epi64((__m256i)some));
#else
    some |= some >> by;
    some |= some >> (by + by);
    some |= some >> (by + by + by + by);
    return some & ~(some >> by);
#endif
  }

  // The cells between `cell` and an end on each way; none where there is no end.
  Lanes before_down(int cell, Lanes end) const { return down[cell] & (end + Lanes(end != 0)); }
  Lanes before_up(int cell, Lanes end) const { return up[cell] & -(end + end); }
};

template <int W>
Bits<W> corner_cells(const Grid<W>& grid) {
  Bits<W> corners;
  for (int cell : {0, grid.width - 1, grid.cells() - grid.width, grid.cells() - 1}) corners.add(cell);
  return corners;
}

template <int W>
Bits<W> diagonal_to(const Grid<W>& grid, const Bits<W>& b) {
  const Bits<W> rows = grid.north(b) | grid.south(b);
  return grid.east(rows) | grid.west(rows);
}

// W words hold the board: 1 up to 8x8, 4 up to 16x16.
template <int W>
struct Othello {
  const OthelloRays<W>* rays;
  Bits<W> stones[2];
  Bits<W> moves;  // where the player to move may set a disc
  Player turn = 0;
  bool passing;
  bool ended = false;

  Othello(int size, bool passing) : rays(rays_of(size)), passing(passing) {
    const int up = size / 2 - 1, down = size / 2;
    stones[1].add(up * size + up), stones[1].add(down * size + down);
    stones[0].add(up * size + down), stones[0].add(down * size + up);
    look();
  }
  Othello(int size, bool passing, const std::vector<int>& cells, Player turn)
      : rays(rays_of(size)), turn(turn), passing(passing) {
    for (int i = 0; i < size * size; ++i)
      if (cells[i] != 0) stones[cells[i] - 1].add(i);
    look();
  }

  int size() const { return rays->grid.width; }
  int cell_count() const { return rays->grid.cells(); }

  Player player() const { return turn; }
  bool over() const { return ended; }
  float score(Player p) const {
    const int more = margin(p);
    return static_cast<float>((more > 0) - (more < 0));
  }
  int margin(Player p) const { return stones[p].count() - stones[1 - p].count(); }  // in discs
  CellActions<W> actions() const { return {moves, must_pass() ? cell_count() : -1}; }
  bool legal(Action a) const {
    if (a < 0 || a > cell_count()) return false;
    return a == cell_count() ? must_pass() : moves.has(a);
  }
  void play(Action a) {
    assert(legal(a));
    if (a != cell_count()) {
      const Bits<W> turned = rays->flips(a, stones[turn], stones[1 - turn]);
      stones[turn] |= turned;
      stones[turn].add(a);
      stones[1 - turn] = stones[1 - turn].without(turned);
    }
    turn = 1 - turn;
    look();
    assert(!(stones[0] & stones[1]).any());
  }

  // A corner if there is one, else any cell that gives none away; pass if that is all.
  Action quick_action(Rng& rng) const {
    if (!moves.any()) return cell_count();
    const Bits<W> taken = stones[0] | stones[1], corners = corner_cells(rays->grid);
    const Bits<W> sensible = moves.without(diagonal_to(rays->grid, corners.without(taken)));
    const Bits<W> best = (moves & corners).any() ? moves & corners : sensible.any() ? sensible : moves;
    return best.select(rng.below(best.count()));
  }

  friend bool operator==(const Othello& a, const Othello& b) {
    return a.stones[0] == b.stones[0] && a.stones[1] == b.stones[1] && a.turn == b.turn;
  }
  Word key() const { return Fingerprint().add(stones[0]).add(stones[1]).add(turn).value; }

  // Mine, theirs, and where I may move.
  std::array<int, 3> plane_shape() const { return {3, size(), size()}; }
  void planes(float* out) const {
    out = write_plane(out, stones[turn], cell_count());
    out = write_plane(out, stones[1 - turn], cell_count());
    write_plane(out, moves, cell_count());
  }
  std::vector<int> cells() const { return board_cells(stones, cell_count()); }

 private:
  bool must_pass() const { return !ended && !moves.any(); }

  // Finds the moves of the player to move. The game ends when neither player has one; without passing, when this
  // player has none.
  void look() {
    moves = rays->moves(stones[turn], stones[1 - turn]);
    if (!moves.any()) ended = !passing || !rays->moves(stones[1 - turn], stones[turn]).any();
  }

  static const OthelloRays<W>* rays_of(int size) {
    static const auto all = [] {
      std::array<std::unique_ptr<OthelloRays<W>>, 17> made;
      for (int n = 4; n <= 16; n += 2)
        if (n * n <= 64 * W) made[n] = std::make_unique<OthelloRays<W>>(n);
      return made;
    }();
    return all[size].get();
  }
};
static_assert(State<Othello<1>>);

}  // namespace ludus
