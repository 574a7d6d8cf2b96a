// Phase one, select: from the root down to a leaf, by the tree policy.
#pragma once

#include <bit>
#include <limits>
#include <variant>

#include "base/random.h"
#include "search/mcts/field.h"
#include "search/mcts/tree.h"

namespace ludus {

// As many siblings as are scored at once, if there are more than four.
#if defined(__AVX__) && !defined(__AVX512F__)
constexpr int usual_lanes = 4;  // eight doubles would be two registers, whose halves compilers move through memory
#else
constexpr int usual_lanes = 8;
#endif

// Four or eight siblings, as a rule sees them; lanes beyond the last one hold numbers that mean nothing.
template <int N>
struct Siblings {
  static constexpr int lanes = N;
  Run run;
  MoreColumns more;
  int first;  // how many siblings come before these
  int count;  // how many lanes are siblings; there may be more than lanes

  // Where the first of them stands in its run: 0 or 4.
  [[gnu::always_inline]] int at() const { return N == most_lanes ? 0 : first % most_lanes; }
  [[gnu::always_inline]] Doubles<N> visits() const { return doubles<N>(run.visits() + at()); }
  [[gnu::always_inline]] Doubles<N> roots() const { return doubles<N>(run.root() + at()); }  // of the visits
  // Share of wins, a draw counting half; needs a visit. Behind the totals come whole numbers; read as doubles they
  // would be tiny ones, which processors divide slowly, so they are left out.
  [[gnu::always_inline]] Doubles<N> share() const {
    return (first_doubles<N>(run.total() + at(), std::min(count, N)) / visits() + 1) / 2;
  }
  [[gnu::always_inline]] Doubles<N> prior() const { return doubles<N>(run.prior() + at()); }
  [[gnu::always_inline]] Doubles<N> amaf_visits() const { return doubles<N>(run.amaf_visits(more) + at()); }
  [[gnu::always_inline]] Doubles<N> amaf_share() const {  // 1 for what was never played; in single precision, as stored
    const Lanes<std::int32_t, N> visits = load<N>(run.amaf_visits(more) + at());
    const Lanes<float, N> n = __builtin_convertvector(visits, Lanes<float, N>);
    const Lanes<float, N> share = (load<N>(run.amaf_total(more) + at()) / n + 1) / 2;
    return __builtin_convertvector(visits > 0 ? share : Lanes<float, N>{} + 1, Doubles<N>);
  }
  [[gnu::always_inline]] Doubles<N> all(double number) const { return ludus::all<N>(number); }
};

// ------------------------------------------------------------------------------------------------ the tree policies
//
// A rule scores the children of a node; the largest score is followed, the first of equals. To add one, write a struct
// with `name`, `fields()` (which Python may set), `tries_all_first` (is every action tried once before any is
// compared?) and scorer(tree, parent, visits of the parent): a function that scores siblings. Then add it to Rule
// below. What else a rule wants it says with these members, all of them optional:
//     wants_root = true      its nodes have the square roots of their visits
//     wants_prior = true     its nodes have priors
//     wants_amaf = true      its nodes have AMAF sums
//     wants_gumbel = true    the children of the root have Gumbel noise
//     bool hints             new nodes begin with the game's own hints for the actions
//     double epsilon         with this probability any child is followed

template <class R>
constexpr bool wants_root = requires { requires R::wants_root; };
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
  static constexpr bool tries_all_first = true, wants_root = true;
  double c = 1.4142135623730951;
  bool two_ln = false;
  static constexpr auto fields() { return std::tuple{Field{"c", &Uct::c}, Field{"two_ln", &Uct::two_ln}}; }

  auto scorer(const Tree&, NodeIndex, std::int32_t visits) const {
    const double explore = c * (two_ln ? std::sqrt(2 * std::log(visits)) : root_of_log(visits));
    return [explore](const auto& b) { return b.share() + explore / b.roots(); };
  }
};

// The child with the best share of wins; with probability epsilon a random one.
struct EpsilonGreedy {
  static constexpr const char* name = "EpsilonGreedy";
  static constexpr bool tries_all_first = true;
  double epsilon = 0.1;
  static constexpr auto fields() { return std::tuple{Field{"epsilon", &EpsilonGreedy::epsilon}}; }

