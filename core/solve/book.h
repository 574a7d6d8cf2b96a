// A book: true values of positions at the beginning of a game, which a solver proved earlier and need not prove again.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ludus {

// `Kind` is the book of one game, which says what number a position has.
template <class Number, class Kind>
class Book {
 public:
  using Entry = Number;

  // Sorted words: a position's number times four, plus its value for the player to move (-1, 0, +1) plus one.
  explicit Book(std::vector<Number> words) : words_(std::move(words)) {
    assert(std::is_sorted(words_.begin(), words_.end()));
  }

  // The book that every solver made from now on will ask; none, if it is empty.
  static void use(std::shared_ptr<const Kind> book) { in_use_ = std::move(book); }
  static const std::shared_ptr<const Kind>& in_use() { return in_use_; }

 protected:
  std::optional<int> value_of(Number number) const {
    const auto found = std::lower_bound(words_.begin(), words_.end(), 4 * number);
    if (found == words_.end() || *found / 4 != number) return std::nullopt;
    return static_cast<int>(*found % 4) - 1;
  }

 private:
  inline static std::shared_ptr<const Kind> in_use_;
  std::vector<Number> words_;
};

}  // namespace ludus
