// The driver of Monte Carlo tree search: it calls the four phases in order, and stops to ask where it needs
// an opinion from outside. Nothing here knows a game, a network or Python.
#pragma once

#include <array>
#include <mutex>
#include <thread>

#include "base/limit.h"
#include "search/mcts/backup.h"
#include "search/mcts/expand.h"
#include "search/mcts/options.h"
#include "search/mcts/spin_lock.h"
#include "search/transposition.h"

namespace ludus {

// One simulation on its way: where it is and how it got there.
template <State S>
struct Simulation {
  S state;
  Path path = {};
  Played played = {};
};

template <State S>
class Mcts {
 public:
  Mcts(S root, const MctsOptions& options, const Rng& rng)
      : options_(options), rng_(rng), root_(root), tree_(root.player()), now_{root} {}

  const S& root() const { return root_; }
  const Tree& tree() const { return tree_; }
  Tree& tree() { return tree_; }
  std::int64_t simulations() const { return done_; }  // since begin()
  bool proven() const { return tree_.root().proven != unproven; }

  // Sets the budget of the next go(): so many simulations, until the limit.
  void begin(std::int64_t simulations, const Limit& limit) {
    target_ = simulations;
    limit_ = limit;
    done_ = 0;
  }

  // Searches until the budget is spent (true) or a question is open (false): then answer() it and go on.
  bool go() {
    while (!asking() && done_ < target_ && !(options_.solver && proven())) {
      if (done_ % limit_every == 0 && done_ > 0 && limit_.reached()) return true;
      step();
    }
    return !asking();
  }

  // The same on several threads. The tree is shared behind one lock, which is free while playouts run; a
  // simulation on its way counts as a loss, so that the others look elsewhere.
  void go_parallel(int threads) {
    std::atomic<bool> enough = false;
    const auto work = [&](Rng rng, bool leads) {
      Simulation<S> simulation{root_};
      for (std::int64_t mine = 0; !enough.load(std::memory_order_relaxed); ++mine) {
        if (leads && mine > 0 && mine % 8 == 0 && limit_.reached()) enough = true;
        if (!step_shared(simulation, rng)) enough = true;
      }
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work, rng_.split(), false);
    work(rng_.split(), true);
    for (std::thread& other : others) other.join();
  }

  bool asking() const { return wants_policy_ || wants_value_; }
  bool wants_policy() const { return wants_policy_; }
  bool wants_value() const { return wants_value_; }
  const S& question() const { return now_.state; }
  std::vector<Action> actions_to_question() const {  // from the root
    std::vector<Action> actions;
    for (std::size_t i = 1; i < now_.path.size(); ++i) actions.push_back(tree_[now_.path[i]].action);
    for (const auto& [player, action] : now_.played) actions.push_back(action);
    return actions;
  }

  // What the outside thinks of question(): a number per action, and a value for the player to move.
  void answer(std::span<const float> policy, double value) {
    const bool wanted_value = wants_value_;
    wants_policy_ = wants_value_ = false;
    if (rolling_) {
      follow(policy_action(now_.state, policy, options_.epsilon, options_.greedy, rng_));
      roll();
      return;
    }
    if (expanding_) {
      expanding_ = false;
      expand_all(tree_, now_.path.back(), now_.state, policy);
      if (now_.path.size() == 1) add_root_noise();
    }
    if (wanted_value)
      finish(now_, now_.state.player() == 0 ? value : -value);
    else
      judge();
  }

  // The game has gone on by one action: its subtree survives, the rest of the tree is freed.
  void advance(Action action) {
    const NodeIndex child = tree_.child(0, action);
    root_.play(action);
    if (child == 0)
      tree_.clear(root_.player());
    else
      tree_.keep(child, root_.player());
    prove_root();
    wants_policy_ = wants_value_ = rolling_ = expanding_ = false;
    if (tree_.root().children > 0 && options_.priors) add_root_noise();
  }

 private:
  using Proofs = StateMapOf<S, std::int8_t>;
  static constexpr std::int64_t limit_every = std::is_trivially_copyable_v<S> ? 32 : 1;

