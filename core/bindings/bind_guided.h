// One tree search whose questions are answered in batches: by a network of the core in native threads, or by Python.
#pragma once

#include <nanobind/stl/pair.h>

#include "bindings/batch.h"
#include "school/guide.h"

namespace ludus {

// A judge as Python holds it. Native threads share it without Python.
struct JudgeHandle {
  std::shared_ptr<const Judge> judge;
};

// The state of a leaf, with the actions that lead to it.
template <State S>
Position<S> position_of(const MctsHandle<S>& h, const Simulation<S>& simulation) {
  Position<S> position = h.root;
  for (std::size_t i = 1; i < simulation.path.size(); ++i)
    position.history = position.history.with(h.search.tree().action(simulation.path[i]));
  position.state = simulation.state;
  return position;
}

// What a function of Python has answered, copied: the search goes on without Python.
struct PythonAnswers {
  std::vector<float> policies = {}, values = {};
};

// An evaluator that asks a function of Python: it takes a list of states and returns policies and values.
template <State S>
Evaluator<S> evaluator_in_python(const MctsHandle<S>& h, nb::handle ask) {
  const bool wants_value = h.search.options().sigma < 1;
  return [&h, ask, wants_value, kept = PythonAnswers()](std::span<const Simulation<S>> leaves) mutable {
    const nb::gil_scoped_acquire hold;
    nb::list states;
    for (const Simulation<S>& leaf : leaves) states.append(Convert<S>::to_python(position_of(h, leaf)));
    const auto [policies, values] = nb::cast<std::pair<Table, NumberArray>>(ask(states));
    check_count(leaves.size(), policies, values);
    for (std::size_t k = 0; k < leaves.size(); ++k)
      check_answer(leaves[k].state, row_of(policies, k), true, values.data()[k], wants_value);
    kept.policies.assign(policies.data(), policies.data() + policies.size());
    kept.values.assign(values.data(), values.data() + values.size());
    return Answers{kept.policies, kept.values};
  };
}

// Runs a search by `evaluator`, a function that makes the evaluator of a thread. Returns how many simulations it made.
template <State S, class MakeEvaluator>
std::int64_t run_answered(MctsHandle<S>& h, std::int64_t simulations, double seconds, int threads, std::size_t batch,
                          const MakeEvaluator& evaluator) {
  const InUse mine(h.busy);
  if (!h.search.options().one_question())
    raise("BadOption", "batches of questions need a rule with priors, and no actor");
  require(threads >= 1 && batch >= 1 && batch <= 4096, "threads must be from 1, batch from 1 to 4096");
  without_python<S>([&] {
    h.search.begin(simulations, limit_of(seconds));
    h.search.go_answered(threads, batch, evaluator);
  });
  raise_if_interrupted();
  return h.search.simulations();
}

// Two more methods of a search.
template <State S>
void bind_guided() {
  using H = MctsHandle<S>;
  nb::borrow<nb::class_<H>>(nb::type<H>())
      .def(
          "run_asking",
          [](H& h, const nb::callable& ask, std::int64_t simulations, double seconds, std::size_t batch) {
            return run_answered(h, simulations, seconds, 1, batch, [&] { return evaluator_in_python(h, ask); });
          },
          nb::arg("ask"), nb::arg("simulations"), nb::arg("seconds"), nb::arg("batch"))
      .def(
          "run_judged",
          [](H& h, const JudgeHandle& judge, std::int64_t simulations, double seconds, int threads,
             std::size_t batch) -> std::int64_t {
            if constexpr (HasPlanes<S>)
              return run_answered(h, simulations, seconds, threads, batch, [&] { return guide<S>(judge.judge); });
            raise("BadOption", "these states cannot be judged by the core");
          },
          nb::arg("judge"), nb::arg("simulations"), nb::arg("seconds"), nb::arg("threads"), nb::arg("batch"));
}

}  // namespace ludus
