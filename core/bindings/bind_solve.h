// bind_solve<S>: the exact solver of one state type. Python sees one class, Solver, whatever the game.
#pragma once

#include "bindings/bind_search.h"
#include "solve/exact.h"
#include "solve/together.h"

namespace ludus {

// Exact values by alpha-beta to the end of the game, for states that ExactSolver cannot take.
template <State S>
class SearchSolver {
 public:
  explicit SearchSolver(std::size_t) {}
  std::optional<int> value(const S& state, const Limit& limit) {
    const Guess<S> unused = [](const S&) { return 0.0; };  // no depth limit, so every line reaches an end
    std::shared_ptr<Transpositions<S>> table;
    if (can_be_cached(state)) table = std::make_shared<Transpositions<S>>();
    const Found found = AlphaBeta<S>(Evaluation<S>{unused}, limit, table, false).search(state, no_depth_limit);
    nodes_ += found.nodes;
    if (found.stopped || !found.complete) return std::nullopt;
    return static_cast<int>(found.value);
  }
  std::int64_t nodes() const { return nodes_; }

 private:
  std::int64_t nodes_ = 0;
};

// Which solver proves states of type S. The file that binds a game may give a better one.
template <State S>
struct SolverFor {
  using Type = SearchSolver<S>;
  static bool can(const S&) { return true; }  // is the game small enough to try at all?
};
template <State S>
  requires HasKey<S>
struct SolverFor<S> {
  using Type = ExactSolver<S>;
  static bool can(const S&) { return true; }
};

// Solvers for as many threads, which share one table where their kind has one.
template <State S>
std::vector<std::unique_ptr<typename SolverFor<S>::Type>> solvers_of(int threads, std::size_t table_bytes) {
  using Solver = typename SolverFor<S>::Type;
  std::vector<std::unique_ptr<Solver>> solvers;
  for (int i = 0; i < threads; ++i) {
    if constexpr (requires(Solver& first) { Solver(first.table()); }) {
      if (i == 1) solvers[0]->table()->share();
      solvers.push_back(i == 0 ? std::make_unique<Solver>(table_bytes) : std::make_unique<Solver>(solvers[0]->table()));
    } else {
      solvers.push_back(std::make_unique<Solver>(table_bytes));
    }
  }
  return solvers;
}

// A solver as Python sees it. `Number` is nothing where a proof was not found in time.
class AnySolver {
 public:
  using Number = std::optional<int>;
  virtual ~AnySolver() = default;
  virtual Number value(nb::handle state, double seconds) = 0;   // +1, 0 or -1 for the player to move
  virtual Number margin(nb::handle state, double seconds) = 0;  // the lead of the player to move at the end
  // The actions that the winner needs, all others being the loser's.
  virtual std::optional<std::vector<Action>> needs(nb::handle state, double seconds) = 0;
  virtual Number plies(nb::handle state, double seconds) = 0;  // how many more perfect play lasts
  virtual bool can(nb::handle state) const = 0;
  virtual std::int64_t nodes() const = 0;
};

template <State S>
class SolverOf : public AnySolver {
 public:
  SolverOf(std::size_t table_bytes, int threads) : table_bytes_(table_bytes), threads_(threads) {}

  Number value(nb::handle state, double seconds) override {
    const S start = from(state);
    const InUse mine(busy_);
    if (!SolverFor<S>::can(start)) return std::nullopt;
    const Number found = answer(seconds, [&](Type& s, const Limit& limit) { return s.value(start, limit); });
    return found;
  }
  Number margin(nb::handle state, double seconds) override {
    const S start = from(state);
    const InUse mine(busy_);
    if constexpr (requires(Type& s) { s.margin(start, Limit{}); }) {
      const Number found = answer(seconds, [&](Type& s, const Limit& limit) { return s.margin(start, limit); });
      return found;
    } else {
      raise("BadOption", "only Othello and Go have a margin to solve for");
    }
  }
  std::optional<std::vector<Action>> needs(nb::handle state, double seconds) override {
    const S start = from(state);
    const InUse mine(busy_);
    std::optional<std::vector<Action>> actions;
    if constexpr (requires(Type& s) { s.needs(start, Limit{}); }) {
      const auto found = answer(seconds, [&](Type& s, const Limit& limit) { return s.needs(start, limit); });
      if (found) {
        actions.emplace();
        for (const int cell : *found) actions->push_back(cell);
      }
    }
    return actions;
  }
  Number plies(nb::handle state, double seconds) override {
    const S start = from(state);
    const InUse mine(busy_);
    if constexpr (requires(Type& s) { s.plies(start, Limit{}); }) {
      const Number found = answer(seconds, [&](Type& s, const Limit& limit) { return s.plies(start, limit); });
      return found;
    } else {
      return std::nullopt;
    }
  }
  bool can(nb::handle state) const override { return SolverFor<S>::can(from(state)); }
  std::int64_t nodes() const override { return solvers_ ? solvers_->nodes() : 0; }

 private:
  using Type = typename SolverFor<S>::Type;
  static S from(nb::handle state) {
    std::remove_cvref_t<typename Convert<S>::Type>* found = nullptr;
    if constexpr (std::is_same_v<S, PythonState>) {
      return PythonState{nb::borrow(state)};
    } else {
      if (!nb::try_cast(state, found)) raise("BadOption", "this solver is for states of another game");
      return found->state;
    }
  }
  // What the solvers answer, whose table may be large: they are made for the first question.
  template <class Ask>
  auto answer(double seconds, const Ask& ask) {
    if (!solvers_) solvers_ = std::make_unique<SolversTogether<Type>>(threads_, table_bytes_);
    const auto found = without_python<S>([&] { return solvers_->ask(ask, limit_of(seconds)); });
    raise_if_interrupted();
    return found;
  }

  std::size_t table_bytes_;
  int threads_;
  std::unique_ptr<SolversTogether<Type>> solvers_;
  Busy busy_;
};

template <State S>
void bind_solve(nb::module_& m) {
  m.def(
      "solver",
      [](typename Convert<S>::Type, std::size_t table_bytes, int threads) -> AnySolver* {
        return new SolverOf<S>(table_bytes, threads);
      },
      nb::arg("example"), nb::arg("table_bytes"), nb::arg("threads"));
}

void bind_solver(nb::module_& m);

}  // namespace ludus