  auto scorer(const Tree&, NodeIndex, std::int32_t) const {
    return [](const auto& b) { return b.share(); };
  }
};

// PUCT (Silver et al. 2017): share + c·prior·sqrt(N) / (1 + n). An unvisited child has its parent's share of wins, less
// `reduction`. With `forced`, a child of the root that was visited at all gets at least sqrt(forced·prior·N) visits (Wu
// 2019).
struct Puct {
  static constexpr const char* name = "Puct";
  static constexpr bool tries_all_first = false, wants_prior = true;
  double c = 1;
  double forced = 0;
  double reduction = 0;
  static constexpr auto fields() {
    return std::tuple{Field{"c", &Puct::c}, Field{"forced", &Puct::forced}, Field{"reduction", &Puct::reduction}};
  }

  auto scorer(const Tree& tree, NodeIndex parent, std::int32_t visits) const {
    const Player mover = tree.chooser(tree.family(parent).child(0));
    const double mean = tree.mean(parent);
    const double unvisited = std::max(0.0, ((tree.chooser(parent) == mover ? mean : -mean) + 1) / 2 - reduction);
    const double root = std::sqrt(visits), least = parent == 0 ? forced * visits : 0;
    return [c = c, unvisited, root, least](const auto& b) {
      const auto n = b.visits(), prior = b.prior();
      const auto share = n > 0 ? b.share() : b.all(unvisited);
      const auto score = share + c * prior * root / (1 + n);
      return ((n > 0) & (n * n < least * prior)) ? b.all(1e9) : score;
    };
  }
};

// Which children are due in a sequential halving of `simulations` among `candidates`: the visits that a child has when
// it is visited at this `step`. Each round gives the better half of the round before the same number of visits.
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

  auto scorer(const Tree& tree, NodeIndex parent, std::int32_t visits) const {
    const auto below = Puct{c}.scorer(tree, parent, visits);
    const double* const noise = parent == 0 && !tree.gumbel.empty() ? tree.gumbel.data() : nullptr;
    int turn = 0;
    double weight = 0;
    if (noise != nullptr) {
      const Family family = tree.family(parent);
      std::int32_t most = 0;
      for (int k = 0; k < family.children(); ++k) most = std::max(most, tree.visits(family.child(k)));
      turn = halving_turn(std::min(candidates, family.children()), simulations, visits - 1);
      weight = scale * (base + most);
    }
    return [below, noise, turn, weight](const auto& b) {
      if (noise == nullptr) return below(b);
      const auto n = b.visits(), prior = b.prior();
      auto log_prior = prior;
      for (int lane = 0; lane < b.lanes; ++lane) log_prior[lane] = std::log(prior[lane] + 1e-12);
      const auto worth = n > 0 ? weight * b.share() : b.all(0);
      return (n == turn ? b.all(1e6) : b.all(0)) + log_prior +
             doubles<std::remove_cvref_t<decltype(b)>::lanes>(noise + b.first) + worth;
    };
  }
};

// RAVE (Gelly and Silver 2011): the share, mixed with how games went in which the action came at any time. How much
// that counts falls with the visits of the parent. With `hints`, nodes begin with the game's own hints for the actions,
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

  auto scorer(const Tree&, NodeIndex, std::int32_t visits) const {
    const double even = std::sqrt(k / (3.0 * visits + k));
    const double log_visits = std::log(visits + 1.0);
    return [rule = *this, even, log_visits](const auto& b) {
      const auto n = b.visits(), amaf = b.amaf_share();
      const auto beta = rule.hints ? rule.child_beta(n, b.amaf_visits()) : b.all(even);
      const auto share = n > 0 ? (1 - beta) * b.share() + beta * amaf : amaf;
      return rule.c > 0 ? share + rule.c * square_root(log_visits / (n + 1)) : share;
    };
  }
  template <class V>
  V child_beta(V n, V amaf) const {
    return amaf / (amaf + n + amaf * n / k);
  }
};

using Rule = std::variant<Uct, EpsilonGreedy, Puct, Gumbel, Rave>;

// ---------------------------------------------------------------------------------------------------- the phase

