// Hex: players set stones in turn; player 0 joins the top and bottom rows, player 1 the left and right columns.
// Exactly one of them succeeds, so there are no draws.
#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <vector>

#include "base/action_list.h"
#include "base/grid.h"
#include "base/random.h"
#include "games/board.h"
#include "games/hex_bridges.h"

namespace ludus {

// What all states of one size share. A cell touches six others:      (r-1,c) (r-1,c+1)
//                                                                (r,c-1)  (r,c)  (r,c+1)
//                                                                    (r+1,c-1) (r+1,c)
template <int W>
struct HexBoard {
  Grid<W> grid;
  Bits<W> first[2], last[2];             // the two sides of each player
  std::array<Bits<W>, 64 * W> touching;  // the neighbours of each cell
  HexBridges<W> bridges;

  explicit HexBoard(int size) : grid(size, size), bridges(grid) {
    first[0] = grid.row(0), last[0] = grid.row(size - 1);
    first[1] = grid.column(0), last[1] = grid.column(size - 1);
    for (int i = 0; i < grid.cells(); ++i) touching[i] = around(Bits<W>::one(i));
  }

  Bits<W> around(const Bits<W>& b) const {
    return grid.around(b) | grid.east(grid.north(b)) | grid.west(grid.south(b));
  }

  // The one board of this size; made once, kept for good.
  static const HexBoard* of(int size) {
    static const auto boards = [] {
      std::array<std::unique_ptr<HexBoard>, 20> all;
      for (int n = 1; n < 20; ++n)
        if (n * n <= 64 * W) all[n] = std::make_unique<HexBoard>(n);
      return all;
    }();
    return boards[size].get();
  }
};

// W words hold the board: 1 up to 8x8, 2 up to 11x11, 6 up to 19x19.
template <int W>
struct Hex {
  const HexBoard<W>* board;
  Bits<W> stones[2];
  Bits<W> linked[2];  // the stones of each player that are joined to its first side
  std::int8_t turn;
  std::int8_t winner = -1;  // -1: nobody yet
  bool swap;                // may the second player still turn the first stone into an own one?

  Hex(int size, bool swap, Player starter)
      : board(HexBoard<W>::of(size)), turn(static_cast<std::int8_t>(starter)), swap(swap) {}
  Hex(int size, bool swap, const std::vector<int>& cells, Player turn) : Hex(size, swap, turn) {
    for (int i = 0; i < size * size; ++i)
      if (cells[i] != 0) put(i, cells[i] - 1);
    this->swap = swap && count() < 2 && !stones[turn].any();
  }

  int size() const { return board->grid.width; }
  int cell_count() const { return board->grid.cells(); }
  int count() const { return (stones[0] | stones[1]).count(); }
  Bits<W> empty() const { return board->grid.board.without(stones[0] | stones[1]); }
  bool can_swap() const { return swap && count() == 1; }
  bool holds(Player p, Action a) const { return a < cell_count() && stones[p].has(a); }

  Player player() const { return turn; }
  bool over() const { return winner >= 0; }
  float score(Player p) const { return p == winner ? 1.f : -1.f; }
  CellActions<W> actions() const {
    if (over()) return {};
    return {empty(), can_swap() ? cell_count() : -1};
  }
  bool legal(Action a) const {
    if (over() || a < 0) return false;
    return a < cell_count() ? empty().has(a) : a == cell_count() && can_swap();
  }
  void play(Action a) {
    assert(legal(a));
    if (a == cell_count()) {
      take_over();
    } else {
      if (swap && count() > 0) swap = false;
      put(a, turn);
    }
    turn = static_cast<std::int8_t>(1 - turn);
    assert(consistent());
  }
  // For asserts: no cell holds two stones, and `linked` is what a fresh flood from the first side reaches.
  bool consistent() const {
    const auto around = [this](const Bits<W>& b) { return board->around(b); };
    for (Player p : {0, 1})
      if (linked[p] != flood(board->first[p] & stones[p], stones[p], around)) return false;
    return !(stones[0] & stones[1]).any();
  }

