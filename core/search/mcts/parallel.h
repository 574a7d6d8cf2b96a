// Tree search on several threads that share one tree. Going down the tree and adding up scores need no lock; only
// where the tree grows one is held. A simulation on its way counts as a loss, so that the others look elsewhere.
//
// Selection reads sums while other threads add to them. A score may then be of a moment ago, which does no harm: each
// number by itself is read whole.
#pragma once

#include <mutex>
#include <thread>

#include "base/limit.h"
#include "search/mcts/simulation.h"

namespace ludus {

// Down to a leaf and one step further, with a virtual loss for every node on the way.
template <State S>
void enter(Search<S>& search, Simulation<S>& simulation, Rng& rng, SpinLock& growing) {
  Tree& tree = search.tree;
  const auto mark = [&tree](NodeIndex node) { add_virtual_loss(tree, node); };
  for (;;) {
    simulation.select(search, rng);
    for (const NodeIndex node : simulation.path) mark(node);
    if (tree.proven(simulation.leaf()) != unproven || simulation.state.over()) return;
    const std::lock_guard hold(growing);
    if (!search.options.tries_all_first()) return simulation.expand_leaf(search);
    const NodeIndex leaf = simulation.leaf();
    if (!tree.grown(leaf) || tree.family(leaf).tried() < tree.family(leaf).children())
      return simulation.expand_one(search, rng, mark);
    take_back_virtual_loss(tree, simulation.path);  // another thread has tried the last action meanwhile
  }
}

template <State S>
void simulate_among_others(Search<S>& search, Simulation<S>& simulation, Rng& rng, SpinLock& growing) {
  enter(search, simulation, rng, growing);
  const std::optional<double> known = simulation.known(search);
  const double score = known ? *known : simulation.play_out(search, rng);
  backup_over_virtual_loss(search.tree, simulation.path, score);
  simulation.back_up_amaf(search, score);
}

// So many simulations until the limit, on so many threads. Returns how many were made.
template <State S>
std::int64_t run_parallel(Search<S>& search, std::int64_t simulations, const Limit& limit, int threads, Rng& rng) {
  search.tree.reserve_for_threads();
  std::atomic<std::int64_t> left = simulations, done = 0;
  std::atomic<bool> enough = false;
  SpinLock growing;
  const auto work = [&](Rng dice, bool leads) {
    constexpr std::int64_t portion = 8;  // simulations that a thread takes at once
    Simulation<S> simulation(search);
    while (!enough.load(std::memory_order_relaxed)) {
      const std::int64_t mine = std::min(portion, left.fetch_sub(portion, std::memory_order_relaxed));
      std::int64_t made = 0;
      for (; made < mine && !search.proven(); ++made) simulate_among_others(search, simulation, dice, growing);
      done += made;
      if (mine < portion || search.proven() || (leads && limit.reached())) enough = true;
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work, rng.split(), false);
  work(rng.split(), true);
  for (std::thread& other : others) other.join();
  return done;
}

}  // namespace ludus
