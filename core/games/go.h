// Go: surround to capture, suicide forbidden, simple ko, positional superko, area scoring with komi.
// Two passes in a row end the game, and so does its length cap.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/action_list.h"
#include "base/grid.h"
#include "base/random.h"
#include "games/board.h"

namespace ludus {

// A move that makes a whole-board position appear again is either illegal or ends the game as a draw.
enum class Superko : std::uint8_t { forbidden, draw };

struct GoRules {
  float komi;  // White's bonus
  Superko superko;
  int max_length;  // in actions, passes included
  friend bool operator==(const GoRules&, const GoRules&) = default;
};

// What all states of one size share. Point `cells` is off the board, a neighbour of every edge point.
template <int Max>
struct GoBoard {
  static constexpr int capacity = Max * Max;
  static constexpr int W = (capacity + 63) / 64;
  Grid<W> grid;
  std::array<std::array<std::uint16_t, 4>, capacity> near, diagonal;
  std::array<Bits<W>, capacity> around;            // `near` as a set, without what is off the board
  std::array<std::array<Word, capacity>, 2> mark;  // Zobrist: a random word per player and point

  explicit GoBoard(int size) : grid(size, size) {
    const auto at = [&](int r, int c) {
      return static_cast<std::uint16_t>(r < 0 || c < 0 || r >= size || c >= size ? size * size : r * size + c);
    };
    Rng rng(static_cast<Word>(size));
    for (int p = 0; p < size * size; ++p) {
      const int r = p / size, c = p % size;
      near[p] = {at(r - 1, c), at(r + 1, c), at(r, c - 1), at(r, c + 1)};
      diagonal[p] = {at(r - 1, c - 1), at(r - 1, c + 1), at(r + 1, c - 1), at(r + 1, c + 1)};
      around[p] = grid.around(Bits<W>::one(p));
      mark[0][p] = rng.next(), mark[1][p] = rng.next();
    }
  }

  static const GoBoard* of(int size) {
    static const auto boards = [] {
      std::array<std::unique_ptr<GoBoard>, Max + 1> all;
      for (int n = 2; n <= Max; ++n) all[n] = std::make_unique<GoBoard>(n);
      return all;
    }();
    return boards[size].get();
  }
};

// Boards up to Max x Max. Stones of one chain form a ring through `next` and name the same `head`; a chain
// counts its *pseudo-liberties*: an empty point counts once for every stone of the chain beside it. Points without a
// stone belong to the chain `nobody`, so that the inner loops need not ask; its counts are never read.
template <int Max>
struct Go {
  using Board = GoBoard<Max>;
  static constexpr int W = Board::W;
  static constexpr int nobody = Board::capacity;
  static constexpr int filter_size = std::bit_ceil(8u * Board::capacity);
  static constexpr bool first_come = true;  // a point is mostly taken once
  using Point = std::conditional_t<(Board::capacity < 255), std::uint8_t, std::uint16_t>;
  struct Chain {
    std::uint16_t liberties, stones;
  };
  enum Colour : std::uint8_t { black = 0, white = 1, none = 2, edge = 3 };

  const Board* board;
  GoRules rules;
  Bits<W> stones[2];
  Bits<W> lost[2];         // where each player ever had a stone captured
  Word position = 0;       // Zobrist hash of the stones
  Word past = 0;           // order-free fingerprint of all earlier positions
  int ply = 0;             // actions so far
  int positions = 1;       // entries of `seen`
  std::int16_t last = -1;  // the last stone, -1 after a pass; not needed by the rules; playout policies answer it
  std::int16_t ko = -1;    // the point that simple ko forbids, -1: nowhere
  std::int8_t turn = 0;
  std::int8_t passes = 0;  // in a row
  bool repeated = false;   // superko has ended the game
  std::array<Colour, Board::capacity + 1> colour;
  std::array<Point, Board::capacity + 1> head;
  std::array<Point, Board::capacity> next;
  std::array<Chain, Board::capacity + 1> chain;    // by head
  Bits<filter_size / 64> filter;                   // a Bloom filter of `seen`: the low bits of its members
  std::array<Word, 2 * Board::capacity + 1> seen;  // every position so far, the present one last

  Go(int size, const GoRules& rules) : board(Board::of(size)), rules(rules) {
    colour.fill(none);
    colour[cell_count()] = edge;
    head.fill(static_cast<Point>(nobody));
    chain[nobody] = {0, 0};
    see(0, 0);
  }
  // A drawn position; its stones must all have liberties. Nothing is known of what came before.
  Go(int size, const GoRules& rules, const std::vector<int>& cells, Player turn) : Go(size, rules) {
    for (int p = 0; p < size * size; ++p)
      if (cells[p] != 0) put(p, cells[p] - 1);
    see(0, position);
    this->turn = static_cast<std::int8_t>(turn);
  }

  int size() const { return board->grid.width; }
  int cell_count() const { return board->grid.cells(); }
  Action pass() const { return cell_count(); }
  [[gnu::always_inline]] Bits<W> empty() const { return board->grid.board.without(stones[0] | stones[1]); }

