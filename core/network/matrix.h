// A matrix and the one product that networks are made of: rows of numbers times weights, plus a bias.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace ludus {

// As many numbers as one register of the processor holds.
#if defined(__AVX512F__)
constexpr int lanes = 16;
#elif defined(__AVX__)
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif
using Vector = float __attribute__((vector_size(lanes * sizeof(float))));

[[gnu::always_inline]] inline Vector at(const float* p) {
  Vector numbers;
  std::memcpy(&numbers, p, sizeof numbers);
  return numbers;
}
[[gnu::always_inline]] inline void store(float* p, const Vector& numbers) { std::memcpy(p, &numbers, sizeof numbers); }

// Weights from `inner` numbers to `width` numbers, kept in strips of 16 columns, so that a strip stays in the nearest
// cache while all rows pass by.
class Matrix {
 public:
  static constexpr int strip = 16;

  // `weights` has a line for every inner number and a column for every number that comes out.
  Matrix(std::span<const float> weights, std::span<const float> bias)
      : width_(static_cast<int>(bias.size())),
        inner_(static_cast<int>(weights.size() / bias.size())),
        packed_(static_cast<std::size_t>(strips()) * inner_ * strip),
        bias_(static_cast<std::size_t>(strips()) * strip) {
    for (int line = 0; line < inner_; ++line)
      for (int column = 0; column < width_; ++column)
        packed_[(static_cast<std::size_t>(column / strip) * inner_ + line) * strip + column % strip] =
            weights[static_cast<std::size_t>(line) * width_ + column];
    for (int column = 0; column < width_; ++column) bias_[column] = bias[column];
  }

  int width() const { return width_; }
  int stride() const { return strips() * strip; }  // numbers between rows that come out; the last ones are zero
  int inner() const { return inner_; }

  // `count` rows: row r is read at x + r·x_step, and written at out + r·stride().
  void apply(const float* x, std::ptrdiff_t x_step, int count, float* out) const {
    for (int s = 0; s < strips(); ++s, out += strip) {
      int r = 0;
      for (; r + rows <= count; r += rows) block<rows>(s, x + r * x_step, x_step, out + r * stride());
      for (; r + 4 <= count; r += 4) block<4>(s, x + r * x_step, x_step, out + r * stride());
      for (; r < count; ++r) block<1>(s, x + r * x_step, x_step, out + r * stride());
    }
  }

  // Adds the weights of one inner number: what apply() adds for a 1 in this place.
  void add_line(int line, float* out) const {
    for (int s = 0; s < strips(); ++s, out += strip)
      for (int k = 0; k < strip; k += lanes)
        store(out + k, at(out + k) + at(packed_.data() + (static_cast<std::ptrdiff_t>(s) * inner_ + line) * strip + k));
  }

 private:
  static constexpr int parts = strip / lanes;  // vectors in a strip
  static constexpr int rows = 12 / parts;      // that pass by together: as many sums as there are registers for

  int strips() const { return (width_ + strip - 1) / strip; }

  template <int R>
  void block(int s, const float* x, std::ptrdiff_t x_step, float* out) const {
    const float* weights = packed_.data() + static_cast<std::ptrdiff_t>(s) * inner_ * strip;
    Vector sum[R][parts];
    for (int r = 0; r < R; ++r)
      for (int p = 0; p < parts; ++p) sum[r][p] = at(bias_.data() + s * strip + p * lanes);
    for (int k = 0; k < inner_; ++k, weights += strip) {
      Vector line[parts];
      for (int p = 0; p < parts; ++p) line[p] = at(weights + p * lanes);
      for (int r = 0; r < R; ++r)
        for (int p = 0; p < parts; ++p) sum[r][p] += x[r * x_step + k] * line[p];
    }
    for (int r = 0; r < R; ++r)
      for (int p = 0; p < parts; ++p) store(out + r * stride() + p * lanes, sum[r][p]);
  }

  int width_, inner_;
  std::vector<float> packed_, bias_;
};

}  // namespace ludus
