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

// A layer as a Matrix or a Convolution.
template <class Kind = Matrix>
Kind made_of(const std::pair<Table, Row>& layer) {
  return Kind({layer.first.data(), layer.first.size()}, {layer.second.data(), layer.second.size()});
}

std::optional<Matrix> maybe(const Layers& layers, std::size_t i) {
  if (i >= layers.size()) return std::nullopt;
  return made_of(layers[i]);
}

template <class Kind = Matrix>
std::vector<Kind> all_made_of(const Layers& layers) {
  std::vector<Kind> all;
  for (const auto& layer : layers) all.push_back(made_of<Kind>(layer));
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

template <class Heads>
Heads heads_of(const Layers& actor, const Layers& critic, int cells) {
  if constexpr (std::is_same_v<Heads, DenseHeads>)
    return {made_of(actor[0]), made_of(actor[1]), maybe(actor, 2),
            maybe(critic, 0),  maybe(critic, 1),  maybe(critic, 2)};
  else
    return {made_of(actor[0]),
            made_of(actor[1]),
            made_of(actor[2]),
            made_of(actor[3]),
            maybe(actor, 4),
            maybe(critic, 0),
            cells};
}

// Convolutions and patterns with one kind of heads.
template <class Heads>
void bind_board_network(nb::module_& m, const std::string& kind, const std::string& heads) {
  const auto define = [&](const std::string& name, const std::string& words, auto body_of) {
    m.def((kind + name).c_str(),
          [body_of](const Layers& body, const Layers& actor, const Layers& critic, const std::string& activation,
                    int planes, int rows, int columns) {
            return Network{body_of(body, heads_of<Heads>(actor, critic, rows * columns), activation_of(activation),
                                   planes, Layout{rows, columns})};
          },
          nb::arg("body"), nb::arg("actor"), nb::arg("critic"), nb::arg("activation"), nb::arg("planes"),
          nb::arg("rows"), nb::arg("columns"), (words + " with " + heads + ".").c_str());
  };
  define("convolutions", "Convolutions", [](const Layers& body, Heads own, Activation how, int planes, Layout board) {
    return Convolutions<Heads>{board, planes, all_made_of<Convolution>(body), std::move(own), how};
  });
  define("patterns", "Patterns", [](const Layers& body, Heads own, Activation how, int planes, Layout board) {
    return Lookups<Heads>{
        planes, board.rows * board.columns, made_of(body[0]), made_of(body[1]), made_of(body[2]), std::move(own), how};
  });
}

}  // namespace

void bind_network(nb::module_& m) {
  nb::class_<Network>(m, "Network", "A network: gives policies and values of many boards at once.")
      .def("judge", &judge, nb::arg("planes"));
  m.def(
      "perceptron",
      [](const Layers& body, const Layers& actor, const Layers& critic, const std::string& activation, bool residual) {
        return Network{
            Perceptron{all_made_of(body), made_of(actor[0]), maybe(critic, 0), activation_of(activation), residual}};
      },
      nb::arg("body"), nb::arg("actor"), nb::arg("critic"), nb::arg("activation"), nb::arg("residual"));
  bind_board_network<DenseHeads>(m, "", "heads for one size of the board");
  bind_board_network<PooledHeads>(m, "pooled_", "heads for every size of the board");
}

}  // namespace ludus
