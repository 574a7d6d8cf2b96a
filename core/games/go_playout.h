// Uniform random Go on small boards, played on sets of points alone: no chains are kept. Whether a stone captures is
// found by spreading from the empty points over the stones beside them, which on few words takes few steps.
#pragma once

#include "base/rollout.h"
#include "games/go.h"

namespace ludus {

// Plays a state of a board with at most 64·W points to its end, with the draws of Go::random_action.
template <int Max, int W>
class GoPlayout {
 public:
  explicit GoPlayout(Go<Max>& state)
      : state_(state),
        me_(side(state.turn)),
        them_(side(1 - state.turn)),
        position_(state.position),
        ko_(state.ko),
        passes_(state.passes) {
    const auto& grid = state.board->grid;
    width_ = grid.width;
    board_ = narrow(grid.board), not_first_ = narrow(grid.not_first), not_last_ = narrow(grid.not_last);
  }

  void run(Rng& dice) {
    Rng rng = dice;  // a copy can stay in a register
    int ply = state_.ply, turn = state_.turn;
    const int max_length = state_.rules.max_length;
    do {
      act(rng);
      std::swap(me_, them_);
      turn = 1 - turn;
    } while (++ply < max_length && passes_ < 2 && !repeated_);
    write(state_.stones[turn], me_.stones), write(state_.stones[1 - turn], them_.stones);
    dice = rng;
    state_.position = position_;
    state_.ply = ply;
    state_.turn = static_cast<std::int8_t>(turn);
    state_.passes = static_cast<std::int8_t>(passes_);
    state_.repeated = repeated_;
  }

 private:
  struct Side {
    Bits<W> stones, lost;
    const Word* mark;
  };

  template <int V>
  static Bits<W> narrow(const Bits<V>& wide) {
    Bits<W> b;
    for (int w = 0; w < W; ++w) b.words[w] = wide.words[w];
    return b;
  }
  template <int V>
  static void write(Bits<V>& wide, const Bits<W>& b) {
    for (int w = 0; w < W; ++w) wide.words[w] = b.words[w];
  }
  Side side(Player p) const { return {narrow(state_.stones[p]), narrow(state_.lost[p]), state_.board->mark[p].data()}; }
  // The neighbours of all points of a set; the last row's may lie below the board.
  Bits<W> around(const Bits<W>& b) const {
    return (b & not_last_) << 1 | (b & not_first_) >> 1 | b << width_ | b >> width_;
  }

  // Draws among the empty points and the pass, and draws again while the draw is illegal.
  [[gnu::always_inline]] void act(Rng& rng) {
    const Bits<W> free = board_.without(me_.stones | them_.stones);
    Bits<W> open = free;
    for (int left = open.count();; --left) {
      const int k = rng.below(left + 1);
      if (k == left) {
        ++passes_;
        ko_ = -1;
        return;
      }
      const int p = open.select(k);
      if (set_stone(p, free)) return;
      open.remove(p);
    }
  }

  // Sets a stone on the empty point p; false if that is illegal.
  [[gnu::always_inline]] bool set_stone(int p, const Bits<W>& free) {
    if (p == ko_) return false;
    const Bits<W> near = narrow(state_.board->around[p]);
    Bits<W> left = free;
    left.remove(p);
    const Bits<W> beside = around(left);
    const Bits<W> taken = captured(near, beside);
    const bool liberty = (near & left).any();
    if (!liberty && !taken.any() && !joins(near, beside)) return false;
    Word after = position_ ^ me_.mark[p];
    for (int q : taken) after ^= them_.mark[q];
    if (me_.lost.has(p) && state_.seen_before(after)) {
      if (state_.rules.superko == Superko::forbidden) return false;
      repeated_ = true;
    }
    ko_ = !liberty && !(near & me_.stones).any() && taken.count() == 1 ? taken.lowest() : -1;
    me_.stones.add(p);
    them_.stones = them_.stones.without(taken);
    them_.lost |= taken;
    position_ = after;
    passes_ = 0;
    state_.see(state_.positions++, after);
    return true;
  }

  // The enemies that have no liberty left: those that cannot be reached from the points `beside` a liberty. `near` are
  // the neighbours of the new stone; a captured chain is always one of them.
  Bits<W> captured(const Bits<W>& near, const Bits<W>& beside) const {
    const Bits<W> threatened = near & them_.stones;
    Bits<W> alive = beside & them_.stones;
    if constexpr (W == 1) alive |= around(alive) & them_.stones;  // a step costs less than a wrong guess at the branch
    for (;;) {
      if (!threatened.without(alive).any()) return {};
      const Bits<W> more = alive | (around(alive) & them_.stones);
      if (more == alive) return them_.stones.without(alive);
      alive = more;
    }
  }

  // Does a new stone with these neighbours join a chain that has another liberty?
  bool joins(const Bits<W>& near, const Bits<W>& beside) const {
    Bits<W> chain = near & me_.stones;
    for (;;) {
      if ((chain & beside).any()) return true;
      const Bits<W> more = chain | (around(chain) & me_.stones);
      if (more == chain) return false;
      chain = more;
    }
  }

  Go<Max>& state_;
  Side me_, them_;
  Word position_;
  int ko_, passes_;
  bool repeated_ = false;
  int width_ = 0;
  Bits<W> board_, not_first_, not_last_;
};

// Sets pay up to two words; on larger boards the chains are faster.
template <int Max>
void Go<Max>::finish(Rng& rng) {
  assert(!over());
  if (cell_count() <= 64) return GoPlayout<Max, 1>(*this).run(rng);
  if constexpr (W >= 2)
    if (cell_count() <= 128) return GoPlayout<Max, 2>(*this).run(rng);
  walk_to_end(*this, rng);
}

}  // namespace ludus
