// bind_solve<S>: the exact solver of one state type for Python.
#pragma once

#include "bindings/bind_search.h"
#include "solve/exact.h"

namespace ludus {

// Which solver proves states of type S. The file that binds a game may say something better than this.
template <State S>
struct SolverFor {
  using Type = ExactSolver<S>;
  static bool can(const S&) { return true; }  // within reach at all?
};

template <State S>
struct SolverHandle {
  std::size_t table_bytes;
  std::unique_ptr<typename SolverFor<S>::Type> solver = {};  // made when first asked
  Busy busy = {};

  auto& get() {
    if (!solver) solver = std::make_unique<typename SolverFor<S>::Type>(table_bytes);
    return *solver;
  }
};

template <State S>
void bind_solve(nb::module_& m, const std::string& name) {
  using H = SolverHandle<S>;
  using P = Position<S>;
  nb::class_<H> type(m, (name + "Solver").c_str(), "Proves what perfect play leads to.");
  type.def("value",
           [](H& h, const P& p, double seconds) -> std::optional<int> {
             const InUse mine(h.busy);
             if (!SolverFor<S>::can(p.state)) return std::nullopt;
             std::optional<int> answer;
             {
               const nb::gil_scoped_release release;
               answer = h.get().value(p.state, limit_of(seconds));
             }
             raise_if_interrupted();
             return answer;
           })
      .def("can", [](const H&, const P& p) { return SolverFor<S>::can(p.state); })
      .def_prop_ro("nodes", [](H& h) { return h.solver ? h.solver->nodes() : 0; });
  if constexpr (requires(typename SolverFor<S>::Type& s, const S& state) { s.margin(state, Limit{}); })
    type.def("margin", [](H& h, const P& p, double seconds) -> std::optional<int> {
      const InUse mine(h.busy);
      std::optional<int> answer;
      {
        const nb::gil_scoped_release release;
        answer = h.get().margin(p.state, limit_of(seconds));
      }
      raise_if_interrupted();
      return answer;
    });
  m.def("solver", [](const P&, std::size_t table_bytes) { return new H{table_bytes}; });
}

}  // namespace ludus
