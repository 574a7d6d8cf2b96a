// Many questions at once, to Python and back.
#pragma once

#include "bindings/bind_mcts.h"

namespace ludus {

// NumberArray of all questions: a row each.
using Table = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Batch = nb::ndarray<nb::numpy, float, nb::ndim<4>>;

inline std::span<const float> row_of(const Table& table, std::size_t k) {
  return {table.data() + k * table.shape(1), table.shape(1)};
}

// The observations of `count` questions; nothing, if these states have none. `question(k)` is the k-th state.
template <State S, class Question>
std::optional<Batch> planes_of(std::size_t count, const Question& question) {
  if constexpr (HasPlanes<S>) {
    std::array<int, 3> shape{0, 0, 0};
    if (count > 0) shape = question(0).plane_shape();
    const std::size_t one = static_cast<std::size_t>(shape[0]) * shape[1] * shape[2];
    auto* data = new float[std::max<std::size_t>(1, one * count)];
    const nb::capsule owner(data, [](void* d) noexcept { delete[] static_cast<float*>(d); });
    for (std::size_t k = 0; k < count; ++k) question(k).planes(data + k * one);
    const std::size_t sizes[4] = {count, std::size_t(shape[0]), std::size_t(shape[1]), std::size_t(shape[2])};
    return Batch(data, 4, sizes, owner);
  } else {
    return std::nullopt;
  }
}

inline void check_count(std::size_t count, const Table& policies, const NumberArray& values) {
  if (policies.shape(0) != count || values.shape(0) != count)
    raise("BadAnswer", "there are " + std::to_string(count) + " questions, but " + std::to_string(policies.shape(0)) +
                           " policies and " + std::to_string(values.shape(0)) + " values");
}

// Refuses answers that do not fit the questions. `asker(k)` is the search that has asked the k-th.
template <State S, class Asker>
void check_answers(std::size_t count, const Asker& asker, const Table& policies, const NumberArray& values) {
  check_count(count, policies, values);
  for (std::size_t k = 0; k < count; ++k) {
    const Mcts<S>& search = asker(k);
    check_answer(search.question(), row_of(policies, k), search.wants_policy(), values.data()[k], search.wants_value());
  }
}

}  // namespace ludus
