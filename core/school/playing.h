// How actual games of a training are played, and what comes out of one.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/state.h"
#include "search/mcts/field.h"

namespace ludus {

// The choices. ludus/learn/settings.py explains each of them.
struct Playing {
  static constexpr const char* name = "Playing";
  std::int64_t simulations = 100, fast_simulations = 32;
  double growth = 0, seconds = std::numeric_limits<double>::infinity();
  double fast = 0, temperature = 1, openings = 0, forced = 0, c = 1;
  int greedy_after = 1000, opening_plies = 0;
  double teacher_seconds = 0;  // for each position; 0: no teacher
  int teacher_threads = 1;

  static constexpr auto fields() {
    using P = Playing;
    return std::tuple{Field{"simulations", &P::simulations},
                      Field{"fast_simulations", &P::fast_simulations},
                      Field{"growth", &P::growth},
                      Field{"seconds", &P::seconds},
                      Field{"fast", &P::fast},
                      Field{"temperature", &P::temperature},
                      Field{"openings", &P::openings},
                      Field{"forced", &P::forced},
                      Field{"c", &P::c},
                      Field{"greedy_after", &P::greedy_after},
                      Field{"opening_plies", &P::opening_plies},
                      Field{"teacher_seconds", &P::teacher_seconds},
                      Field{"teacher_threads", &P::teacher_threads}};
  }
};

// How much was done.
struct Work {
  std::int64_t moves = 0, evaluations = 0;
};

// One position of an actual game.
struct Lesson {
  int ply;                          // of the game, the opening not counted
  std::vector<float> policy;        // D, a share for every action of the game
  float value = 0;                  // what the search thought of it, for the player to move
  float surprise = 0;               // how far D is from the priors (Kullback and Leibler), in nats
  std::optional<float> score = {};  // for the player to move, if it is proven
};

// A finished actual game.
struct Finished {
  std::size_t start = 0;  // which of the start states it began from
  std::vector<Action> opening = {}, actions = {};
  std::vector<Lesson> lessons = {};
  float score = 0;               // of player 0
  std::int64_t evaluations = 0;  // of the network, since the game before
};

}  // namespace ludus
