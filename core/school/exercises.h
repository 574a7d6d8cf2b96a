// Exercises: positions made for learning, reached by random and by sensible play, and labelled by an exact solver.
#pragma once

#include <limits>
#include <unordered_set>

#include "base/limit.h"
#include "base/rollout.h"
#include "school/judge.h"
#include "school/teacher.h"

namespace ludus {

// A position as a training case.
struct Exercise {
  Player player;
  std::vector<float> planes;
  std::vector<float> policy;  // even over the actions that keep the value; all 0 in a lost position
  std::vector<bool> legal;
  float score;  // proven, for the player to move
};

// What all who make exercises for a training agree on.
template <State S>
struct Exercising {
  std::vector<S> starts;
  int num_actions;
  double seconds;                   // of work for one position with all its actions, at most
  std::unordered_set<Word> spared;  // keys of positions that must not be learned
};

// Makes the exercises of one game after the other.
template <State S, class Solver>
class ExerciseMaker {
 public:
  ExerciseMaker(std::shared_ptr<const Exercising<S>> plan, std::unique_ptr<Solver> solver, const Rng& rng)
      : plan_(std::move(plan)), solver_(std::move(solver)), rng_(rng) {
    S state = plan_->starts[0];
    longest_ = walk_to_end(state, rng_);
  }

  // The positions of a new game, from its end back to where they become too hard: each is harder than those behind it,
  // which have filled the solver's table.
  std::vector<Exercise> make(const Judge& judge, const std::atomic<bool>& stop) {
    play(judge);
    const double most = patience();
    std::vector<Exercise> made;
    double last = 0, before = 0;  // seconds of the last position and of the one before it
    auto ply = past_.size();
    for (; ply > 0 && growth * std::max(last, before) < most; --ply) {
      const S& state = past_[ply - 1];
      if (plan_->spared.contains(state.key())) continue;
      Limit limit = Limit::work(most);
      limit.stop = &stop;
      const double began = processor_seconds();
      ++tried_;
      std::optional<Exercise> solved = label(state, limit);
      if (!solved) break;
      made.push_back(std::move(*solved));
      before = std::exchange(last, processor_seconds() - began);
    }
    first_ply_ += 0.02 * (static_cast<double>(ply) - first_ply_);
    return made;
  }

  // How many positions it has tried to solve since this was last asked for, and the mean ply of the first that it has
  // solved in each of the last games.
  std::int64_t tried() { return std::exchange(tried_, 0); }
  double first_ply() const { return first_ply_; }

 private:
  static constexpr double growth = 2;  // how many times longer a position takes than those behind it, about

  // Seconds for a position of one game, from a hundredth of the most, or from 5 ms if that is less, up to the most.
  // Twice as long is half as likely, so that the time is spent evenly on many late positions, which are quick, and on a
  // few early ones.
  double patience() {
    const double least = std::min(plan_->seconds / 100, 0.005);
    return plan_->seconds / (1 + (plan_->seconds / least - 1) * rng_.uniform());
  }

  // Plays a game. A quarter of the games are uniformly random; the others begin so, most of them not for long, and go
  // on with moves drawn from the network's policy.
  void play(const Judge& judge) {
    S state = plan_->starts[static_cast<std::size_t>(rng_.below(static_cast<int>(plan_->starts.size())))];
    const int random_plies =
        rng_.below(4) == 0 ? std::numeric_limits<int>::max() : rng_.below(1 + rng_.below(longest_ / 2 + 1));
    past_.clear();
    while (!state.over()) {
      const bool random = static_cast<int>(past_.size()) < random_plies;
      past_.push_back(state);
      state.play(random ? random_action(state, rng_) : judge.draw(state, rng_, desk_));
    }
    longest_ = std::max(longest_, static_cast<int>(past_.size()));
  }

  // The value of the position and the actions that keep it. Of a lost position only the value: every action keeps it.
  std::optional<Exercise> label(const S& state, const Limit& limit) {
    const std::optional<int> value = solver_->value(state, limit);
    if (!value) return std::nullopt;
    const auto actions = static_cast<std::size_t>(plan_->num_actions);
    Exercise made{state.player(), planes_of(state), std::vector<float>(actions), std::vector<bool>(actions),
                  static_cast<float>(*value)};
    int keeping = 0;
    for (const Action action : state.actions()) {
      const auto a = static_cast<std::size_t>(action);
      made.legal[a] = true;
      if (*value == -1) continue;
      S child = state;
      child.play(action);
      const std::optional<int> found = solver_->value(child, limit);
      if (!found) return std::nullopt;
      if (seen_by(state.player(), child.player(), *found) == *value) made.policy[a] = 1, ++keeping;
    }
    for (float& share : made.policy) share /= static_cast<float>(std::max(1, keeping));
    return made;
  }

  static std::vector<float> planes_of(const S& state) {
    const std::array<int, 3> shape = state.plane_shape();
    std::vector<float> planes(static_cast<std::size_t>(shape[0]) * shape[1] * shape[2]);
    state.planes(planes.data());
    return planes;
  }

  std::shared_ptr<const Exercising<S>> plan_;
  std::unique_ptr<Solver> solver_;
  Rng rng_;
  Judge::Desk desk_;
  std::vector<S> past_;  // the states of the game under way
  double first_ply_ = 0;
  int longest_;  // plies that a game has lasted
  std::int64_t tried_ = 0;
};

}  // namespace ludus
