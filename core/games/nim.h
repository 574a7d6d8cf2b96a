// Nim: one heap of stones. Take 1 to `most` of them; whoever takes the last stone wins.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>

#include "base/action_list.h"

namespace ludus {

struct Nim {
  int start, most;
  int stones;
  Player turn;

  Nim(int stones, int most, Player starter) : start(stones), most(most), stones(stones), turn(starter) {}

  Player player() const { return turn; }
  bool over() const { return stones == 0; }
  float score(Player p) const { return p == turn ? -1.f : 1.f; }       // the other took the last stone
  ActionRange actions() const { return {0, std::min(most, stones)}; }  // action a takes a + 1 stones
  void play(Action a) {
    assert(is_legal(*this, a));
    stones -= a + 1;
    turn = 1 - turn;
  }

  friend bool operator==(const Nim&, const Nim&) = default;
  Word key() const { return Fingerprint().add(stones).add(turn).value; }

  // One row: a one for every stone still there.
  std::array<int, 3> plane_shape() const { return {1, 1, start}; }
  void planes(float* out) const {
    for (int i = 0; i < start; ++i) out[i] = i < stones;
  }
};
static_assert(State<Nim>);

}  // namespace ludus
