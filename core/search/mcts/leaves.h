// How the leaves of a team's simulations get their scores: by playouts, or by an evaluator that answers for several of
// them at once. Each thread of the team has an object of its own for it.
#pragma once

#include <chrono>
#include <functional>
#include <span>

#include "search/mcts/simulation.h"

namespace ludus {

// Every leaf gets a playout.
template <State S>
class PlayoutLeaves {
 public:
  static constexpr bool alone = false;  // several simulations may have the same leaf
  static constexpr std::size_t places = 32;

  std::size_t most_places() const { return places; }
  // A small tree has few simulations on their way, so that they do not miss much of what the others find out.
  std::size_t portion(std::int32_t visits) const {
    return std::min(places, 1 + static_cast<std::size_t>(visits / visits_each));
  }
  // Phase two, as far as it is done on the way down. True if the simulation has gone on to another leaf.
  bool expand(Search<S>& search, Simulation<S>& simulation, Rng& rng) const {
    if (search.options.tries_all_first()) return simulation.expand_one(search, rng);
    simulation.expand_leaf(search);
    return false;
  }
  // Phase three, of all simulations under way; nobody holds the tree.
  void judge(const Search<S>& search, std::span<Simulation<S>> simulations, Rng& rng, const Limit& limit) {
    for (std::size_t i = 0; i < simulations.size(); ++i) scores_[i] = simulations[i].play_out(search, rng, limit);
  }
  // What is left of phase two on the way up, for simulation i. Returns its score, player 0's.
  double score(Search<S>&, const Simulation<S>&, std::size_t i, Rng&) const { return scores_[i]; }

 private:
  static constexpr std::int32_t visits_each = 512;  // of the root, for each simulation that is on its way at once

  std::array<float, places> scores_;
};

// The answers to some questions: a row of policies (a number per action) and a value, for the player to move, for each.
struct Answers {
  std::span<const float> policies, values;

  std::span<const float> policy(std::size_t i) const {
    const std::size_t actions = policies.size() / values.size();
    return policies.subspan(i * actions, actions);
  }
};

// Answers for the leaves of some simulations. What it returns stays as it is until it is asked again.
template <State S>
using Evaluator = std::function<Answers(std::span<const Simulation<S>>)>;

// An evaluator is asked for the policy of every leaf, and for its value where no playout is made.
template <State S>
class AnsweredLeaves {
 public:
  static constexpr bool alone = true;  // a leaf that is under way has no children yet, so nobody can go on from there

  AnsweredLeaves(Evaluator<S> evaluator, std::size_t batch, bool timed)
      : evaluator_(std::move(evaluator)), batch_(batch), timed_(timed), scores_(batch) {}

  std::size_t most_places() const { return batch_; }
  std::size_t portion(std::int32_t visits) const {
    return std::min(in_time_, 1 + static_cast<std::size_t>(visits / visits_each));
  }
  bool expand(Search<S>&, Simulation<S>&, Rng&) const { return false; }  // it waits for the policy
  void judge(const Search<S>& search, std::span<Simulation<S>> simulations, Rng& rng, const Limit& limit) {
    const Limit::Clock::time_point began = Limit::Clock::now();
    answers_ = evaluator_(simulations);
    for (std::size_t i = 0; i < simulations.size(); ++i) scores_[i] = score_of(search, simulations[i], i, rng, limit);
    if (timed_) fit(Limit::Clock::now() - began, simulations.size());
  }
  double score(Search<S>& search, const Simulation<S>& simulation, std::size_t i, Rng& rng) const {
    simulation.expand_with(search, answers_.policy(i));
    if (simulation.leaf() == 0) search.add_root_noise(rng);
    return scores_[i];
  }

 private:
  static constexpr std::int32_t visits_each = 32;
  static constexpr auto longest = std::chrono::milliseconds(2);  // of a batch, if the time of the search is limited

  double score_of(const Search<S>& search, Simulation<S>& simulation, std::size_t i, Rng& rng, const Limit& limit) {
    const double sigma = search.options.sigma;
    if (sigma < 1 && rng.uniform() >= sigma) {
      const double value = answers_.values[i];
      return simulation.state.player() == 0 ? value : -value;
    }
    const S leaf = simulation.state;  // which is still to be expanded
    const double score = simulation.play_out(search, rng, limit);
    simulation.state = leaf;
    return score;
  }
  // The clock is looked at between batches, so a batch must not take long.
  void fit(Limit::Clock::duration took, std::size_t leaves) {
    const auto each = std::max(took / static_cast<std::int64_t>(leaves), Limit::Clock::duration(1));
    in_time_ = std::clamp<std::size_t>(static_cast<std::size_t>(longest / each), 1, batch_);
  }

  Evaluator<S> evaluator_;
  std::size_t batch_;
  bool timed_;
  std::size_t in_time_ = batch_;
  std::vector<double> scores_;
  Answers answers_;
};

}  // namespace ludus