  // One simulation, or as much of it as needs no opinion.
  void step() {
    descend(now_, rng_);
    if (known_already(now_)) return;
    if (options_.priors) return ask_for_expansion();
    if (!tries_all_first()) {
      grow_leaf(now_);
      return judge();
    }
    if (options_.simulate_all) return simulate_children();
    try_one(now_, rng_);
    if (!known_already(now_)) judge();
  }

  // Phase one.
  void descend(Simulation<S>& simulation, Rng& rng) {
    simulation.state = root_;
    simulation.played.clear();
    const auto known = [this](const S& state) {
      return options_.solver && !proofs_.empty() && proofs_.contains(Proofs::name(state));
    };
    std::visit([&](const auto& rule) { select(tree_, simulation.state, rule, rng, simulation.path, known); },
               options_.rule);
  }

  // Phase two, for one child.
  void try_one(Simulation<S>& simulation, Rng& rng) {
    const NodeIndex child = expand(tree_, simulation.path.back(), simulation.state, rng);
    simulation.path.push_back(child);
    simulation.state.play(tree_[child].action);
  }

  bool tries_all_first() const {
    return std::visit([](const auto& rule) { return rule.tries_all_first; }, options_.rule);
  }

  // Phase two, for all children at once, with even priors. A leaf gets them on its second visit: most leaves
  // never see one. The simulation goes on from the leaf itself.
  void grow_leaf(const Simulation<S>& simulation) {
    const NodeIndex leaf = simulation.path.back();
    if (leaf > 0 && tree_[leaf].visits == 0) return;
    expand_all(tree_, leaf, simulation.state, {});
    if (hinted()) take_hints(tree_, leaf, simulation.state);
  }

  // A finished game or a proven node needs no playout.
  bool known_already(Simulation<S>& simulation) {
    Node& leaf = tree_[simulation.path.back()];
    if (leaf.proven != unproven) {
      finish(simulation, leaf.chooser == 0 ? leaf.proven : -leaf.proven);
      return true;
    }
    double score = 0;  // of player 0
    if (simulation.state.over()) {
      score = simulation.state.score(0);
    } else {
      if (!options_.solver || simulation.path.size() == 1) return false;
      const auto proof = proofs_.find(Proofs::name(simulation.state));
      if (proof == proofs_.end()) return false;
      score = proof->second;
    }
    if (options_.solver && (score == 1 || score == 0 || score == -1)) {
      leaf.proven = static_cast<std::int8_t>(leaf.chooser == 0 ? score : -score);
      prove(tree_, simulation.path);
      remember_proofs(simulation.path);
    }
    finish(simulation, score);
    return true;
  }

  // Writes down what was proven along a path, for when other actions lead to the same states.
  void remember_proofs(const Path& path) {
    S state = root_;
    for (std::size_t i = 1; i + 1 < path.size(); ++i) {
      const Node& node = tree_[path[i]];
      state.play(node.action);
      if (node.proven != unproven)
        proofs_[Proofs::name(state)] = static_cast<std::int8_t>(node.chooser == 0 ? node.proven : -node.proven);
    }
  }

  // Phase three: a playout here, or a question to the outside.
  void judge() {
    if (options_.sigma < 1 && rng_.uniform() >= options_.sigma) {
      wants_value_ = true;
    } else if (options_.actor) {
      rolling_ = true;
      roll();
    } else {
      const float score = simulate(now_.state, options_.playout, rng_, notes(now_));
      finish(now_, score);
    }
  }

  // Goes on with a playout by the actor: ask for the next action, or be done.
  void roll() {
    if (!now_.state.over()) {
      wants_policy_ = true;
      return;
    }
    rolling_ = false;
    finish(now_, now_.state.score(0));
  }
  void follow(Action action) {
    now_.played.emplace_back(now_.state.player(), action);
    now_.state.play(action);
  }

  void ask_for_expansion() {
    expanding_ = true;
    wants_policy_ = true;
    wants_value_ = options_.sigma < 1 && rng_.uniform() >= options_.sigma;
  }

  // The root is proven only as far as its own children show it: a proof from elsewhere names no action to play.
  void prove_root() {
    Node& root = tree_.root();
    root.proven = unproven;
    if (root.children == 0) return;
    bool all = true;
    int best = -1;
    for (NodeIndex i = root.first; i < root.first + root.children; ++i) {
      all &= tree_[i].proven != unproven;
      if (tree_[i].proven != unproven) best = std::max<int>(best, tree_[i].proven);
    }
    if (best == 1 || all) root.proven = static_cast<std::int8_t>(best);
  }

