// Tree search on several threads that share one tree. A thread holds the tree only while it goes down and back up, and
// it does so for several simulations in a row: where games are quick, handing the tree from one processor to another
// would otherwise cost more than the search itself, and an evaluator wants several questions at once. Leaves are judged
// while somebody else holds the tree.
#pragma once

#include <exception>
#include <mutex>
#include <thread>

#include "base/limit.h"
#include "base/spin_lock.h"
#include "search/mcts/leaves.h"

namespace ludus {

template <State S, class Leaves>
class Team {
 public:
  Team(Search<S>& search, std::int64_t simulations, const Limit& limit)
      : search_(search), limit_(limit), left_(simulations) {}

  // Works on so many threads until the budget is spent. Returns how many simulations were made.
  template <class MakeLeaves>
  std::int64_t run(int threads, Rng& rng, const MakeLeaves& leaves) {
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i)
      others.emplace_back([this, own = leaves(), dice = rng.split()]() mutable { work_safely(own, dice, false); });
    Leaves own = leaves();
    work_safely(own, rng.split(), true);
    for (std::thread& other : others) other.join();
    if (failure_) std::rethrow_exception(failure_);
    return done_;
  }

 private:
  // Some rules spend the first simulation on the root itself; after the second there is an action to play.
  static constexpr std::int64_t least = 2;
  static constexpr std::size_t most_finished = 64;

  // One thread: down the tree for a few simulations, their leaves, and up again together with the next ones' way down.
  void work(Leaves& leaves, Rng& rng, bool leads) {
    std::vector<Simulation<S>> simulations(leaves.most_places(), Simulation<S>(search_));
    bool stop = false;
    for (std::size_t under_way = 0;;) {
      bool may_stop = false;
      {
        const std::lock_guard hold(lock_);
        for (std::size_t i = 0; i < under_way; ++i) leave(leaves, simulations[i], i, rng);
        if (stop) left_ = 0;
        under_way = enter_some(leaves, simulations, rng);
        if (under_way == 0 && left_ <= 0) return;
        may_stop = done_ + static_cast<std::int64_t>(under_way) >= least;
      }
      if (under_way > 0)
        leaves.judge(search_, std::span(simulations.data(), under_way), rng, limit_);
      else
        std::this_thread::yield();  // to the thread that has the leaf that everybody waits for
      stop = may_stop && (leads ? limit_.reached() : limit_.late());  // on a busy machine the leader may come last
    }
  }
  // What goes wrong in a thread ends the search, and is told by run().
  void work_safely(Leaves& leaves, Rng rng, bool leads) {
    try {
      work(leaves, rng, leads);
    } catch (...) {
      const std::lock_guard hold(lock_);
      if (!failure_) failure_ = std::current_exception();
      left_ = 0;
    }
  }

  // Sends simulations down the tree. Returns how many wait for a score. Of those that are finished at once only so many
  // are made, then it is time to look at the clock again.
  std::size_t enter_some(Leaves& leaves, std::vector<Simulation<S>>& simulations, Rng& rng) {
    const std::size_t most = leaves.portion(search_.tree.visits(0));
    std::size_t under_way = 0;
    for (std::size_t finished = 0; under_way < most && finished < most_finished && take();) {
      switch (enter(leaves, simulations[under_way], rng)) {
        case Entered::under_way:
          ++under_way;
          break;
        case Entered::finished:
          ++finished;
          break;
        case Entered::refused:
          ++left_;
          return under_way;
      }
    }
    return under_way;
  }
  bool take() {
    if (search_.proven()) left_ = 0;
    return left_-- > 0;
  }

  // Phases one and two. A simulation is finished already if the score of its leaf is known. It is refused where another
  // one is expanding the leaf: it would only repeat that one.
  enum class Entered { under_way, finished, refused };
  Entered enter(Leaves& leaves, Simulation<S>& simulation, Rng& rng) {
    simulation.select(search_, rng);
    if (finish_if_known(simulation)) return Entered::finished;
    if (Leaves::alone && std::ranges::count(taken_, simulation.leaf()) > 0) return Entered::refused;
    if (leaves.expand(search_, simulation, rng) && finish_if_known(simulation)) return Entered::finished;
    add_virtual_loss(search_.tree, simulation.path);
    if (Leaves::alone) taken_.push_back(simulation.leaf());
    return Entered::under_way;
  }
  // Phase four.
  void leave(Leaves& leaves, Simulation<S>& simulation, std::size_t i, Rng& rng) {
    const double score = leaves.score(search_, simulation, i, rng);
    simulation.back_up(search_, score, true);
    if (Leaves::alone) std::erase(taken_, simulation.leaf());
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
  std::vector<NodeIndex> taken_;  // leaves that are being expanded
  std::exception_ptr failure_;
  SpinLock lock_;  // held by whoever touches the tree or the numbers above
};

}  // namespace ludus
