// Phase one, select: from the root down to a leaf, by the tree policy.
#pragma once

#include <bit>
#include <limits>
#include <variant>

#include "base/random.h"
#include "search/mcts/field.h"
#include "search/mcts/tree.h"

namespace ludus {

// Up to eight brothers, as a rule sees them; lanes beyond the last one hold numbers that mean nothing.
struct Brothers {
  const Columns& columns;
  std::size_t at;  // their place in the columns
  int first;       // how many brothers come before these

  Eight visits() const { return eight(columns.visits + at); }
  Eight roots() const { return root_of(columns.visits + at); }  // of the visits
  Eight share() const {                                         // of wins, a draw counting half; needs a visit
    return (eight(columns.total + at) / visits() + 1) / 2;
  }
  Eight prior() const { return eight(columns.prior.get() + at); }
  Eight amaf_visits() const { return eight(columns.amaf_visits.get() + at); }
  Eight amaf_share() const {  // 1 for what was never played; in single precision, as it is stored
    const Lanes<std::int32_t> visits = load(columns.amaf_visits.get() + at);
    const Lanes<float> n = __builtin_convertvector(visits, Lanes<float>);
    const Lanes<float> share = (load(columns.amaf_total.get() + at) / n + 1) / 2;
    return __builtin_convertvector(visits > 0 ? share : Lanes<float>{} + 1, Eight);
  }
};

// ------------------------------------------------------------------------------------------------ the tree policies
//
// A rule scores the children of a node; the largest score is followed, the first of equals. To add one, write a struct
// with `name`, `fields()` (which Python may set), `tries_all_first` (is every action tried once before any is
// compared?) and scorer(tree, parent): a function that scores eight brothers. Then add it to Rule below. What else a
// rule wants it says with these members, all of them optional:
//     wants_prior = true     its nodes have priors
//     wants_amaf = true      its nodes have AMAF sums
//     wants_gumbel = true    the children of the root have Gumbel noise
//     bool hints             new nodes begin with the game's own bets on the actions
//     double epsilon         with this probability any child is followed

template <class R>
constexpr bool wants_prior = requires { requires R::wants_prior; };
template <class R>
constexpr bool wants_amaf = requires { requires R::wants_amaf; };
template <class R>
constexpr bool wants_gumbel = requires { requires R::wants_gumbel; };
template <class R>
bool takes_hints(const R& rule) {
  if constexpr (requires { rule.hints; })
    return rule.hints;
  else
    return false;
}

// UCT (Kocsis and Szepesvári 2006): share of wins + c·sqrt(ln N / n). With two_ln, 2·ln N, as UCB1 has it.
struct Uct {
  static constexpr const char* name = "Uct";
  static constexpr bool tries_all_first = true;
  double c = 1.4142135623730951;
  bool two_ln = false;
  static constexpr auto fields() { return std::tuple{Field{"c", &Uct::c}, Field{"two_ln", &Uct::two_ln}}; }

  auto scorer(const Tree& tree, NodeIndex parent) const {
    const double log_visits = log_of(tree.visits(parent));
    const double explore = c * std::sqrt(two_ln ? 2 * log_visits : log_visits);
    return [explore](const Brothers& b) { return b.share() + explore / b.roots(); };
  }
};

// The best so far, but any child with probability epsilon.
struct EpsilonGreedy {
  static constexpr const char* name = "EpsilonGreedy";
  static constexpr bool tries_all_first = true;
  double epsilon = 0.1;
  static constexpr auto fields() { return std::tuple{Field{"epsilon", &EpsilonGreedy::epsilon}}; }

  auto scorer(const Tree&, NodeIndex) const {
    return [](const Brothers& b) { return b.share(); };
  }
};

// PUCT (Silver et al. 2017): share + c·prior·sqrt(N) / (1 + n). What was not visited counts as its parent does. With
// `forced`, a child of the root that was visited at all gets at least sqrt(forced·prior·N) visits (Wu 2019).
struct Puct {
  static constexpr const char* name = "Puct";
  static constexpr bool tries_all_first = false, wants_prior = true;
  double c = 1;
  double forced = 0;
  static constexpr auto fields() { return std::tuple{Field{"c", &Puct::c}, Field{"forced", &Puct::forced}}; }

