// Networks for Python: made from the weights that were learned there, and evaluated on many boards at once.
#include "network/network.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/python.h"

namespace ludus {

namespace {

using Table = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Boards = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Layers = std::vector<std::pair<Table, Row>>;

Matrix matrix_of(const std::pair<Table, Row>& layer, int taps) {
  return {{layer.first.data(), layer.first.size()}, {layer.second.data(), layer.second.size()}, taps};
}

std::optional<Matrix> maybe(const Layers& layers, std::size_t i, int taps = 1) {
  if (i >= layers.size()) return std::nullopt;
  return matrix_of(layers[i], taps);
}

std::vector<Matrix> matrices_of(const Layers& layers, int taps) {
  std::vector<Matrix> all;
  for (const auto& layer : layers) all.push_back(matrix_of(layer, taps));
  return all;
}

Activation activation_of(const std::string& name) {
  if (name == "sigmoid") return Activation::sigmoid;
  if (name == "tanh") return Activation::tanh;
  return name == "relu" ? Activation::relu : Activation::linear;
}

nb::tuple judge(const Network& network, const Boards& planes) {
  const std::size_t count = planes.shape(0), inputs = count > 0 ? planes.size() / count : 0;
  const std::size_t actions = network.actions();
  auto* policies = new float[std::max<std::size_t>(1, count * actions)];
  auto* values = new float[std::max<std::size_t>(1, count)];
  {
    const nb::gil_scoped_release release;
    network.answer(planes.data(), inputs, count, policies, values);
  }
  const auto free_it = [](void* p) noexcept { delete[] static_cast<float*>(p); };
  const nb::capsule mine(policies, free_it), too(values, free_it);
  const std::size_t table[2] = {count, actions}, row[1] = {count};
  return nb::make_tuple(nb::ndarray<nb::numpy, float, nb::ndim<2>>(policies, 2, table, mine),
                        nb::ndarray<nb::numpy, float, nb::ndim<1>>(values, 1, row, too));
}

}  // namespace

void bind_network(nb::module_& m) {
  nb::class_<Network>(m, "Network", "A network: gives policies and values of many boards at once.")
      .def("judge", &judge, nb::arg("planes"));
  m.def(
      "perceptron",
      [](const Layers& body, const Layers& actor, const Layers& critic, const std::string& activation, bool residual) {
        return Network{Perceptron{matrices_of(body, 1), matrix_of(actor[0], 1), maybe(critic, 0),
                                  activation_of(activation), residual}};
      },
      nb::arg("body"), nb::arg("actor"), nb::arg("critic"), nb::arg("activation"), nb::arg("residual"));
  m.def(
      "convolutions",
      [](const Layers& body, const Layers& actor, const Layers& critic, const std::string& activation, int planes,
         int rows, int columns) {
        return Network{Convolutions{planes, rows, columns, matrices_of(body, 9), matrix_of(actor[0], 1),
                                    matrix_of(actor[1], 1), maybe(actor, 2), maybe(critic, 0), maybe(critic, 1),
                                    maybe(critic, 2), activation_of(activation)}};
      },
      nb::arg("body"), nb::arg("actor"), nb::arg("critic"), nb::arg("activation"), nb::arg("planes"), nb::arg("rows"),
      nb::arg("columns"));
}

}  // namespace ludus
