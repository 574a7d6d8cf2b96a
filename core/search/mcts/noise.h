// Random numbers that make the children of the root differ, so that self-play sees many games.
#pragma once

#include <cmath>

#include "base/random.h"
#include "search/mcts/field.h"
#include "search/mcts/tree.h"

namespace ludus {

// Dirichlet noise on the priors of the root (Silver et al. 2017).
struct Noise {
  static constexpr const char* name = "Noise";
  double alpha = 0.3;
  double fraction = 0.25;  // of the prior that is noise
  static constexpr auto fields() {
    return std::tuple{Field{"alpha", &Noise::alpha}, Field{"fraction", &Noise::fraction}};
  }
};

// A draw from the gamma distribution (Marsaglia and Tsang 2000); several of them make a Dirichlet draw.
inline double gamma_draw(double shape, Rng& rng) {
  if (shape < 1) return gamma_draw(shape + 1, rng) * std::pow(1 - rng.uniform(), 1 / shape);
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double normal =
        std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(6.283185307179586 * rng.uniform());  // Box and Muller
    const double v = std::pow(1 + c * normal, 3);
    if (v > 0 && std::log(1 - rng.uniform()) < normal * normal / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

// Mixes Dirichlet noise into the priors of a node's children, so that nothing is ruled out.
inline void add_noise(Tree& tree, NodeIndex index, const Noise& how, Rng& rng) {
  const Family family = tree.family(index);
  assert(family.tried() == family.children());
  std::vector<double> noise(static_cast<std::size_t>(family.children()));
  double sum = 0;
  for (double& n : noise) sum += n = gamma_draw(how.alpha, rng);
  for (int k = 0; k < family.children(); ++k) {
    float& prior = *tree.prior(family.child(k));
    prior = static_cast<float>((1 - how.fraction) * prior + how.fraction * noise[static_cast<std::size_t>(k)] / sum);
  }
}

// Gives the children of the root their Gumbel noise (a multiple of eight numbers, to be read eight at a time).
inline void draw_gumbel(Tree& tree, Rng& rng) {
  const auto children = static_cast<std::size_t>(tree.family(0).children());
  tree.gumbel.assign(Family::runs(children) * most_lanes, 0.0);
  for (std::size_t k = 0; k < children; ++k)
    tree.gumbel[k] = static_cast<float>(-std::log(-std::log(std::max(1e-12, 1 - rng.uniform())) + 1e-12));
}

}  // namespace ludus