// The scores of siblings, but minus infinity where nobody may go: beyond the last one and at proven losses.
template <int N, class Score>
[[gnu::always_inline]] inline Doubles<N> scores_of(const Siblings<N>& siblings, const Score& score) {
  const std::int8_t* const proven = siblings.run.proven() + siblings.at();
  std::uint64_t proofs = 0;
  std::memcpy(&proofs, proven, N);
  const bool losses = (proofs & 0x8080808080808080u) != 0;  // only -1 has the sign bit
  constexpr double nowhere = -std::numeric_limits<double>::infinity();
  Doubles<N> scores = score(siblings);
  if (siblings.count < N) scores = first_lanes<N>(scores, siblings.count, nowhere);
  if (losses) [[unlikely]]
    for (int lane = 0; lane < std::min(siblings.count, N); ++lane)
      if (proven[lane] == -1) scores[lane] = nowhere;
  return scores;
}

// The first of the largest scores among up to N siblings.
template <int N, class Score>
[[gnu::always_inline]] inline int first_largest(const Siblings<N>& siblings, const Score& score) {
  const Doubles<N> scores = scores_of<N>(siblings, score);
  return std::countr_zero(equal_bits<N>(scores, all<N>(largest(scores)))) % N;  // % for scores that are no numbers
}

// The same among any number of siblings.
template <class Score>
[[gnu::always_inline]] inline int first_largest(const Tree& tree, const Family& family, int count, const Score& score) {
  constexpr int N = usual_lanes;
  Doubles<N> highest = scores_of<N>(Siblings<N>{family.first_run(), tree.more(), 0, count}, score);
  Truths<N> runs{};  // where the highest of a lane was found
  for (int first = N; first < count; first += N) {
    const Run run = first < most_lanes ? family.first_run() : tree.run_of(family.run(first / most_lanes));
    const Siblings<N> siblings{run, tree.more(), first, count - first};
    const Doubles<N> scores = scores_of<N>(siblings, score);
    const Truths<N> better = scores > highest;
    highest = better ? scores : highest;
    runs = better ? Truths<N>{} + first : runs;
  }
  int best = count;
  for (unsigned left = equal_bits<N>(highest, all<N>(largest(highest))); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    best = std::min(best, static_cast<int>(runs[lane]) + lane);
  }
  return best < count ? best : 0;  // 0 if the scores are no numbers
}

// The child to follow from a node whose children are all in play. Proven losses are passed over while
// anything else is left.
template <class R>
[[gnu::always_inline]] inline int best_child(const Tree& tree, NodeIndex parent, std::int32_t visits,
                                             const Family& family, const R& rule, Rng& rng) {
  const int count = family.tried();
  assert(count > 0);
  if constexpr (requires { rule.epsilon; })
    if (rng.uniform() < rule.epsilon) return rng.below(count);
  const auto score = rule.scorer(tree, parent, visits);
  if (count > usual_lanes) return first_largest(tree, family, count, score);
  if (count > 4) return first_largest(Siblings<usual_lanes>{family.first_run(), tree.more(), 0, count}, score);
  if (count > 1) return first_largest(Siblings<4>{family.first_run(), tree.more(), 0, count}, score);
  return 0;
}

// Plays down the tree to a leaf: to the end of the game, a proven node, or where there is something new to try.
// `state` goes along and ends as the state of the leaf. The way ends early at a state that `known` says is known.
template <State S, class R, class Known>
[[gnu::flatten]] void select(const Tree& tree, S& state, const R& rule, Rng& rng, Path& path, Known known) {
  path.assign(1, 0);
  NodeIndex node = 0;
  Run run = tree.run_of(node);
  for (std::size_t lane = 0; run.proven()[lane] == unproven;) {
    const Family family = tree.family_at(run.family()[lane]);
    if (!family || family.tried() < (R::tries_all_first ? family.children() : 1)) return;
    const int k = best_child(tree, node, run.visits()[lane], family, rule, rng);
    node = family.child(k);
    run = k < most_lanes ? family.first_run() : tree.run_of(node);
    lane = Tree::lane(node);
    assert(state.player() == run.chooser());
    state.play(run.action()[lane]);
    path.push_back(node);
    if (known(state)) return;
  }
}
template <State S, class R>
void select(const Tree& tree, S& state, const R& rule, Rng& rng, Path& path) {
  select(tree, state, rule, rng, path, [](const S&) { return false; });
}

}  // namespace ludus