  Player player() const { return turn; }
  bool over() const { return passes == 2 || repeated || ply >= rules.max_length; }
  float score(Player p) const {
    const float more = margin(p);
    return static_cast<float>((more > 0) - (more < 0));
  }
  // Area scoring: a player's stones, and the empty points that reach no stone of the other. A repetition is a draw.
  float margin(Player p) const {
    if (repeated) return 0.f;
    const auto around = [this](const Bits<W>& b) { return board->grid.around(b); };
    const Bits<W> open = empty();
    const Bits<W> near_black = flood(stones[0], open, around), near_white = flood(stones[1], open, around);
    const int lead = near_black.without(near_white).count() - near_white.without(near_black).count();
    const float more = static_cast<float>(lead) - rules.komi;
    return p == 0 ? more : -more;
  }
  CellActions<W> actions() const {
    if (over()) return {};
    Bits<W> open = empty();
    for (int p : open)
      if (!legal_stone(p)) open.remove(p);
    return {open, pass()};
  }
  bool legal(Action a) const {
    if (over() || a < 0 || a > pass()) return false;
    return a == pass() || (colour[a] == none && legal_stone(a));
  }

  void play(Action a) {
    assert(legal(a));
    ++ply;
    if (a == pass()) {
      ++passes;
      last = ko = -1;
      turn = static_cast<std::int8_t>(1 - turn);
      return;
    }
    passes = 0;
    last = static_cast<std::int16_t>(a);
    put(a, turn);
    capture_around(a);
    turn = static_cast<std::int8_t>(1 - turn);
    repeated = may_repeat(a, 1 - turn) && seen_before(position);
    past += scramble(seen[positions - 1]);
    see(positions++, position);
    assert(consistent());
  }
  // For asserts: colours, the Zobrist hash and the pseudo-liberties of every chain, counted again from the stones.
  bool consistent() const {
    Word hash = 0;
    std::array<int, Board::capacity> liberties{}, count{};
    for (int p = 0; p < cell_count(); ++p) {
      const bool is_black = stones[0].has(p), is_white = stones[1].has(p);
      if (colour[p] != (is_black ? black : is_white ? white : none) || (is_black && is_white)) return false;
      if (colour[p] == none) continue;
      hash ^= board->mark[colour[p]][p];
      ++count[head[p]];
      for (int q : board->near[p]) liberties[head[p]] += colour[q] == none;
    }
    for (int p = 0; p < cell_count(); ++p)
      if (count[p] > 0 && (chain[p].stones != count[p] || chain[p].liberties != liberties[p])) return false;
    return hash == position;
  }

  // A uniform legal action, pass included: draw, and draw again while the draw is illegal.
  Action random_action(Rng& rng) const {
    Bits<W> open = empty();
    const Bits<W> free = open;
    for (int left = open.count();; --left) {
      const int k = rng.below(left + 1);
      if (k == left) return pass();
      const int p = open.select(k);
      if (legal_stone(p, free)) return p;
      open.remove(p);
    }
  }
  // Uniform random play to the end, by the same draws. Small boards leave the chains, the colours and `past` as they
  // were: a finished game is only scored.
  void finish(Rng& rng);
  // A stone that answers the last one, else any that is not plainly bad; pass when there is none.
  Action quick_action(Rng& rng) const;
  // What an action is worth before looking ahead, in games won; below zero, in games lost.
  float hint(Action action) const;
  // An empty point with only own stones beside it, and at most one enemy on its diagonals (none at the edge).
  bool own_eye(int p) const {
    for (int q : board->near[p])
      if (colour[q] != turn && colour[q] != edge) return false;
    int enemies = 0;
    bool at_edge = false;
    for (int q : board->diagonal[p]) {
      enemies += colour[q] == 1 - turn;
      at_edge |= colour[q] == edge;
    }
    return enemies + at_edge < 2;
  }

  // Equal states have equal futures: the same board, turn, ko, passes, length and earlier positions.
  friend bool operator==(const Go& a, const Go& b) {
    return a.board == b.board && a.stones[0] == b.stones[0] && a.stones[1] == b.stones[1] && a.turn == b.turn &&
           a.ko == b.ko && a.passes == b.passes && a.ply == b.ply && a.repeated == b.repeated && a.past == b.past;
  }
  Word key() const { return Fingerprint().add(position).add(turn).add(ko + 1).add(passes).add(ply).add(past).value; }

  // Mine, theirs, the ko point, "the other has just passed", and which player I am (komi makes them differ).
  std::array<int, 3> plane_shape() const { return {6, size(), size()}; }
  void planes(float* out) const {
    const int cells = cell_count();
    out = write_plane(out, stones[turn], cells);
    out = write_plane(out, stones[1 - turn], cells);
    out = write_plane(out, ko < 0 ? Bits<W>{} : Bits<W>::one(ko), cells);
    std::fill(out, out + cells, passes > 0 ? 1.f : 0.f);
    write_turn(out + cells, turn, cells);
  }
  std::vector<int> cells() const { return board_cells(stones, cell_count()); }

