// Tic-tac-toe on any board: players set stones in turn, `line` of them in a row wins, a full board is a draw.
#pragma once

#include <array>
#include <cassert>

#include "base/action_list.h"
#include "base/grid.h"
#include "base/random.h"
#include "games/board.h"

namespace ludus {

// W words hold the board; W = 1 is enough up to 8x8.
template <int W>
struct TicTacToe {
  Grid<W> grid;
  int line;
  Bits<W> stones[2];
  Player turn = 0;
  int winner = -1;  // -1: nobody yet

  TicTacToe(int width, int height, int line) : grid(width, height), line(line) {}
  TicTacToe(int width, int height, int line, const std::vector<int>& cells, Player turn)
      : TicTacToe(width, height, line) {
    for (int i = 0; i < grid.cells(); ++i)
      if (cells[i] != 0) stones[cells[i] - 1].add(i);
    this->turn = turn;
    for (Player p : {0, 1})
      if (has_line(stones[p])) winner = p;
  }

  Bits<W> empty() const { return grid.board.without(stones[0] | stones[1]); }

  Player player() const { return turn; }
  bool over() const { return winner >= 0 || !empty().any(); }
  float score(Player p) const { return winner < 0 ? 0.f : p == winner ? 1.f : -1.f; }
  CellActions<W> actions() const { return {winner >= 0 ? Bits<W>{} : empty()}; }
  bool legal(Action a) const { return winner < 0 && a >= 0 && a < grid.cells() && empty().has(a); }
  void play(Action a) {
    assert(legal(a));
    stones[turn].add(a);
    if (has_line(stones[turn])) winner = turn;
    turn = 1 - turn;
  }

  // Uniform random play to the end, with everything that changes kept in registers.
  void finish(Rng& rng) {
    if (winner >= 0) return;
    Rng dice = rng;
    Bits<W> mine = stones[turn], theirs = stones[1 - turn], left = empty();
    Player mover = turn;
    for (int count = left.count(); count > 0; --count) {
      const int cell = left.select(dice.below(count));
      left.remove(cell);
      mine.add(cell);
      std::swap(mine, theirs);
      mover = 1 - mover;
      if (has_line(theirs)) {
        winner = 1 - mover;
        break;
      }
    }
    turn = mover;
    stones[turn] = mine;
    stones[1 - turn] = theirs;
    rng = dice;
  }

  // Is there a run of `line` stones along any of the four directions?
  bool has_line(const Bits<W>& s) const {
    if (s.count() < line) return false;
    if (line == 1) return true;
    const int down = grid.width, falling = down + 1, rising = down > 1 ? down - 1 : 1;
    Bits<W> rows = s & s >> 1 & grid.not_last, columns = s & s >> down;  // where runs of two begin
    Bits<W> falls = s & s >> falling & grid.not_last, rises = s & s >> rising & grid.not_first;
    for (int n = 2; n < line; ++n) {  // of one more
      rows &= rows >> 1;
      columns &= columns >> down;
      falls &= falls >> falling;
      rises &= rises >> rising;
    }
    return (rows | columns | falls | rises).any();
  }

  friend bool operator==(const TicTacToe& a, const TicTacToe& b) {
    return a.stones[0] == b.stones[0] && a.stones[1] == b.stones[1] && a.turn == b.turn;
  }
  Word key() const { return Fingerprint().add(stones[0]).add(stones[1]).add(turn).value; }

  std::array<int, 3> plane_shape() const { return {2, grid.height, grid.width}; }
  void planes(float* out) const {
    out = write_plane(out, stones[turn], grid.cells());
    write_plane(out, stones[1 - turn], grid.cells());
  }
  std::vector<int> cells() const { return board_cells(stones, grid.cells()); }
};
static_assert(State<TicTacToe<1>>);

}  // namespace ludus
