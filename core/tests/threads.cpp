// Everything in the core that runs on several threads, in a program without Python, for the thread sanitizer
// (`make threads`). A failed assert or a race ends it with an error.
#undef NDEBUG
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "games/connect_four.h"
#include "games/hex.h"
#include "games/hex_estimate.h"
#include "games/othello.h"
#include "games/tic_tac_toe.h"
#include "school/exercise_threads.h"
#include "school/guide.h"
#include "school/school.h"
#include "search/mcts/mcts.h"
#include "search/minimax.h"
#include "solve/connect_four.h"
#include "solve/exact.h"
#include "solve/hex.h"
#include "solve/othello.h"
#include "solve/together.h"

namespace ludus {
namespace {

constexpr int threads = 4;

void say(const char* what) {
  std::printf("%s\n", what);
  std::fflush(stdout);
}

// A network with one layer and weights of its own, good enough to be asked.
template <State S>
std::shared_ptr<const Judge> make_judge(const S& state, int actions, Rng& rng) {
  const std::array<int, 3> shape = state.plane_shape();
  const std::size_t inputs = static_cast<std::size_t>(shape[0]) * shape[1] * shape[2];
  const auto matrix = [&](std::size_t inner, std::size_t width) {
    std::vector<float> weights(inner * width), bias(width);
    for (float& weight : weights) weight = static_cast<float>(rng.uniform() - 0.5);
    return Matrix(weights, bias);
  };
  Perceptron network{
      {matrix(inputs, 8)}, matrix(8, static_cast<std::size_t>(actions)), matrix(8, 1), Activation::relu, false};
  return std::make_shared<const Judge>(Network{std::move(network)}, Turn{});
}

// Another thread ends a search.
template <class Work>
void stopped_after(int milliseconds, const Work& work) {
  std::atomic<bool> stop = false;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    stop = true;
  });
  Limit limit;
  limit.stop = &stop;
  work(limit);
  other.join();
}

template <State S>
void search_on_threads(const S& start, const MctsOptions& options) {
  Mcts<S> search(start, options, Rng(1));
  search.begin(3000, {});
  search.go_parallel(threads);
  assert(search.simulations() >= 3000 || search.tree().proven(0) != unproven);
  search.advance(start.actions()[0]);
  stopped_after(30, [&](const Limit& limit) {
    search.begin(std::int64_t{1} << 40, limit);
    search.go_parallel(threads);
  });
}

template <State S>
void search_with_network(const S& start, int actions) {
  Rng rng(2);
  const std::shared_ptr<const Judge> judge = make_judge(start, actions, rng);
  MctsOptions options{.rule = Puct{}, .priors = true, .sigma = 0.3, .noise = Noise{}};
  Mcts<S> search(start, options, rng.split());
  search.begin(1500, {});
  search.go_answered(threads, 4, [&] { return guide<S>(judge); });
  assert(search.simulations() >= 1500);
  stopped_after(30, [&](const Limit& limit) {
    search.begin(std::int64_t{1} << 40, limit);
    search.go_answered(threads, 4, [&] { return guide<S>(judge); });
  });
}

// Several solvers on one question find what one finds alone.
template <class Solver, State S>
void solve_together(const S& state) {
  SolversTogether<Solver> together(threads, std::size_t{1} << 20);
  const auto ask = [&](Solver& solver, const Limit& limit) { return solver.value(state, limit); };
  const std::optional<int> found = together.ask(ask, {});
  assert(found && found == Solver(std::size_t{1} << 20).value(state, {}));
}

