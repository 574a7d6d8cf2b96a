// One simulation on its way, and the four phases as a search applies them to it.
#pragma once

#include <new>
#include <optional>

#include "search/mcts/amaf.h"
#include "search/mcts/backup.h"
#include "search/mcts/expand.h"
#include "search/mcts/options.h"
#include "search/mcts/proofs.h"

namespace ludus {

// What all simulations of a search share.
template <State S>
struct Search {
  MctsOptions options;
  S root;
  Tree tree{root.player(), options.columns()};
  Proofs<S> proofs = {};

  bool proven() const { return options.solver && tree.proven(0) != unproven; }
  // Gives a node children by `grow`. False where the memory is used up; only the root always gets its children.
  template <class Grow>
  bool grow_at(NodeIndex node, const Grow& grow) {
    if (node != 0 && tree.bytes() >= options.memory) return false;
    try {
      grow();
    } catch (const std::bad_alloc&) {
      if (node == 0) throw;
      options.memory = tree.bytes();
      return false;
    }
    return true;
  }
  void add_root_noise(Rng& rng) {
    if (options.gumbel()) draw_gumbel(tree, rng);
    if (options.noise) add_noise(tree, 0, *options.noise, rng);
  }
};

template <State S>
struct Simulation {
  explicit Simulation(const Search<S>& search)
      : state(search.root), stamps(IsFirstCome<S> && search.options.hints()), amaf(search.options.amaf()) {}

  S state;
  Path path = {};
  Played played = {};
  Stamps stamps;
  bool amaf;

  NodeIndex leaf() const { return path.back(); }

  // Phase one.
  void select(const Search<S>& search, Rng& rng) {
    state = search.root;
    played.clear();
    const auto known = [&](const S& s) { return search.options.solver && search.proofs.has(s); };
    std::visit([&](const auto& rule) { ludus::select(search.tree, state, rule, rng, path, known); },
               search.options.rule);
  }

  // Phase two, for one child. False where the tree cannot grow: then the simulation goes on from the leaf itself.
  bool expand_one(Search<S>& search, Rng& rng) {
    NodeIndex child = 0;
    if (!search.grow_at(leaf(), [&] { child = expand(search.tree, leaf(), state, rng); })) return false;
    path.push_back(child);
    state.play(search.tree.action(child));
    return true;
  }
  // Phase two, for all children at once, with even priors. A leaf gets them on its second visit: most leaves never
  // see one. The simulation goes on from the leaf itself.
  void expand_leaf(Search<S>& search) const {
    if (search.tree.grown(leaf()) || (leaf() != 0 && search.tree.visits(leaf()) == 0)) return;
    expand_with(search, {});
  }
  // The same with a policy, for a leaf on its first visit.
  void expand_with(Search<S>& search, std::span<const float> policy) const {
    search.grow_at(leaf(), [&] { expand_all(search.tree, leaf(), state, policy, search.options.hints()); });
  }

  // The true score of the leaf (player 0's), if the game is over or it is proven: then it needs no playout.
  std::optional<double> known(Search<S>& search) const {
    const int proven = search.tree.proven(leaf());
    if (proven != unproven) return search.tree.chooser(leaf()) == 0 ? proven : -proven;
    const bool over = state.over();
    if (!over && (!search.options.solver || path.size() == 1)) return {};
    const double score = over ? static_cast<double>(state.score(0)) : search.proofs.find(state);
    if (!over && score == unproven) return {};
    if (search.options.solver && (score == 1 || score == 0 || score == -1))
      search.proofs.prove_leaf(search.tree, search.root, path, static_cast<int>(score));
    return score;
  }

  // Phase three: a playout to the end of the game. AMAF needs its actions, unless the last state still shows them.
  float play_out(const Search<S>& search, Rng& rng, const Limit& limit) {
    return simulate(state, search.options.playout, rng, amaf && !HasHolds<S> ? &played : nullptr, limit);
  }

  // Phase four.
  void back_up(Search<S>& search, double score, bool virtual_loss = false) {
    if (virtual_loss)
      replace_virtual_loss(search.tree, path, score);
    else
      backup(search.tree, path, score);
    if (amaf) backup_amaf(search.tree, path, state, played, score, stamps);
  }
};

}  // namespace ludus
