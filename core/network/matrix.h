// A matrix and the one product that networks are made of: rows of numbers times weights, plus a bias.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ludus {

using Eight = float __attribute__((vector_size(32), aligned(4)));  // numbers that one instruction multiplies

// Weights from `inner` numbers of each of some neighbours (`taps`) to `width` numbers, kept in strips of 16 columns,
// so that a strip stays in the nearest cache while all rows pass by.
class Matrix {
 public:
  static constexpr int strip = 16;

  // `weights` has a line for every inner number of every tap, and a column for every number that comes out.
  Matrix(std::span<const float> weights, std::span<const float> bias, int taps)
      : width_(static_cast<int>(bias.size())),
        inner_(static_cast<int>(weights.size() / bias.size()) / taps),
        lines_(taps * inner_),
        packed_(static_cast<std::size_t>(strips()) * lines_ * strip),
        bias_(static_cast<std::size_t>(strips()) * strip) {
    for (int line = 0; line < lines_; ++line)
      for (int column = 0; column < width_; ++column)
        packed_[(static_cast<std::size_t>(column / strip) * lines_ + line) * strip + column % strip] =
            weights[static_cast<std::size_t>(line) * width_ + column];
    for (int column = 0; column < width_; ++column) bias_[column] = bias[column];
  }

  int width() const { return width_; }
  int stride() const { return strips() * strip; }  // numbers between rows that come out; the last ones are zero
  int inner() const { return inner_; }

  // `count` rows: row r is read at x + r·x_step + tap for every tap, and written at out + r·stride().
  void apply(const float* x, std::ptrdiff_t x_step, std::span<const std::ptrdiff_t> taps, int count, float* out) const {
    for (int s = 0; s < strips(); ++s) {
      const float* weights = packed_.data() + static_cast<std::size_t>(s) * lines_ * strip;
      const float* bias = bias_.data() + s * strip;
      int r = 0;
      for (; r + 6 <= count; r += 6)
        block<6>(x + r * x_step, x_step, taps, weights, bias, out + r * stride() + s * strip);
      for (; r + 2 <= count; r += 2)
        block<2>(x + r * x_step, x_step, taps, weights, bias, out + r * stride() + s * strip);
      if (r < count) block<1>(x + r * x_step, x_step, taps, weights, bias, out + r * stride() + s * strip);
    }
  }
  void apply(const float* x, std::ptrdiff_t x_step, int count, float* out) const {
    static constexpr std::ptrdiff_t here[] = {0};
    apply(x, x_step, here, count, out);
  }

 private:
  int strips() const { return (width_ + strip - 1) / strip; }

  template <int R>
  void block(const float* x, std::ptrdiff_t x_step, std::span<const std::ptrdiff_t> taps, const float* weights,
             const float* bias, float* out) const {
    Eight sum[R][2];
    for (int r = 0; r < R; ++r) sum[r][0] = at(bias), sum[r][1] = at(bias + 8);
    for (const std::ptrdiff_t tap : taps) {
      const float* from = x + tap;
      for (int k = 0; k < inner_; ++k, weights += strip) {
        const Eight low = at(weights), high = at(weights + 8);
        for (int r = 0; r < R; ++r) {
          const float number = from[r * x_step + k];
          sum[r][0] += number * low;
          sum[r][1] += number * high;
        }
      }
    }
    for (int r = 0; r < R; ++r) {
      *reinterpret_cast<Eight*>(out + r * stride()) = sum[r][0];
      *reinterpret_cast<Eight*>(out + r * stride() + 8) = sum[r][1];
    }
  }
  static Eight at(const float* p) { return *reinterpret_cast<const Eight*>(p); }

  int width_, inner_, lines_;
  std::vector<float> packed_, bias_;
};

}  // namespace ludus
