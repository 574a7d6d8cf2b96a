// Actual games, many side by side: a forest of searches that ask one network, a full batch at a time.
//
// For every game a fresh tree; for every move search games from the root, the distribution D of visits, the lesson
// (position, D), the move drawn from D, the subtree kept.
#pragma once

#include "school/playing.h"
#include "school/targets.h"
#include "search/mcts/forest.h"

namespace ludus {

template <State S>
class SelfPlay {
 public:
  // Games begin from the start states in turn. `num_actions` is the length of a policy.
  SelfPlay(std::vector<S> starts, const Playing& playing, const MctsOptions& options, int num_actions, const Rng& rng)
      : starts_(std::move(starts)), playing_(playing), options_(options), num_actions_(num_actions), rng_(rng) {}

  // Games that begin from now on are searched in this way, and moves from now on with so many simulations.
  void use(const MctsOptions& options, std::int64_t simulations) {
    options_ = options;
    playing_.simulations = simulations;
  }
  // At least so many games side by side.
  void grow(std::size_t games) {
    while (slots_.size() < games) {
      slots_.push_back(fresh());
      forest_.add(slots_.back().state, options_, rng_.split());
      begin(slots_.size() - 1);
    }
  }

  // Plays on. True: all searches ask, answer() them. False: some have moved, and games may be finished().
  bool go() {
    const std::vector<std::size_t>& asking = forest_.go();
    if (asking.size() == slots_.size()) return true;
    std::size_t next = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (next < asking.size() && asking[next] == i)
        ++next;
      else
        move(i);
    }
    return false;
  }

  // The searches that ask, the state that one of them asks about, and the answers to all: a row of `num_actions`
  // numbers and a value for each.
  std::size_t questions() const { return forest_.asking().size(); }
  const S& question(std::size_t k) const { return forest_[forest_.asking()[k]].question(); }
  const Mcts<S>& asker(std::size_t k) const { return forest_[forest_.asking()[k]]; }
  int num_actions() const { return num_actions_; }
  void answer(const float* policies, const float* values) {
    for (std::size_t k = 0; k < questions(); ++k)
      forest_[forest_.asking()[k]].answer(
          {policies + k * static_cast<std::size_t>(num_actions_), static_cast<std::size_t>(num_actions_)}, values[k]);
    evaluations_ += static_cast<std::int64_t>(questions());
    work_.evaluations += static_cast<std::int64_t>(questions());
  }

  // Moves and evaluations since this was last asked for.
  Work work() { return std::exchange(work_, {}); }
  // The games that were finished since this was last asked for.
  std::vector<Finished> finished() { return std::exchange(finished_, {}); }

  // The function that makes a limit of some seconds; bindings put in one that knows Ctrl-C.
  Limit (*limit_of)(double seconds) = &Limit::seconds;

 private:
  struct Slot {
    S state;
    Finished game = {};
    bool fast = false;  // the search under way is a small one
  };

  // A new game, perhaps after random plies.
  Slot fresh() {
    for (;;) {
      const std::size_t which = begun_ % starts_.size();
      Slot slot{starts_[which], {which}};
      if (rng_.uniform() < playing_.openings && playing_.opening_plies > 0) {
        for (int left = 1 + rng_.below(playing_.opening_plies); left > 0; --left) {
          if (slot.state.over()) break;
          const auto actions = slot.state.actions();
          const Action action = actions[rng_.below(static_cast<int>(actions.size()))];
          slot.game.opening.push_back(action);
          slot.state.play(action);
        }
      }
      if (slot.state.over()) continue;
      ++begun_;
      return slot;
    }
  }

  // Gives the next move of a game its budget.
  void begin(std::size_t i) {
    Slot& slot = slots_[i];
    slot.fast = playing_.fast > 0 && rng_.uniform() < playing_.fast;
    const double grown = 1 + playing_.growth * plies(slot);
    const auto full = static_cast<std::int64_t>(std::nearbyint(static_cast<double>(playing_.simulations) * grown));
    forest_[i].begin(slot.fast ? playing_.fast_simulations : full, limit_of(playing_.seconds));
  }
  static int plies(const Slot& slot) { return static_cast<int>(slot.game.opening.size() + slot.game.actions.size()); }

  // One actual move; if it was the last, a new game takes its place.
  void move(std::size_t i) {
    Slot& slot = slots_[i];
    const std::vector<RootChild> known = known_of(i);
    const bool gumbel = options_.gumbel();
    std::vector<float> policy = distribution(known, {gumbel, playing_.forced, playing_.c}, num_actions_);
    const Action action = choose(policy, known, plies(slot), gumbel);
    if (!slot.fast) {
      const auto surprise = static_cast<float>(surprise_of(known, policy));
      slot.game.lessons.push_back({static_cast<int>(slot.game.actions.size()), std::move(policy),
                                   static_cast<float>(root_value(known)), surprise});
    }
    slot.state.play(action);
    slot.game.actions.push_back(action);
    ++work_.moves;
    if (slot.state.over()) {
      slot.game.score = slot.state.score(0);
      slot.game.evaluations = std::exchange(evaluations_, 0);
      finished_.push_back(std::move(slot.game));
      slot = fresh();
      forest_.replace(i, slot.state, options_, rng_.split());
    } else if (gumbel) {  // it divides its budget before it begins: a fresh tree for every move
      forest_.replace(i, slot.state, options_, rng_.split());
    } else {
      forest_[i].advance(action);
    }
    begin(i);
  }

  // What the search knows. One that was never begun because its result is proven knows the legal actions.
  std::vector<RootChild> known_of(std::size_t i) const {
    std::vector<RootChild> known = known_actions(forest_[i].tree());
    if (known.empty())
      for (const Action action : slots_[i].state.actions()) known.push_back({action});
    return known;
  }

  // The actual move, drawn from D.
  Action choose(const std::vector<float>& policy, std::span<const RootChild> known, int plies, bool gumbel) {
    const auto best = std::max_element(policy.begin(), policy.end());
    if (playing_.temperature == 0 || plies >= playing_.greedy_after || *best == 1)
      return static_cast<Action>(best - policy.begin());
    if (gumbel) return gumbel_choice(known);
    double sum = 0;
    const auto weight = [&](float share) { return std::pow(static_cast<double>(share), 1 / playing_.temperature); };
    for (const float share : policy) sum += weight(share);
    double left = rng_.uniform() * sum;
    Action chosen = static_cast<Action>(best - policy.begin());
    for (std::size_t a = 0; a < policy.size(); ++a) {
      if (policy[a] <= 0) continue;
      chosen = static_cast<Action>(a);
      left -= weight(policy[a]);
      if (left < 0) break;
    }
    return chosen;
  }

  std::vector<S> starts_;
  Playing playing_;
  MctsOptions options_;
  int num_actions_;
  Rng rng_;
  Forest<S> forest_;
  std::vector<Slot> slots_;
  std::vector<Finished> finished_;
  std::size_t begun_ = 0;
  std::int64_t evaluations_ = 0;  // since the last finished game
  Work work_;
};

}  // namespace ludus
