// A network as the evaluator of one tree search, a batch of leaves at a time, without Python.
#pragma once

#include "school/judge.h"
#include "search/mcts/leaves.h"

namespace ludus {

// The evaluator of one thread: it has a desk of its own.
template <State S>
  requires HasPlanes<S>
Evaluator<S> guide(std::shared_ptr<const Judge> judge) {
  return [judge = std::move(judge), desk = Judge::Desk()](std::span<const Simulation<S>> leaves) mutable {
    judge->judge(leaves.size(), [&](std::size_t k) -> const S& { return leaves[k].state; }, desk);
    const Answers answers{desk.policies, desk.values};
    for (std::size_t k = 0; k < leaves.size(); ++k)
      if (!Judge::usable(leaves[k].state, answers.policy(k).data()) || !std::isfinite(answers.values[k]))
        throw Unusable();
    return answers;
  };
}

}  // namespace ludus