  auto scorer(const Tree& tree, NodeIndex parent) const {
    const Player mover = tree.chooser(tree.family(parent).child(0));
    const double mean = tree.mean(parent), visits = tree.visits(parent);
    const double unvisited = ((tree.chooser(parent) == mover ? mean : -mean) + 1) / 2;
    const double root = std::sqrt(visits), least = parent == 0 ? forced * visits : 0;
    return [c = c, unvisited, root, least](const Brothers& b) {
      const Eight n = b.visits(), prior = b.prior();
      const Eight share = n > 0 ? b.share() : all(unvisited);
      const Eight score = share + c * prior * root / (1 + n);
      return (n > 0) & (n * n < least * prior) ? all(1e9) : score;
    };
  }
};

// Whose turn it is in a sequential halving of `simulations` among `candidates`: the visits that a child has when it is
// visited at this `step`. Each round gives the better half of the round before the same number of visits.
inline int halving_turn(int candidates, int simulations, int step) {
  const int rounds = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(candidates - 1))));
  int visits = 0;
  for (int left = candidates;; left = std::max(2, left / 2)) {
    const int each = std::max(1, simulations / (rounds * left));
    if (step < each * left) return visits + step / left;
    step -= each * left;
    visits += each;
  }
}

// Gumbel root choice (Danihelka et al. 2022): the children of the root that lead by log prior + Gumbel noise share the
// simulations by sequential halving, ranked by log prior + noise + worth. Below the root it is PUCT.
struct Gumbel {
  static constexpr const char* name = "Gumbel";
  static constexpr bool tries_all_first = false, wants_prior = true, wants_gumbel = true;
  static constexpr int candidates = 16;
  static constexpr double scale = 0.1, base = 50;  // how much a share of wins weighs beside a log prior
  int simulations = 32;
  double c = 1;
  static constexpr auto fields() {
    return std::tuple{Field{"simulations", &Gumbel::simulations}, Field{"c", &Gumbel::c}};
  }

  auto scorer(const Tree& tree, NodeIndex parent) const {
    const auto below = Puct{c}.scorer(tree, parent);
    const double* const noise = parent == 0 && !tree.gumbel.empty() ? tree.gumbel.data() : nullptr;
    int turn = 0;
    double weight = 0;
    if (noise != nullptr) {
      const Family family = tree.family(parent);
      std::int32_t most = 0;
      for (int k = 0; k < family.children(); ++k) most = std::max(most, tree.visits(family.child(k)));
      turn = halving_turn(std::min(candidates, family.children()), simulations, tree.visits(parent) - 1);
      weight = scale * (base + most);
    }
    return [below, noise, turn, weight](const Brothers& b) {
      if (noise == nullptr) return below(b);
      const Eight n = b.visits(), prior = b.prior();
      Eight log_prior{};
      for (int lane = 0; lane < lanes; ++lane) log_prior[lane] = std::log(prior[lane] + 1e-12);
      const Eight worth = n > 0 ? weight * b.share() : Eight{};
      return (n == turn ? all(1e6) : Eight{}) + log_prior + load(noise + b.first) + worth;
    };
  }
};

// RAVE (Gelly and Silver 2011): the share, mixed with how games went in which the action came at any time. How much
// that counts falls with the visits of the parent. With `hints`, nodes begin with the game's own bets on the actions,
// and it falls with the visits of the child (equation 17 of the paper).
struct Rave {
  static constexpr const char* name = "Rave";
  static constexpr bool tries_all_first = false, wants_amaf = true;
  double c = 0.1;
  double k = 1000;  // visits at which both weigh the same
  bool hints = false;
  static constexpr auto fields() {
    return std::tuple{Field{"c", &Rave::c}, Field{"k", &Rave::k}, Field{"hints", &Rave::hints}};
  }