  void add_root_noise() {
    if (std::holds_alternative<Gumbel>(options_.rule)) draw_gumbel(tree_, 0, rng_);
    if (options_.noise_fraction > 0) add_noise(tree_, 0, options_.noise_alpha, options_.noise_fraction, rng_);
  }

  // The other way to expand: every child of the leaf gets a simulation of its own.
  void simulate_children() {
    const NodeIndex leaf = now_.path.back();
    const S state = now_.state;
    const Path path = now_.path;
    do {
      now_ = {state, path, {}};
      try_one(now_, rng_);
      if (!known_already(now_)) judge();
    } while (tree_[leaf].tried < tree_[leaf].children);
  }

  // One simulation with the tree behind a lock; false when the budget is spent.
  bool step_shared(Simulation<S>& simulation, Rng& rng) {
    {
      const std::lock_guard hold(lock_);
      if (done_ + under_way_ >= target_ || (options_.solver && proven())) return false;
      descend(simulation, rng);
      if (known_already(simulation)) return true;
      if (tries_all_first()) {
        try_one(simulation, rng);
        if (known_already(simulation)) return true;
      } else {
        grow_leaf(simulation);
      }
      ++under_way_;
      for (const NodeIndex i : simulation.path) ++tree_[i].visits, --tree_[i].total;
    }
    const float score = simulate(simulation.state, options_.playout, rng, notes(simulation));
    const std::lock_guard hold(lock_);
    --under_way_;
    for (const NodeIndex i : simulation.path) --tree_[i].visits, ++tree_[i].total;
    finish(simulation, score);
    return true;
  }

  // Phase four.
  void finish(Simulation<S>& simulation, double score) {
    backup(tree_, simulation.path, score);
    if (std::holds_alternative<Rave>(options_.rule)) finish_amaf(simulation, score);
    ++done_;
  }

  bool hinted() const {
    const Rave* rave = std::get_if<Rave>(&options_.rule);
    return rave != nullptr && rave->hints;
  }

  // RAVE needs the actions of a playout, unless the last state still shows them.
  Played* notes(Simulation<S>& simulation) const {
    return std::holds_alternative<Rave>(options_.rule) && !TellsPlayed<S> ? &simulation.played : nullptr;
  }
  void finish_amaf(const Simulation<S>& simulation, double score) {
    if constexpr (TellsPlayed<S>) {
      backup_amaf(
          tree_, simulation.path, score, [&](Player p, Action a) { return simulation.state.holds(p, a); },
          [](const Node&) {});
    } else {
      ++stamp_;
      const bool first_counts = FirstCome<S> && hinted();
      const auto mark = [this, first_counts](Player p, Action a) {
        if (static_cast<std::size_t>(a) >= stamps_[p].size()) stamps_[p].resize(static_cast<std::size_t>(a) + 64);
        stamps_[p][a] = stamp_;
        if (first_counts && static_cast<std::size_t>(a) < stamps_[1 - p].size()) stamps_[1 - p][a] = 0;
      };
      const Played& played = simulation.played;
      for (auto at = played.rbegin(); at != played.rend(); ++at) mark(at->first, at->second);
      backup_amaf(
          tree_, simulation.path, score,
          [this](Player p, Action a) {
            return static_cast<std::size_t>(a) < stamps_[p].size() && stamps_[p][a] == stamp_;
          },
          [&](const Node& node) {
            if (node.action >= 0) mark(node.chooser, node.action);
          });
    }
  }

  MctsOptions options_;
  Rng rng_;
  S root_;
  Tree tree_;
  Simulation<S> now_;
  bool wants_policy_ = false, wants_value_ = false;
  bool rolling_ = false, expanding_ = false;
  Limit limit_;
  std::int64_t target_ = 0, done_ = 0, under_way_ = 0;
  SpinLock lock_;
  typename Proofs::Type proofs_;  // true scores of player 0, by state
  std::array<std::vector<std::uint32_t>, 2> stamps_;
  std::uint32_t stamp_ = 0;
};

}  // namespace ludus