  // In Hex the loser cannot win any more, however long the game goes on. So fill the board and look once:
  // the winner is the same, with the same chances, as in a game that stops on the joining stone.
  void finish(Rng& rng) {
    if (can_swap()) {  // rare, and not part of the shortcut
      play(actions()[rng.below(actions().size())]);
    }
    fill(rng);
    decide();
  }
  // The same, except that nobody loses both cells of a bridge: where one has filled them both, he gives one back.
  void quick_finish(Rng& rng) {
    if (can_swap()) play(actions()[rng.below(actions().size())]);
    const Bits<W> open = empty(), stood[2] = {stones[0], stones[1]};
    fill(rng);
    for (const Player p : {Player{turn}, 1 - turn})
      for (const Bridge<W>& bridge : board->bridges.of[p]) {
        const Bits<W>& others = stones[1 - p];
        const Bits<W> lost = bridge.of(stood[p], open) & moved(others, -bridge.one) & moved(others, -bridge.other);
        if (!lost.any()) continue;
        const Bits<W> coins = random_bits(rng);
        const Bits<W> back = moved(lost & coins, bridge.one) | moved(lost.without(coins), bridge.other);
        stones[p] |= back;
        stones[1 - p] = stones[1 - p].without(back);
      }
    decide();
  }

  friend bool operator==(const Hex& a, const Hex& b) {
    return a.board == b.board && a.stones[0] == b.stones[0] && a.stones[1] == b.stones[1] && a.turn == b.turn &&
           a.can_swap() == b.can_swap();
  }
  Word key() const { return Fingerprint().add(stones[0]).add(stones[1]).add(turn | can_swap() << 1).value; }

  // Mine, theirs, and two planes that say which player I am: the goals differ.
  std::array<int, 3> plane_shape() const { return {4, size(), size()}; }
  void planes(float* out) const {
    out = write_plane(out, stones[turn], cell_count());
    out = write_plane(out, stones[1 - turn], cell_count());
    write_turn(out, turn, cell_count());
  }
  std::vector<int> cells() const { return board_cells(stones, cell_count()); }

 private:
  // Fills the board: half of the empty cells for each player, at random.
  void fill(Rng& rng) {
    const Bits<W> open = empty();
    const int cells = open.count();
    const Bits<W> mine = random_subset(open, cells, (cells + 1) / 2, rng);
    stones[turn] |= mine;
    stones[1 - turn] |= open.without(mine);
  }
  // Sees who has won on a full board.
  void decide() {
    linked[0] = flood(board->first[0] & stones[0], stones[0], [this](const Bits<W>& b) { return board->around(b); });
    winner = (linked[0] & board->last[0]).any() ? 0 : 1;
  }

  static Bits<W> random_bits(Rng& rng) {
    Bits<W> bits;
    for (Word& word : bits.words) word = rng.next();
    return bits;
  }

  void put(int cell, Player p) {
    stones[p].add(cell);
    if (board->first[p].has(cell) || (board->touching[cell] & linked[p]).any()) link(cell, p);
  }

  // `cell` has just been joined to the first side of `p`, and with it every stone of `p` that is connected to it.
  // A stone is linked once in a game, so this costs little.
  void link(int cell, Player p) {
    Bits<W> waiting = Bits<W>::one(cell);
    while (waiting.any()) {
      const int next = waiting.lowest();
      waiting.remove_lowest();
      linked[p].add(next);
      waiting |= (board->touching[next] & stones[p]).without(linked[p]);
    }
    if ((linked[p] & board->last[p]).any()) winner = static_cast<std::int8_t>(p);
  }

  // The second player takes the first stone: mirrored, because the goals are each other's mirror image.
  void take_over() {
    const int cell = stones[1 - turn].lowest();
    stones[1 - turn] = linked[1 - turn] = {};
    swap = false;
    put(cell % size() * size() + cell / size(), turn);
  }

  // A uniform choice of `want` of the `cells` members of `open`. A coin for every member comes close; a
  // few more draws even it out. All members are treated alike, so every such set is equally likely.
  static Bits<W> random_subset(const Bits<W>& open, int cells, int want, Rng& rng) {
    Bits<W> chosen = open & random_bits(rng);
    int have = chosen.count();
    for (; have < want; ++have) chosen.add(open.without(chosen).select(rng.below(cells - have)));
    for (; have > want; --have) chosen.remove(chosen.select(rng.below(have)));
    return chosen;
  }
};
static_assert(State<Hex<1>>);

}  // namespace ludus
