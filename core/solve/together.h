// Solvers that work on one question together, each on a thread of its own with the same table.
//
// All of them search the whole question. A move that one of them is searching the others leave for later, and whatever
// one finds out the others read in the table. The first answer counts.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/limit.h"
#include "solve/at_work.h"

namespace ludus {

// Can several solvers of this kind work on one question?
template <class Solver>
concept CanShareWork = requires(Solver& solver) {
  Solver(solver.table());
  solver.work_with(std::make_shared<AtWork>());
};

template <class Solver>
class SolversTogether {
 public:
  SolversTogether(int threads, std::size_t table_bytes) {
    solvers_.push_back(std::make_unique<Solver>(table_bytes));
    if constexpr (CanShareWork<Solver>) {
      if (threads == 1) return;
      solvers_[0]->table()->share();
      while (static_cast<int>(solvers_.size()) < threads)
        solvers_.push_back(std::make_unique<Solver>(solvers_[0]->table()));
      const auto marks = std::make_shared<AtWork>();
      for (auto& solver : solvers_) solver->work_with(marks);
    }
  }

  // What ask(solver, limit) answers, an optional; nothing if no solver found an answer within the limit.
  template <class Ask>
  auto ask(const Ask& ask, Limit limit) {
    if (solvers_.size() == 1) return ask(*solvers_[0], limit);
    std::atomic<bool> done = false;
    limit.stop = &done;
    std::vector<decltype(ask(*solvers_[0], limit))> answers(solvers_.size());
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < solvers_.size(); ++i)
      others.emplace_back([&, i, own = limit]() mutable {
        own.interrupted = nullptr;  // only the thread that asks may look for Ctrl-C
        answers[i] = ask(*solvers_[i], own);
        if (answers[i]) done = true;
      });
    answers[0] = ask(*solvers_[0], limit);
    done = true;
    others.clear();
    for (auto& answer : answers)
      if (answer) return answer;
    return answers[0];
  }

  std::int64_t nodes() const {
    std::int64_t sum = 0;
    for (const auto& solver : solvers_) sum += solver->nodes();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<Solver>> solvers_;
};

}  // namespace ludus
