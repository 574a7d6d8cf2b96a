// Exercises: positions made for learning, reached by random and by sensible play, and labelled by an exact solver.
#pragma once

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
  double seconds;                   // of work for one position with all its actions
  std::unordered_set<Word> spared;  // keys of positions that must not be learned
};

// Makes exercises one at a time. It begins to look for them at the ply from which on about half of its time or more
// goes into positions that it can solve.
template <State S, class Solver>
class ExerciseMaker {
 public:
  ExerciseMaker(std::shared_ptr<const Exercising<S>> plan, std::unique_ptr<Solver> solver, const Rng& rng)
      : plan_(std::move(plan)), solver_(std::move(solver)), rng_(rng) {
    S state = plan_->starts[0];
    longest_ = walk_to_end(state, rng_);
  }

  // A position of a new game, solved; nothing if it was not solved in time or must be spared.
  std::optional<Exercise> make(const Judge& judge, const std::atomic<bool>& stop) {
    const S state = position(judge);
    if (plan_->spared.contains(state.key())) return std::nullopt;
    Limit limit = Limit::work(plan_->seconds);
    limit.stop = &stop;
    const double began = processor_seconds();
    ++tried_;
    std::optional<Exercise> solved = label(state, limit);
    adapt(solved.has_value(), processor_seconds() - began);
    return solved;
  }

  // How many positions it has tried to solve since this was last asked for, and the ply from which on it takes them.
  std::int64_t tried() { return std::exchange(tried_, 0); }
  double first_ply() const { return first_ply_; }

 private:
  // A position at the first ply or later. Games that end before it are left out, because their positions are hard
  // however late they are; each of them brings the first ply a little forward, so that some games always reach it.
  S position(const Judge& judge) {
    for (;; first_ply_ = std::max(0.0, first_ply_ - 0.01))
      if (const std::optional<S> found = position_from(static_cast<int>(first_ply_), judge)) return *found;
  }

  // A position of a new game, nothing if it ends too soon. Half of the games are uniformly random; the others begin so
  // and go on with moves drawn from the network's policy.
  std::optional<S> position_from(int first, const Judge& judge) {
    S state = plan_->starts[static_cast<std::size_t>(rng_.below(static_cast<int>(plan_->starts.size())))];
    const int last = std::max(first, longest_), ply = first + rng_.below(last - first + 1);
    const int random_plies = rng_.uniform() < 0.5 ? ply : rng_.below(std::max(1, longest_ / 2));
    past_.clear();
    while (!state.over() && static_cast<int>(past_.size()) < ply) {
      past_.push_back(state);
      const bool random = static_cast<int>(past_.size()) <= random_plies;
      state.play(random ? random_action(state, rng_) : judge.draw(state, rng_, desk_));
    }
    const int length = static_cast<int>(past_.size());
    longest_ = std::max(longest_, length + !state.over());
    if (!state.over()) return state;
    if (length <= first) return std::nullopt;
    return past_[static_cast<std::size_t>(first + rng_.below(length - first))];
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

  // One ply later after a failure, further while nothing has ever been solved; earlier again by as much as a success
  // was quicker than a failure is. The two balance where both take the same share of the time.
  void adapt(bool solved, double seconds) {
    if (solved) {
      step_ = 1;
      first_ply_ = std::max(0.0, first_ply_ - seconds / plan_->seconds);
    } else {
      first_ply_ = std::min(first_ply_ + step_, std::max(0.0, longest_ - 1.0));
      if (step_ > 1) step_ *= 2;
    }
  }

  std::shared_ptr<const Exercising<S>> plan_;
  std::unique_ptr<Solver> solver_;
  Rng rng_;
  Judge::Desk desk_;
  std::vector<S> past_;   // the states of the game under way
  double first_ply_ = 0;  // positions from here on are taken
  double step_ = 2;
  int longest_;  // plies that a game has lasted
  std::int64_t tried_ = 0;
};

}  // namespace ludus