  auto scorer(const Tree& tree, NodeIndex parent) const {
    const double visits = tree.visits(parent);
    const double even = std::sqrt(k / (3.0 * visits + k));
    const double log_visits = std::log(visits + 1);
    return [rule = *this, even, log_visits](const Brothers& b) {
      const Eight n = b.visits(), amaf = b.amaf_share();
      const Eight beta = rule.hints ? rule.child_beta(n, b.amaf_visits()) : all(even);
      const Eight share = n > 0 ? (1 - beta) * b.share() + beta * amaf : amaf;
      return rule.c > 0 ? share + rule.c * square_root(log_visits / (n + 1)) : share;
    };
  }
  Eight child_beta(Eight n, Eight amaf) const { return amaf / (amaf + n + amaf * n / k); }
};

using Rule = std::variant<Uct, EpsilonGreedy, Puct, Gumbel, Rave>;

// ---------------------------------------------------------------------------------------------------- the phase

// Keeps the best of many scores, eight at a time: the first of equals.
class Best {
 public:
  void look(Eight scores, EightTruths counts, int first) {
    const EightTruths better = counts & (scores > highest_);
    highest_ = better ? scores : highest_;
    where_ = better ? EightTruths{} + first + lane_numbers : where_;
  }
  int place() const {  // 0 if nothing counted
    double highest = -std::numeric_limits<double>::infinity();
    std::int64_t best = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      if (highest_[lane] < highest || (highest_[lane] == highest && where_[lane] >= best)) continue;
      highest = highest_[lane];
      best = where_[lane];
    }
    return static_cast<int>(best);
  }
  static constexpr EightTruths lane_numbers{0, 1, 2, 3, 4, 5, 6, 7};

 private:
  Eight highest_ = all(-std::numeric_limits<double>::infinity());
  EightTruths where_{};
};

// The child to follow from a node whose children are all in play. Proven losses are passed over while
// anything else is left.
template <class R>
NodeIndex best_child(const Tree& tree, NodeIndex parent, const R& rule, Rng& rng) {
  const Family family = tree.family(parent);
  const int count = family.tried();
  assert(count > 0);
  if constexpr (requires { rule.epsilon; })
    if (rng.uniform() < rule.epsilon) return family.child(rng.below(count));
  const auto score = rule.scorer(tree, parent);
  Best best;
  for (int first = 0; first < count; first += lanes) {
    const NodeIndex run = family.run(first / lanes);
    const Brothers brothers{tree.columns(run), Tree::place(run), first};
    const auto proven = __builtin_convertvector(load(brothers.columns.proven + brothers.at), EightTruths);
    best.look(score(brothers), (Best::lane_numbers < count - first) & (proven != -1), first);
  }
  return family.child(best.place());
}

// Is this where a simulation leaves the tree? At the end of the game, at a proven node, and where there is
// something new to try.
template <class R>
bool is_leaf(const Tree& tree, NodeIndex node) {
  if (tree.proven(node) != unproven || !tree.grown(node)) return true;
  const Family family = tree.family(node);
  return family.tried() < (R::tries_all_first ? family.children() : 1);
}

// Plays down the tree to a leaf. `state` goes along and ends as the state of the leaf. The way ends early at a
// state that `known` says is known.
template <State S, class R, class Known>
void select(const Tree& tree, S& state, const R& rule, Rng& rng, Path& path, Known known) {
  path.assign(1, 0);
  while (!is_leaf<R>(tree, path.back())) {
    const NodeIndex next = best_child(tree, path.back(), rule, rng);
    assert(state.player() == tree.chooser(next));
    state.play(tree.action(next));
    path.push_back(next);
    if (known(state)) return;
  }
}
template <State S, class R>
void select(const Tree& tree, S& state, const R& rule, Rng& rng, Path& path) {
  select(tree, state, rule, rng, path, [](const S&) { return false; });
}

}  // namespace ludus
