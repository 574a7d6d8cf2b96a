// A 3×3 convolution of boards by Winograd's F(2×2, 3×3) (Lavin and Gray 2016): a tile of 2×2 results needs 16 products
// for each pair of channels instead of 36. Tiles of several boards go through one matrix product.
#pragma once

#include "network/matrix.h"

namespace ludus {

// Where the cells of a board lie: rows of cells, each cell a row of numbers (one for each channel), with a border of
// empty cells, wide enough for whole tiles.
struct Layout {
  int rows, columns;

  int tiles_down() const { return (rows + 1) / 2; }
  int tiles_across() const { return (columns + 1) / 2; }
  int tiles() const { return tiles_down() * tiles_across(); }
  int line() const { return 2 * tiles_across() + 2; }            // cells from one row to the next
  int cells() const { return line() * (2 * tiles_down() + 2); }  // border included
  int at(int row, int column) const { return (row + 1) * line() + column + 1; }
};

class Convolution {
 public:
  // `weights` has a line for every channel of every neighbour, by rows, and a column for every channel that comes out.
  Convolution(std::span<const float> weights, std::span<const float> bias)
      : width_(static_cast<int>(bias.size())), inner_(static_cast<int>(weights.size() / bias.size()) / 9) {
    const std::vector<float> none(bias.size());
    std::vector<float> part(static_cast<std::size_t>(inner_) * width_);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        for (std::size_t k = 0; k < part.size(); ++k) part[k] = transformed(weights.data() + k, i, j);
        products_.emplace_back(part, none);
      }
    bias_.assign(static_cast<std::size_t>(stride()), 0.f);
    std::copy(bias.begin(), bias.end(), bias_.begin());
  }

  int width() const { return width_; }
  int inner() const { return inner_; }
  int stride() const { return products_[0].stride(); }  // numbers of a cell that comes out

  struct Desk {  // numbers under way
    std::vector<float> tiles = {}, sums = {};
  };
  // Convolves `count` boards of `from_stride` numbers a cell (a multiple of 16) into boards of stride() numbers a cell.
  // `finish(sum, old)` makes of the sums of some channels, and of what stood at their place, what is written there.
  // Borders are not touched.
  template <class Finish>
  void apply(const Layout& board, const float* from, int from_stride, int count, float* to, Desk& desk,
             const Finish& finish) const {
    const int rows = board.tiles() * count;
    const std::ptrdiff_t part = apart(rows, from_stride), sum_part = apart(rows, stride());
    desk.tiles.resize(static_cast<std::size_t>(16 * part));
    desk.sums.resize(static_cast<std::size_t>(16 * sum_part));
    each_tile(board, count, [&](int tile, int corner, int, int) {
      for (int k = 0; k < from_stride; k += lanes)
        cut(from + static_cast<std::ptrdiff_t>(corner) * from_stride + k,
            static_cast<std::ptrdiff_t>(board.line()) * from_stride, from_stride,
            desk.tiles.data() + static_cast<std::ptrdiff_t>(tile) * from_stride + k, part);
    });
    for (int i = 0; i < 16; ++i)
      products_[static_cast<std::size_t>(i)].apply(desk.tiles.data() + i * part, from_stride, rows,
                                                   desk.sums.data() + i * sum_part);
    each_tile(board, count, [&](int tile, int corner, int down, int across) {
      for (int k = 0; k < stride(); k += lanes)
        join(desk.sums.data() + static_cast<std::ptrdiff_t>(tile) * stride() + k, sum_part, at(bias_.data() + k),
             [&](int row, int column, Vector sum) {
               if (row >= down || column >= across) return;
               const std::ptrdiff_t cell = corner + (row + 1) * board.line() + column + 1;
               float* out = to + cell * stride() + k;
               store(out, finish(sum, at(out)));
             });
    });
  }

 private:
  // Numbers from one of the 16 parts to the next: an odd number of cache lines, so that the same place of all parts
  // can be in the nearest cache at once. (With 48 rows of 32 numbers, 6 KiB apart, they drove each other out.)
  static std::ptrdiff_t apart(int rows, int stride) {
    return (static_cast<std::ptrdiff_t>(rows) * stride / 16 | 1) * 16;
  }

  // The number of the transformed 3×3 kernel in row i and column j: G g Gᵀ. Neighbours lie inner·width apart.
  float transformed(const float* kernel, int i, int j) const {
    static constexpr float g[4][3] = {{1, 0, 0}, {.5f, .5f, .5f}, {.5f, -.5f, .5f}, {0, 0, 1}};
    float sum = 0;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        sum += g[i][row] * g[j][column] * kernel[static_cast<std::ptrdiff_t>(3 * row + column) * inner_ * width_];
    return sum;
  }

  // Calls visit(number of the tile, its first cell, rows and columns of results that lie on the board) for all tiles.
  // The first cell of the first tile is a corner of the border.
  template <class Visit>
  static void each_tile(const Layout& board, int count, const Visit& visit) {
    int tile = 0;
    for (int b = 0; b < count; ++b)
      for (int y = 0; y < board.rows; y += 2)
        for (int x = 0; x < board.columns; x += 2, ++tile)
          visit(tile, b * board.cells() + y * board.line() + x, board.rows - y, board.columns - x);
  }

  // Bᵀ d B of a tile of 4×4 cells.
  static void cut(const float* d, std::ptrdiff_t down, std::ptrdiff_t across, float* out, std::ptrdiff_t part) {
    Vector rows[4][4];
    for (int x = 0; x < 4; ++x) {
      const float* column = d + x * across;
      const Vector a = at(column), b = at(column + down), c = at(column + 2 * down), e = at(column + 3 * down);
      rows[0][x] = a - c, rows[1][x] = b + c, rows[2][x] = c - b, rows[3][x] = b - e;
    }
    for (int y = 0; y < 4; ++y, out += 4 * part) {
      store(out, rows[y][0] - rows[y][2]);
      store(out + part, rows[y][1] + rows[y][2]);
      store(out + 2 * part, rows[y][2] - rows[y][1]);
      store(out + 3 * part, rows[y][1] - rows[y][3]);
    }
  }

  // Aᵀ m A of the 16 sums of a tile: its 2×2 results, each with the bias.
  template <class Write>
  static void join(const float* m, std::ptrdiff_t part, Vector bias, const Write& write) {
    Vector top[4], low[4];
    for (int x = 0; x < 4; ++x) {
      const Vector a = at(m + x * part), b = at(m + (4 + x) * part), c = at(m + (8 + x) * part),
                   d = at(m + (12 + x) * part);
      top[x] = a + b + c, low[x] = b - c - d;
    }
    write(0, 0, top[0] + top[1] + top[2] + bias);
    write(0, 1, top[1] - top[2] - top[3] + bias);
    write(1, 0, low[0] + low[1] + low[2] + bias);
    write(1, 1, low[1] - low[2] - low[3] + bias);
  }

  int width_, inner_;
  std::vector<Matrix> products_;  // one for each of the 16 numbers of a transformed tile
  std::vector<float> bias_;
};

}  // namespace ludus
