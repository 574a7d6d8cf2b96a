// Tree search on several threads that share one tree. A thread holds the tree only while it goes down and back up, and
// it does so for several simulations in a row: where games are quick, handing the tree from one processor to another
// would otherwise cost more than the search itself. Playouts run while somebody else holds it.
#pragma once

#include <mutex>
#include <thread>

#include "base/limit.h"
#include "base/spin_lock.h"
#include "search/mcts/simulation.h"

namespace ludus {

template <State S>
class Team {
 public:
  Team(Search<S>& search, std::int64_t simulations, const Limit& limit)
      : search_(search), limit_(limit), left_(simulations) {}

  // Works on so many threads until the budget is spent. Returns how many simulations were made.
  std::int64_t run(int threads, Rng& rng) {
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back([this, dice = rng.split()]() { work(dice, false); });
    work(rng.split(), true);
    for (std::thread& other : others) other.join();
    return done_;
  }

 private:
  static constexpr std::size_t most = 32;           // simulations that a thread has on their way at once
  static constexpr std::int32_t visits_each = 512;  // … in a root with so many visits for each of them

  // One thread: down the tree for a few simulations, their playouts, and up again together with the next ones' way
  // down.
  void work(Rng rng, bool leads) {
    std::vector<Simulation<S>> simulations(most, Simulation<S>(search_));
    std::vector<float> scores(most);
    for (std::size_t under_way = 0;;) {
      {
        const std::lock_guard hold(lock_);
        for (std::size_t i = 0; i < under_way; ++i) leave(simulations[i], scores[i]);
        for (under_way = 0; under_way < portion() && take();) under_way += enter(simulations[under_way], rng);
        if (leads && limit_.reached()) left_ = 0;
        if (under_way == 0 && left_ <= 0) return;
      }
      for (std::size_t i = 0; i < under_way; ++i) scores[i] = simulations[i].play_out(search_, rng);
    }
  }

  // A small tree has few simulations on their way, so that they do not miss much of what the others find out.
  std::size_t portion() const {
    return std::min(most, 1 + static_cast<std::size_t>(search_.tree.visits(0) / visits_each));
  }
  bool take() {
    if (search_.proven()) left_ = 0;
    return left_-- > 0;
  }

  // Phases one and two. False if the simulation is finished already, because the score of its leaf is known.
  bool enter(Simulation<S>& simulation, Rng& rng) {
    simulation.select(search_, rng);
    if (finish_if_known(simulation)) return false;
    if (search_.options.tries_all_first()) {
      simulation.expand_one(search_, rng);
      if (finish_if_known(simulation)) return false;
    } else {
      simulation.expand_leaf(search_);
    }
    add_virtual_loss(search_.tree, simulation.path);
    return true;
  }
  // Phase four.
  void leave(Simulation<S>& simulation, double score) {
    simulation.back_up(search_, score, true);
    ++done_;
  }
  bool finish_if_known(Simulation<S>& simulation) {
    const std::optional<double> score = simulation.known(search_);
    if (score) simulation.back_up(search_, *score), ++done_;
    return score.has_value();
  }

  Search<S>& search_;
  const Limit& limit_;
  std::int64_t left_, done_ = 0;
  SpinLock lock_;  // held by whoever touches the tree or the numbers above
};

}  // namespace ludus
