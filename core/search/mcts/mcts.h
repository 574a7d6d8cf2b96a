// The driver of Monte Carlo tree search: it calls the four phases in order, and stops with a question where
// it needs a policy or value from an evaluator. Nothing here knows a game, a network or Python.
#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "base/limit.h"
#include "search/mcts/parallel.h"
#include "search/mcts/simulation.h"

namespace ludus {

template <State S>
class Mcts {
 public:
  Mcts(S root, const MctsOptions& options, const Rng& rng) : search_{options, root}, rng_(rng) {}

  const S& root() const { return search_.root; }
  const Tree& tree() const { return search_.tree; }
  const MctsOptions& options() const { return search_.options; }
  std::int64_t simulations() const { return done_; }  // since begin()

  // Sets the budget of the next go(): so many simulations, until the limit.
  void begin(std::int64_t simulations, const Limit& limit) {
    target_ = simulations;
    limit_ = limit;
    done_ = 0;
    look_at_ = std::max(limit_every, least);
  }

  // Searches until the budget is spent (true) or a question is open (false): then answer() it and go on.
  bool go() {
    while (!asking() && done_ < target_ && !search_.proven()) {
      if (done_ >= look_at_) {  // not at multiples: a step that simulates all children of a leaf would skip them
        if (limit_.reached()) return true;
        look_at_ = done_ + limit_every;
      }
      step();
    }
    assert(tree().visits_of_children(0) <= tree().visits(0));
    return !asking();
  }
  // The same on several threads, for searches that ask nothing.
  void go_parallel(int threads) {
    go_team(threads, [] { return PlayoutLeaves<S>(); });
  }
  // The same for searches whose questions are answered at once, up to `batch` of them at a time; every thread has an
  // evaluator of its own. On one thread and one by one, it is the search that go() and answer() make.
  template <class MakeEvaluator>
  void go_answered(int threads, std::size_t batch, const MakeEvaluator& evaluator) {
    assert(search_.options.one_question());
    wants_policy_ = wants_value_ = rolling_ = expanding_ = false;
    go_team(threads, [&] { return AnsweredLeaves<S>(evaluator(), batch, limit_.timed()); });
  }

  bool asking() const { return wants_policy_ || wants_value_; }
  bool wants_policy() const { return wants_policy_; }
  bool wants_value() const { return wants_value_; }
  const S& question() const { return now_.state; }
  std::vector<Action> actions_to_question() const {  // from the root
    std::vector<Action> actions;
    for (std::size_t i = 1; i < now_.path.size(); ++i) actions.push_back(tree().action(now_.path[i]));
    for (const auto& [player, action] : now_.played) actions.push_back(action);
    return actions;
  }

  // The answer to question(): a policy (a number per action), and a value for the player to move.
  void answer(std::span<const float> policy, double value) {
    assert(asking());
    const bool wanted_value = wants_value_;
    wants_policy_ = wants_value_ = false;
    look_at_ = std::max(done_, least);  // an answer may have taken long
    if (rolling_) {
      follow(policy_action(now_.state, policy, *search_.options.actor, rng_));
      return roll();
    }
    if (expanding_) {
      expanding_ = false;
      now_.expand_with(search_, policy);
      if (now_.leaf() == 0) search_.add_root_noise(rng_);
    }
    if (wanted_value)
      finish(now_.state.player() == 0 ? value : -value);
    else
      judge();
  }

  // The game has gone on by one action: its subtree survives, the rest of the tree is freed. When the limit is reached,
  // what is still to be copied of it is given up.
  void advance(Action action, const Limit& limit = {}) {
    Tree& tree = search_.tree;
    const NodeIndex child = tree.child(0, action);
    search_.root.play(action);
    if (child == 0)
      tree.clear(root().player());
    else
      tree.keep(child, root().player(), limit);
    prove_root(tree);
    wants_policy_ = wants_value_ = rolling_ = expanding_ = false;
    stopped_at_.reset();
    if (tree.grown(0) && search_.options.priors) search_.add_root_noise(rng_);
  }

 private:
  // After how many simulations to look at the clock: those of games with large states (Go) take longer.
  static constexpr std::int64_t limit_every = !std::is_trivially_copyable_v<S> ? 1 : sizeof(S) <= 192 ? 32 : 8;
  static constexpr std::int64_t least = 2;  // some rules spend the first simulation on the root itself

  template <class MakeLeaves>
  void go_team(int threads, const MakeLeaves& leaves) {
    using Leaves = decltype(leaves());
    done_ += Team<S, Leaves>(search_, target_ - done_, limit_).run(threads, rng_, leaves);
  }

  // One simulation, or its part up to the next question.
  void step() {
    if (stopped_at_) return simulate_children();
    now_.select(search_, rng_);
    if (finish_if_known()) return;
    if (search_.options.priors) return ask_for_expansion();
    if (!search_.options.tries_all_first()) {
      now_.expand_leaf(search_);
      return judge();
    }
    if (search_.options.simulate_all) return simulate_children();
    simulate_child();
  }
  [[gnu::flatten]] void simulate_child() {
    if (now_.expand_one(search_, rng_) && finish_if_known()) return;
    judge();
  }
  // The other way to expand: every child of the leaf gets a simulation of its own. When the time is over in between,
  // the next step goes on where this one stopped.
  void simulate_children() {
    const Simulation<S> at_leaf = std::exchange(stopped_at_, std::nullopt).value_or(now_);
    do {
      now_ = at_leaf;
      simulate_child();
      if (now_.path.size() == at_leaf.path.size() || !has_untried(at_leaf.leaf())) return;
    } while (done_ >= target_ || search_.proven() || !limit_.late());
    stopped_at_ = at_leaf;
  }

  bool has_untried(NodeIndex node) const { return tree().family(node).tried() < tree().family(node).children(); }

  // A playout here, or a question to the outside.
  void judge() {
    if (asks_critic()) {
      wants_value_ = true;
    } else if (search_.options.actor) {
      rolling_ = true;
      roll();
    } else {
      finish(now_.play_out(search_, rng_, limit_));
    }
  }
  bool asks_critic() { return search_.options.sigma < 1 && rng_.uniform() >= search_.options.sigma; }
  void ask_for_expansion() {
    expanding_ = true;
    wants_policy_ = true;
    wants_value_ = asks_critic();
  }

  // Goes on with a playout by the actor: ask for the next action, or be done. When the time is over the playout is
  // given up and counts as drawn.
  void roll() {
    const bool over = now_.state.over();
    if (!over && !limit_.late()) {
      wants_policy_ = true;
      return;
    }
    rolling_ = false;
    finish(over ? now_.state.score(0) : 0);
  }
  void follow(Action action) {
    now_.played.emplace_back(now_.state.player(), action);
    now_.state.play(action);
  }

  bool finish_if_known() {
    const std::optional<double> score = now_.known(search_);
    if (score) finish(*score);
    return score.has_value();
  }
  void finish(double score) {
    now_.back_up(search_, score);
    ++done_;
  }

  Search<S> search_;
  Rng rng_;
  Simulation<S> now_{search_};
  std::optional<Simulation<S>> stopped_at_;  // a leaf some of whose children still have no simulation
  bool wants_policy_ = false, wants_value_ = false;
  bool rolling_ = false, expanding_ = false;
  Limit limit_;
  std::int64_t target_ = 0, done_ = 0;
  std::int64_t look_at_ = limit_every;  // the number of simulations at which the limit is asked for next
};

}  // namespace ludus
