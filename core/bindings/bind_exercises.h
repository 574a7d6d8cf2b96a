// bind_exercises<S>: native threads that make exercises of one state type, and what all of the school shares.
#pragma once

#include <nanobind/stl/unordered_set.h>

#include "bindings/batch.h"
#include "bindings/bind_guided.h"
#include "bindings/bind_solve.h"
#include "school/exercise_threads.h"

namespace ludus {

constexpr std::size_t teacher_bytes = 64 << 20;  // of a teacher's table

template <State S>
using Starts = std::vector<std::remove_cvref_t<typename Convert<S>::Type>>;

template <State S>
std::vector<S> states_of(const Starts<S>& starts) {
  std::vector<S> states;
  for (const auto& start : starts) states.push_back(Convert<S>::from_python(start).state);
  require(!states.empty(), "self-play needs a state to begin from");
  return states;
}

// `count` rows of `width` numbers, each row written by `fill(k, row)`.
template <class Number, class Fill>
nb::ndarray<nb::numpy, Number, nb::ndim<2>> rows_of(std::size_t count, std::size_t width, const Fill& fill) {
  auto* data = new Number[std::max<std::size_t>(1, count * width)];
  const nb::capsule owner(data, [](void* d) noexcept { delete[] static_cast<Number*>(d); });
  for (std::size_t k = 0; k < count; ++k) fill(k, data + k * width);
  const std::size_t sizes[2] = {count, width};
  return nb::ndarray<nb::numpy, Number, nb::ndim<2>>(data, 2, sizes, owner);
}

// Planes, policies and legal actions, a row for each exercise; the players to move, and the scores for them.
inline auto columns_of(const std::vector<Exercise>& all) {
  const std::size_t planes = all.empty() ? 0 : all[0].planes.size(), actions = all.empty() ? 0 : all[0].policy.size();
  const auto copy = [](const auto& from, auto* to) { std::copy(from.begin(), from.end(), to); };
  std::vector<Player> players;
  std::vector<float> scores;
  for (const Exercise& one : all) players.push_back(one.player), scores.push_back(one.score);
  return std::tuple(rows_of<float>(all.size(), planes, [&](std::size_t k, float* to) { copy(all[k].planes, to); }),
                    rows_of<float>(all.size(), actions, [&](std::size_t k, float* to) { copy(all[k].policy, to); }),
                    rows_of<bool>(all.size(), actions, [&](std::size_t k, bool* to) { copy(all[k].legal, to); }),
                    players, scores);
}

template <State S>
void bind_exercises(nb::module_& m, const std::string& name) {
  using Solver = typename SolverFor<S>::Type;
  using T = ExerciseThreads<S, Solver>;
  nb::class_<T>(m, (name + "Exercises").c_str(), "Native threads that make exercises.")
      .def(
          "use",
          [](T& threads, const JudgeHandle& judge) {
            const nb::gil_scoped_release release;
            threads.use(judge.judge);
          },
          nb::arg("judge"))
      .def(
          "take",
          [](T& threads, std::size_t count, double seconds) {
            std::vector<Exercise> taken;
            {
              const nb::gil_scoped_release release;
              taken = threads.take(count, seconds);
            }
            return columns_of(taken);
          },
          nb::arg("count"), nb::arg("seconds"))
      .def("stop",
           [](T& threads) {
             const nb::gil_scoped_release release;
             threads.stop();
           })
      .def_prop_ro("counts", [](T& threads) {
        const ExerciseCounts counts = threads.counts();
        return std::tuple(counts.made, counts.tried, counts.first_ply);
      });
  m.def(
      "exercises",
      [](const Starts<S>& starts, int num_actions, double seconds, const std::unordered_set<Word>& spared, Rng& rng,
         const JudgeHandle& judge, int threads, std::size_t most, std::size_t table_bytes) {
        const auto plan =
            std::make_shared<const Exercising<S>>(Exercising<S>{states_of<S>(starts), num_actions, seconds, spared});
        for (const S& start : plan->starts)
          if (start.over()) raise("BadOption", "there are no exercises in a game that is over at its start");
        std::vector<std::unique_ptr<typename T::Maker>> makers;
        for (auto& solver : solvers_of<S>(threads, table_bytes))
          makers.push_back(std::make_unique<typename T::Maker>(plan, std::move(solver), rng.split()));
        return hand_over<ExercisesObject>(new T(std::move(makers), judge.judge, most));
      },
      nb::arg("starts"), nb::arg("num_actions"), nb::arg("seconds"), nb::arg("spared"), nb::arg("rng"),
      nb::arg("judge"), nb::arg("threads"), nb::arg("most"), nb::arg("table_bytes"));
}

}  // namespace ludus
