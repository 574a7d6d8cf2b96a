// What the school needs of Python whatever the game: its settings, a judge, finished games, and what searches teach.
#include <nanobind/stl/optional.h>

#include "bindings/bind_fields.h"
#include "bindings/bind_game.h"

namespace ludus {

namespace {

using Policy = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

Policy array_of(const std::vector<float>& numbers) {
  auto* data = new float[numbers.size()];
  std::copy(numbers.begin(), numbers.end(), data);
  const nb::capsule owner(data, [](void* d) noexcept { delete[] static_cast<float*>(d); });
  const std::size_t size[1] = {numbers.size()};
  return Policy(data, 1, size, owner);
}

// Rows of children as searches give them to Python.
using Row = std::tuple<Action, int, double, double, std::optional<int>, int, double, double>;

std::vector<RootChild> known_of(const std::vector<Row>& rows) {
  std::vector<RootChild> all;
  for (const auto& [action, visits, value, prior, proven, amaf_visits, amaf_value, noise] : rows)
    all.push_back({action, visits, value, prior, proven.value_or(unproven), noise});
  require(!all.empty(), "there is nothing to learn from a search that knows no action");
  return all;
}

void bind_targets(nb::module_& m) {
  m.def("visit_shares", [](const std::vector<Row>& rows) { return visit_shares(known_of(rows)); }, nb::arg("children"));
  m.def(
      "pruned_visits",
      [](const std::vector<Row>& rows, double forced, double c) { return pruned_visits(known_of(rows), forced, c); },
      nb::arg("children"), nb::arg("forced"), nb::arg("c"));
  m.def(
      "improved_policy", [](const std::vector<Row>& rows) { return improved_policy(known_of(rows)); },
      nb::arg("children"));
  m.def(
      "gumbel_choice", [](const std::vector<Row>& rows) { return gumbel_choice(known_of(rows)); }, nb::arg("children"));
  m.def(
      "distribution",
      [](const std::vector<Row>& rows, int num_actions, bool gumbel, double forced, double c) {
        return array_of(distribution(known_of(rows), {gumbel, forced, c}, num_actions));
      },
      nb::arg("children"), nb::arg("num_actions"), nb::arg("gumbel") = false, nb::arg("forced") = 0.0,
      nb::arg("c") = 1.0, "D, the shares of all actions that a search with these children teaches.");
}

}  // namespace

void bind_school_parts(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Unusable& error) {
      PyErr_SetString(nb::module_::import_("ludus.errors").attr("BadAnswer").ptr(), error.what());
    }
  });
  bind_fields<Playing>(m);
  nb::class_<JudgeHandle>(m, "Judge", "A network that answers self-play without Python.")
      .def(
          "__init__",
          [](JudgeHandle* self, const Network& network, std::vector<int> planes, std::vector<int> actions) {
            new (self) JudgeHandle{std::make_shared<Judge>(network, Turn{std::move(planes), std::move(actions)})};
          },
          nb::arg("network"), nb::arg("turn_planes"), nb::arg("turn_actions"));
  nb::class_<Finished>(m, "Finished", "A finished actual game.")
      .def_ro("start", &Finished::start)
      .def_ro("opening", &Finished::opening)
      .def_ro("actions", &Finished::actions)
      .def_ro("score", &Finished::score)
      .def_ro("evaluations", &Finished::evaluations)
      .def_prop_ro(
          "lessons",
          [](const Finished& game) {
            nb::list rows;
            for (const Lesson& lesson : game.lessons)
              rows.append(nb::make_tuple(lesson.ply, nb::cast(array_of(lesson.policy)), lesson.value, lesson.surprise,
                                         lesson.score));
            return rows;
          },
          nb::sig("def lessons(self) -> list[tuple[int, numpy.typing.NDArray[numpy.float32], float, float, float | "
                  "None]]"));
  bind_targets(m);
}

}  // namespace ludus