// Solvers with one table, each on a thread with questions of its own.
template <class Solver, State S>
void share_a_table(const S& start) {
  Solver first(std::size_t{1} << 20);
  first.table()->share();
  const auto work = [&](Solver& solver, Rng rng) {
    for (int game = 0; game < 3; ++game) {
      S state = start;
      for (int ply = 0; ply < 8 && !state.over(); ++ply) state.play(random_action(state, rng));
      const std::optional<int> found = solver.value(state, Limit::seconds(30));
      assert(found && -1 <= *found && *found <= 1);
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i)
    others.emplace_back([&, i] {
      Solver solver(first.table());
      work(solver, Rng(static_cast<Word>(i)));
    });
  work(first, Rng(0));
  for (std::thread& other : others) other.join();
}

// Self-play with teachers, whose orders change while it runs.
template <class Solver, State S>
void play_alone(const S& start, int actions) {
  Rng rng(3);
  const std::shared_ptr<const Judge> judge = make_judge(start, actions, rng);
  const MctsOptions options{.rule = Puct{}, .priors = true, .sigma = 0, .solver = true, .noise = Noise{}};
  Playing playing;
  playing.simulations = 12, playing.openings = 0.5, playing.opening_plies = 3;
  std::vector<typename School<S>::Player> players;
  for (int i = 0; i < 2; ++i)
    players.push_back(std::make_unique<SelfPlay<S>>(std::vector<S>{start}, playing, options, actions, rng.split()));
  auto table = std::make_shared<typename Solver::Table>(std::size_t{1} << 12);
  table->share();
  std::vector<typename School<S>::Teach> teachers;
  for (int i = 0; i < 2; ++i)
    teachers.push_back(
        [solver = std::make_shared<Solver>(table), start](Finished& game, const std::atomic<bool>& stop) {
          teach(game, start, *solver, 0.002, &stop);
        });
  School<S> school(std::move(players), std::move(teachers), {judge, options, 12, 6}, 4);
  int games = 0;
  for (int turn = 0; turn < 400 && games < 12; ++turn) {
    if (const std::optional<Finished> game = school.take(0.5)) ++games, assert(!game->actions.empty());
    if (turn % 4 == 1) school.use({make_judge(start, actions, rng), options, 8 + turn % 5, 8});
    assert(school.hours().all >= 0);
  }
  assert(games >= 12);
  school.stop();
}

template <class Solver, State S>
void make_exercises(const S& start, int actions) {
  Rng rng(4);
  const std::shared_ptr<const Judge> judge = make_judge(start, actions, rng);
  const auto plan = std::make_shared<const Exercising<S>>(Exercising<S>{{start}, actions, 0.01, {}});
  auto table = std::make_shared<typename Solver::Table>(std::size_t{1} << 12);
  table->share();
  using Threads = ExerciseThreads<S, Solver>;
  std::vector<std::unique_ptr<typename Threads::Maker>> makers;
  for (int i = 0; i < threads; ++i)
    makers.push_back(std::make_unique<typename Threads::Maker>(plan, std::make_unique<Solver>(table), rng.split()));
  Threads exercises(std::move(makers), judge, 40);
  std::size_t made = 0;
  for (int turn = 0; turn < 200 && made < 60; ++turn) {
    made += exercises.take(16, 0.5).size();
    if (turn % 4 == 1) exercises.use(make_judge(start, actions, rng));
    assert(exercises.counts().made >= 0);
  }
  assert(made >= 60);
  exercises.stop();
}

// A recursion on a thread with a small stack stops in time.
void search_on_a_small_stack() {
  struct Endless {
    Player player() const { return 0; }
    bool over() const { return false; }
    float score(Player) const { return 0; }
    ActionRange actions() const { return {0, 1}; }
    void play(Action) {}
    bool operator==(const Endless&) const = default;
    Word key() const { return 0; }
  };
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, std::size_t{256} << 10);
  pthread_t thread;
  const auto run = [](void*) -> void* {
    const Guess<Endless> even = [](const Endless&) { return 0.0; };
    const Found found = Minimax<Endless>({even}, {}).search({}, no_depth_limit);
    assert(found.too_deep && found.nodes > 100);
    return nullptr;
  };
  const int made = pthread_create(&thread, &small, run, nullptr);
  assert(made == 0);
  pthread_join(thread, nullptr);
}

void run_all() {
  const Hex<1> hex(4, false, 0);
  const ConnectFour<Word> connect_four(5, 4, 4);
  say("tree search: playouts");
  search_on_threads(hex, {.solver = true});
  search_on_threads(hex, {.rule = Rave{}, .memory = std::size_t{1} << 18});
  search_on_threads(ConnectFour<Word>(7, 6, 4), {.rule = Puct{}});
  say("tree search: a network");
  search_with_network(hex, 16);
  say("solvers: one question");
  solve_together<HexSolver<1>>(hex);
  solve_together<ConnectFourSolver<Word>>(connect_four);
  say("solvers: one table");
  share_a_table<HexSolver<1>>(Hex<1>(5, false, 0));
  share_a_table<ConnectFourSolver<Word>>(connect_four);
  share_a_table<OthelloSolver<1>>(Othello<1>(4, true));
  share_a_table<ExactSolver<TicTacToe<1>>>(TicTacToe<1>(3, 3, 3));
  say("self-play and teachers");
  play_alone<HexSolver<1>>(hex, 16);
  say("exercises");
  make_exercises<HexSolver<1>>(hex, 16);
  make_exercises<ExactSolver<TicTacToe<1>>>(TicTacToe<1>(3, 3, 3), 9);
  say("a small stack");
  search_on_a_small_stack();
}

// What the sanitizer must complain of.
void race() {
  int count = 0;
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) ++count;
  };
  std::thread other(work);
  work();
  other.join();
  std::printf("%d\n", count);
}

}  // namespace
}  // namespace ludus

// Without an argument everything that must be in order; `race`: a mistake, to see that it is noticed.
int main(int count, char** arguments) {
  if (count > 1 && std::string(arguments[1]) == "race") {
    ludus::race();
    return 0;
  }
  ludus::run_all();
  std::printf("all threads are in order\n");
}
