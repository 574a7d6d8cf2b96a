// bind_school<S>: actual games of a training for one state type, answered from Python or by native threads.
#pragma once

#include "bindings/bind_exercises.h"
#include "bindings/bind_guided.h"
#include "school/school.h"

namespace ludus {

// Exact teachers for as many threads, each a function that teaches a finished game; none if they have no time.
template <State S>
std::vector<typename School<S>::Teach> teachers_of(const std::vector<S>& starts, double seconds, int threads) {
  std::vector<typename School<S>::Teach> teachers;
  if (seconds <= 0) return teachers;
  for (auto& one : solvers_of<S>(threads, teacher_bytes)) {
    std::shared_ptr<typename SolverFor<S>::Type> solver = std::move(one);
    teachers.push_back([solver, starts, seconds](Finished& game, const std::atomic<bool>& stop) {
      const S& start = starts[game.start];
      if (SolverFor<S>::can(start)) teach(game, start, *solver, seconds, &stop);
    });
  }
  return teachers;
}

template <State S>
struct SelfPlayHandle {
  SelfPlay<S> games;
  std::vector<typename School<S>::Teach> teachers;  // one, or none
  mutable Busy busy = {};

  const S& question(std::size_t k) const { return games.question(k); }
};

// Plays on until a game is finished or, if no judge is at hand, until there are questions: then nothing is finished.
template <State S>
std::vector<Finished> play_on(SelfPlayHandle<S>& h, const Judge* judge) {
  Judge::Desk desk;
  const Limit limit = limit_of(1e12);
  std::vector<Finished> finished;
  while (finished.empty() && !limit.reached()) {
    if (!h.games.go()) {
      finished = h.games.finished();
      continue;
    }
    if (judge == nullptr) break;
    if constexpr (HasPlanes<S>) judge->answer(h.games, desk);
  }
  const std::atomic<bool> go_on = false;
  for (const auto& teach : h.teachers)
    for (Finished& game : finished) teach(game, go_on);
  return finished;
}

template <State S>
void bind_self_play(nb::module_& m, const std::string& name) {
  using H = SelfPlayHandle<S>;
  nb::class_<H>(m, (name + "SelfPlay").c_str(), "Actual games of a training, side by side.")
      .def("use",
           [](H& h, const MctsOptions& options, std::int64_t simulations) {
             const InUse mine(h.busy);
             h.games.use(options, simulations);
           })
      .def("grow",
           [](H& h, std::size_t games) {
             const InUse mine(h.busy);
             h.games.grow(games);
           })
      .def(
          "go",
          [](H& h, const JudgeHandle* judge) {
            const InUse mine(h.busy);
            if (!HasPlanes<S> && judge != nullptr) raise("BadOption", "these states cannot be judged by the core");
            std::vector<Finished> finished =
                without_python<S>([&] { return play_on(h, judge == nullptr ? nullptr : judge->judge.get()); });
            raise_if_interrupted();
            return finished;
          },
          nb::arg("judge").none())
      .def("questions",
           [](const H& h) {
             const InUse mine(h.busy);
             nb::list states;
             if constexpr (std::is_same_v<S, PythonState>)
               for (std::size_t k = 0; k < h.games.questions(); ++k) states.append(h.question(k).object);
             return states;
           })
      .def("players",
           [](const H& h) {
             const InUse mine(h.busy);
             std::vector<Player> players;
             for (std::size_t k = 0; k < h.games.questions(); ++k) players.push_back(h.question(k).player());
             return players;
           })
      .def("planes",
           [](const H& h) {
             const InUse mine(h.busy);
             return planes_of<S>(h.games.questions(), [&](std::size_t k) -> const S& { return h.question(k); });
           })
      .def("answer", [](H& h, const Table& policies, const NumberArray& values) {
        const InUse mine(h.busy);
        check_answers<S>(
            h.games.questions(), [&](std::size_t k) -> const Mcts<S>& { return h.games.asker(k); }, policies, values);
        if (policies.shape(1) != static_cast<std::size_t>(h.games.num_actions()))
          raise("BadAnswer", "a policy must have a number for every action");
        without_python<S>([&] { h.games.answer(policies.data(), values.data()); });
      });
  m.def(
      "self_play",
      [](const Starts<S>& starts, const Playing& playing, const MctsOptions& options, int num_actions, const Rng& rng) {
        const std::vector<S> states = states_of<S>(starts);
        auto* handle =
            new H{{states, playing, options, num_actions, rng}, teachers_of(states, playing.teacher_seconds, 1)};
        handle->games.limit_of = &limit_of;
        return hand_over<SelfPlayObject>(handle);
      },
      nb::arg("starts"), nb::arg("playing"), nb::arg("options"), nb::arg("num_actions"), nb::arg("rng"));
}

// Self-play on threads of its own, of games that have planes.
template <State S>
void bind_threads(nb::module_& m, const std::string& name) {
  using T = School<S>;
  nb::class_<T>(m, (name + "School").c_str(), "Native threads that play the actual games of a training.")
      .def(
          "use",
          [](T& school, const JudgeHandle& judge, const MctsOptions& options, std::int64_t simulations,
             std::size_t games) {
            const nb::gil_scoped_release release;
            school.use({judge.judge, options, simulations, games});
          },
          nb::arg("judge"), nb::arg("options"), nb::arg("simulations"), nb::arg("games"))
      .def(
          "take",
          [](T& school, double seconds) {
            const nb::gil_scoped_release release;
            return school.take(seconds);
          },
          nb::arg("seconds"))
      .def("stop",
           [](T& school) {
             const nb::gil_scoped_release release;
             school.stop();
           })
      .def_prop_ro("hours", [](T& school) {
        const Hours hours = school.hours();
        return std::tuple(hours.all, hours.waiting, hours.network, hours.teachers, hours.teaching, hours.work.moves,
                          hours.work.evaluations);
      });
  m.def(
      "school",
      [](const Starts<S>& starts, const Playing& playing, const MctsOptions& options, int num_actions, Rng& rng,
         const JudgeHandle& judge, std::size_t games, int threads, std::size_t most) {
        const std::vector<S> states = states_of<S>(starts);
        std::vector<typename T::Player> players;
        for (int i = 0; i < threads; ++i)
          players.push_back(std::make_unique<SelfPlay<S>>(states, playing, options, num_actions, rng.split()));
        return hand_over<SchoolObject>(new T(std::move(players),
                                             teachers_of(states, playing.teacher_seconds, playing.teacher_threads),
                                             {judge.judge, options, playing.simulations, games}, most));
      },
      nb::arg("starts"), nb::arg("playing"), nb::arg("options"), nb::arg("num_actions"), nb::arg("rng"),
      nb::arg("judge"), nb::arg("games"), nb::arg("threads"), nb::arg("most"));
}

template <State S>
void bind_school(nb::module_& m, const std::string& name) {
  bind_guided<S>();
  bind_self_play<S>(m, name);
  if constexpr (HasPlanes<S>) bind_threads<S>(m, name), bind_exercises<S>(m, name);
}

void bind_school_parts(nb::module_& m);

}  // namespace ludus
