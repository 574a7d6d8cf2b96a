// Values as sums of weights looked up by what a few cells show: patterns over the cells of a board of one word. This
// page knows no game: which cells are looked at, and what the weights are, comes from outside.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <set>
#include <vector>

#include "base/bits.h"

namespace ludus {

// A shape is a list of up to ten cells. It is looked at wherever an image of the board takes it, and all its places
// share their weights; so do contents that an image turns into each other (a mirrored edge is the same edge). What a
// place shows is a number in base 3: its i-th cell counts 3^i if it is mine, 2·3^i if it is theirs.
class Patterns {
 public:
  using Cells = std::vector<int>;
  using Images = std::array<Cells, 8>;
  using Weight = std::int16_t;
  static constexpr int most_places = 48;

  // An image says where it takes every cell; one of them leaves all where they are.
  Patterns(const std::vector<Cells>& shapes, const Images& images) {
    for (const Cells& shape : shapes) {
      add_places(shape, images);
      add_classes(shape, images);
    }
  }

  int places() const { return places_; }
  int classes() const { return classes_; }  // how many weights a stage of the game has
  int stages() const { return stages_; }    // 0: there are no weights yet

  // Which weights count for a position: a number below classes() for every place.
  void look_up(Word mine, Word theirs, std::int32_t* out) const {
    const Shown shown = show(mine, theirs);
    for (int p = 0; p < places_; ++p) out[p] = class_of_[first_[p] + shown[p]];
  }

  // Takes the weights of all classes, stage after stage.
  void load(const Weight* weights, int stages) {
    weights_.clear();
    for (stages_ = 0; stages_ < stages; ++stages_, weights += classes_)
      for (const int number : class_of_) weights_.push_back(weights[number]);
  }

  int sum(int stage, Word mine, Word theirs) const {
    assert(0 <= stage && stage < stages_);
    const Shown shown = show(mine, theirs);
    const Weight* weights = weights_.data() + static_cast<std::size_t>(stage) * class_of_.size();
    int total = 0;
    for (int p = 0; p < places_; ++p) total += weights[first_[p] + shown[p]];
    return total;
  }

 private:
  using Shown = std::array<std::uint16_t, most_places>;

  // Four cells of the board at a time, all places at once: part_[k][s] is what the cells from 4k on add to the numbers
  // of all places if they are mine where s has a bit.
  Shown show(Word mine, Word theirs) const {
    Shown own{}, other{};
    for (int k = 0; k < parts_; ++k) {
      const Shown& a = part_[k][mine >> 4 * k & 15];
      const Shown& b = part_[k][theirs >> 4 * k & 15];
      for (int p = 0; p < most_places; ++p) own[p] += a[p];
      for (int p = 0; p < most_places; ++p) other[p] += b[p];
    }
    for (int p = 0; p < most_places; ++p) own[p] += 2 * other[p];
    return own;
  }

  static Cells moved(const Cells& shape, const Cells& image) {
    Cells place;
    for (const int cell : shape) place.push_back(image[cell]);
    return place;
  }

  void add_places(const Cells& shape, const Images& images) {
    std::set<std::set<int>> seen;
    for (const Cells& image : images) {
      const Cells place = moved(shape, image);
      if (!seen.emplace(place.begin(), place.end()).second) continue;  // the same cells in another order
      assert(places_ < most_places);
      for (int power = 1; const int cell : place) {
        parts_ = std::max(parts_, cell / 4 + 1);
        for (int s = 0; s < 16; ++s)
          if (s >> cell % 4 & 1) part_[cell / 4][s][places_] += power;
        power *= 3;
      }
      first_[places_++] = static_cast<int>(class_of_.size());
    }
  }

  // Numbers the contents of a shape. Those that an image turns into each other get one number.
  void add_classes(const Cells& shape, const Images& images) {
    std::vector<Cells> powers;  // for every image that keeps the shape's cells: what each of them counts there
    for (const Cells& image : images) {
      const Cells place = moved(shape, image);
      if (!std::is_permutation(place.begin(), place.end(), shape.begin())) continue;
      Cells power;
      for (const int cell : place) {
        power.push_back(1);
        for (auto at = shape.begin(); *at != cell; ++at) power.back() *= 3;
      }
      powers.push_back(power);
    }
    int contents = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) contents *= 3;
    const std::size_t first = class_of_.size();
    for (int number = 0; number < contents; ++number) {
      int least = number;
      for (const Cells& power : powers) {
        int turned = 0;
        for (int rest = number; const int p : power) turned += rest % 3 * p, rest /= 3;
        least = std::min(least, turned);
      }
      class_of_.push_back(least == number ? classes_++ : class_of_[first + least]);
    }
  }

  std::array<std::array<Shown, 16>, 16> part_{};
  int parts_ = 0, places_ = 0, classes_ = 0, stages_ = 0;
  std::array<int, most_places> first_{};  // where the contents of each place begin in the two lists below
  std::vector<int> class_of_;
  std::vector<Weight> weights_;  // by stage and content
};

}  // namespace ludus
