// Many searches side by side, so that the evaluator gets all their questions in one batch.
#pragma once

#include <memory>

#include "search/mcts/mcts.h"

namespace ludus {

template <State S>
class Forest {
 public:
  Forest() = default;
  Forest(const Forest&) = delete;
  Forest& operator=(const Forest&) = delete;

  std::size_t size() const { return searches_.size(); }
  Mcts<S>& operator[](std::size_t i) { return *searches_[i]; }
  const Mcts<S>& operator[](std::size_t i) const { return *searches_[i]; }

  // Adds a search, or a new one in place of an old one.
  void add(const S& root, const MctsOptions& options, const Rng& rng) {
    searches_.push_back(std::make_unique<Mcts<S>>(root, options, rng));
  }
  void replace(std::size_t i, const S& root, const MctsOptions& options, const Rng& rng) {
    searches_[i] = std::make_unique<Mcts<S>>(root, options, rng);
  }

  // Lets every search run until it asks or has spent its budget. Returns which ones ask, in order.
  const std::vector<std::size_t>& go() {
    asking_.clear();
    for (std::size_t i = 0; i < searches_.size(); ++i)
      if (!searches_[i]->go()) asking_.push_back(i);
    return asking_;
  }
  const std::vector<std::size_t>& asking() const { return asking_; }

 private:
  std::vector<std::unique_ptr<Mcts<S>>> searches_;
  std::vector<std::size_t> asking_;
};

}  // namespace ludus