  bool all_alive() const {  // does every chain have a liberty?
    for (int p = 0; p < cell_count(); ++p)
      if (colour[p] < none && chain[head[p]].liberties == 0) return false;
    return true;
  }

  // How players see the board; see go_policy.h.
  bool good_shape(int p) const;
  int last_liberty(int q) const;
  int self_atari(int p) const;
  int rescue(int q, int liberty) const;
  int answer(Rng& rng) const;

 private:
  template <int, int>
  friend class GoPlayout;

  // Is p the only liberty of the chain at q? All its pseudo-liberties are then its stones beside p.
  bool only_liberty(int q, int p) const {
    const Point h = head[q];
    int beside = 0;
    for (int other : board->near[p]) beside += head[other] == h;
    return chain[h].liberties == beside;
  }

  // May the player to move set a stone on the empty point p? It must have a liberty afterwards, and superko may forbid
  // it. `free` are all empty points.
  bool legal_stone(int p) const { return legal_stone(p, empty()); }
  bool legal_stone(int p, const Bits<W>& free) const {
    if (p == ko) return false;
    if (!(board->around[p] & free).any() && !captures_or_joins(p)) return false;
    return rules.superko == Superko::draw || !may_repeat(p, turn) || !seen_before(position_after(p));
  }
  // Would a stone at p take an enemy chain, or join an own one that has another liberty?
  bool captures_or_joins(int p) const {
    bool lives = false;
    for (int q : board->near[p]) lives |= (colour[q] < none) & (only_liberty(q, p) == (colour[q] != turn));
    return lives;
  }

  Word position_after(int p) const {
    Word after = position ^ board->mark[turn][p];
    const auto& near = board->near[p];
    for (int i = 0; i < 4; ++i) {
      const int q = near[i];
      if (colour[q] != 1 - turn || !only_liberty(q, p)) continue;
      bool counted = false;  // two neighbours may belong to one chain
      for (int j = 0; j < i; ++j) counted |= colour[near[j]] == colour[q] && head[near[j]] == head[q];
      if (counted) continue;
      int stone = q;
      do {
        after ^= board->mark[1 - turn][stone];
        stone = next[stone];
      } while (stone != q);
    }
    return after;
  }

  // A position can only appear again when a stone comes back to where one of its colour was captured.
  bool may_repeat(int p, Player player) const { return lost[player].has(p); }
  bool seen_before(Word which) const {
    if (!filter.has(static_cast<int>(which % filter_size))) return false;
    bool found = false;
    for (int i = 0; i < positions; ++i) found |= seen[i] == which;
    return found;
  }
  void see(int i, Word which) {
    seen[i] = which;
    filter.add(static_cast<int>(which % filter_size));
  }

  void put(int p, Player player) {
    std::uint16_t liberties = 0;
    unsigned own = 0;  // which of the neighbours are of the same colour
    for (int i = 0; i < 4; ++i) {
      const int q = board->near[p][i];
      liberties += colour[q] == none;
      --chain[head[q]].liberties;
      own |= static_cast<unsigned>(colour[q] == player) << i;
    }
    colour[p] = static_cast<Colour>(player);
    stones[player].add(p);
    position ^= board->mark[player][p];
    head[p] = next[p] = static_cast<Point>(p);
    chain[p] = {liberties, 1};
    for (; own != 0; own &= own - 1) {
      const int q = board->near[p][std::countr_zero(own)];
      if (head[q] != head[p]) join(head[p], head[q]);
    }
  }

  void join(Point a, Point b) {
    if (chain[a].stones < chain[b].stones) std::swap(a, b);
    chain[a].liberties += chain[b].liberties;
    chain[a].stones += chain[b].stones;
    Point stone = b;
    do {
      head[stone] = a;
      stone = next[stone];
    } while (stone != b);
    std::swap(next[a], next[b]);  // two rings become one
  }

  // Takes the enemy chains off the board that the stone at p has left without liberties.
  void capture_around(int p) {
    int taken = 0, last = -1;
    for (int q : board->near[p])
      if ((colour[q] == 1 - turn) & (chain[head[q]].liberties == 0)) {
        taken += chain[head[q]].stones;
        last = q;
        lift(q);
      }
    const Chain& own = chain[head[p]];
    ko = taken == 1 && own.stones == 1 && own.liberties == 1 ? static_cast<std::int16_t>(last) : -1;
  }

  void lift(int first) {
    const Player owner = colour[first];
    int stone = first;
    do {
      colour[stone] = none;
      head[stone] = static_cast<Point>(nobody);
      stones[owner].remove(stone);
      lost[owner].add(stone);
      position ^= board->mark[owner][stone];
      for (int q : board->near[stone]) ++chain[head[q]].liberties;
      stone = next[stone];
    } while (stone != first);
  }
};
static_assert(State<Go<9>>);

}  // namespace ludus

#include "games/go_playout.h"  // defines finish()
#include "games/go_policy.h"   // defines what the players' members do
