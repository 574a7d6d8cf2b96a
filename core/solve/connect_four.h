// Solves Connect Four: the proven value of a position, never a guess.
// Reading order: connect_four_lines.h (the board), connect_four_table.h (the transposition table), connect_four_book.h
// (what is known of the opening), then this search.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>

#include "base/limit.h"
#include "solve/at_work.h"
#include "solve/connect_four_book.h"
#include "solve/connect_four_lines.h"
#include "solve/connect_four_table.h"

namespace ludus {

// Works on every board; the shortcuts of `plain` boards (four in a row) make it fast. One solver may be asked
// about many positions, which share its table; a board of another shape clears the table.
template <class B>
class ConnectFourSolver {
 public:
  using Table = ConnectFourTable<B>;
  explicit ConnectFourSolver(std::size_t table_bytes = std::size_t{64} << 20)
      : ConnectFourSolver(std::make_shared<Table>(table_bytes)) {}
  // With the table of other solvers, all of which are asked about boards of one shape.
  explicit ConnectFourSolver(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  const std::shared_ptr<Table>& table() const { return table_; }

  // From now on solvers on other threads, which mark their positions in the same place, work on the same questions.
  void work_with(std::shared_ptr<AtWork> others) { others_ = std::move(others); }

  // +1, 0 or -1 for the player to move; nothing if the limit was reached first.
  std::optional<int> value(const ConnectFour<B>& state, const Limit& limit = {}) {
    return between(state, -1, 1, limit);
  }

  // How early: +k is a win with k own stones not yet played (the winning one included) of those that would fill the
  // board, -k a loss with as many of the other's, 0 a draw. Takes a few times longer than the value.
  std::optional<int> score(const ConnectFour<B>& state, const Limit& limit = {}) {
    const int most = state.width * state.height / 2 + 1;
    return between(state, -most, most, limit);
  }

  // How many plies perfect play lasts: the winner wins as soon, and the loser holds out as long as can be.
  std::optional<int> plies(const ConnectFour<B>& state, const Limit& limit = {}) {
    if (state.over()) return 0;
    const int left = state.width * state.height - count_bits(state.filled());
    const std::optional<int> found = score(state, limit);
    if (!found || *found == 0) return found ? std::optional(left) : std::nullopt;
    return *found > 0 ? 2 * ((left + 1) / 2 - *found) + 1 : 2 * (left / 2 + *found + 1);
  }

  std::int64_t nodes() const { return nodes_; }  // visited so far, by all calls

 private:
  using Lines = ConnectFourLines<B>;

  // The moves in the order to try them: the best rank first, equal ranks in the order of the columns tried.
  struct Moves {
    struct Ranked {
      B cell;
      int rank;
    };
    std::array<Ranked, ConnectFour<B>::max_width> items;
    int size = 0;

    void insert(B cell, int rank) {
      int i = size++;
      for (; i > 0 && items[i - 1].rank < rank; --i) items[i] = items[i - 1];
      items[i] = {cell, rank};
    }
    const Ranked* begin() const { return items.data(); }
    const Ranked* end() const { return items.data() + size; }
  };

  static bool several(B cells) { return (cells & (cells - 1)) != 0; }

  // The score, cut off below `low` and above `high`.
  std::optional<int> between(const ConnectFour<B>& state, int low, int high, const Limit& limit) {
    if (!lines_ || !lines_->fits(state)) learn_board(state);
    const B filled = state.filled(), mine = state.stones[state.turn];
    const int left = lines_->cells() - count_bits(filled);
    if (state.winner >= 0) return std::clamp(state.winner == state.turn ? left / 2 + 1 : -left / 2 - 1, low, high);
    if (left == 0) return 0;
    if (lines_->completing(mine, filled) & lines_->landings(filled)) return std::min((left + 1) / 2, high);
    if (low == -1 && high == 1 && left >= booked_)
      if (const auto value = booked(mine, filled, 0)) return value;  // known at once, whatever the limit
    limit_ = &limit;
    stopped_ = limit.reached();
    return narrow(mine, filled, low, high);
  }

  // A sequence of null-window searches, "more than a draw?" first: each is far cheaper than a search for the score.
  std::optional<int> narrow(B mine, B filled, int low, int high) {
    while (low < high) {
      const int middle = low < 0 && high > 0 ? 0 : low + (high - low) / 2;
      const int found = search(mine, filled, middle);
      if (stopped_) return std::nullopt;
      if (found > middle)
        low = std::min(found, high);
      else
        high = std::max(found, low);
    }
    return low;
  }

  void learn_board(const ConnectFour<B>& state) {
    if (lines_) table_->clear();
    lines_.emplace(state);
    const bool standard = sizeof(B) == sizeof(Word) && state.width == ConnectFourBook::width &&
                          state.height == ConnectFourBook::height && state.line == ConnectFourBook::line;
    booked_ = standard && book_ != nullptr ? lines_->cells() - ConnectFourBook::stones : lines_->cells() + 1;
    std::array<int, ConnectFour<B>::max_width> columns;
    for (int c = 0; c < state.width; ++c) columns[c] = c;
    const auto off_centre = [&](int c) { return std::abs(2 * c + 1 - state.width); };
    std::stable_sort(columns.begin(), columns.begin() + state.width,
                     [&](int a, int b) { return off_centre(a) < off_centre(b); });
    for (int i = 0; i < state.width; ++i) centre_first_[i] = lines_->column(columns[i]);
  }

  // Is the score more than `alpha`? Returns a number above alpha that the score reaches, or a number up to alpha
  // that it does not exceed. `mine` belongs to the player to move, who cannot complete a line at once.
  int search(B mine, B filled, int alpha) {
    if ((++nodes_ & 4095) == 0) stopped_ = stopped_ || limit_->reached();
    if (stopped_) return 0;
    const Lines& at = *lines_;
    const B theirs = mine ^ filled, open = at.landings(filled), danger = at.completing(theirs, filled);
    const int left = at.cells() - count_bits(filled);

    if (left >= booked_)
      if (const auto value = booked(mine, filled, alpha)) return *value;

    const B forced = danger & open;                            // must be blocked at once
    const B safe = (forced ? forced : open) & ~(danger >> 1);  // never right below a winning cell of theirs
    if (several(forced) || safe == 0) return -(left / 2);
    if (left <= 2) return 0;
    if (forced) return -search(theirs, filled | safe, -alpha - 1);
    if (settled(mine, theirs, open, alpha)) return 0;

    const auto place = table_->place(key(mine, filled, left));
    table_->prefetch(place);
    Moves moves;
    if (rank(mine, filled, safe, danger, moves)) return (left - 1) / 2;
    ScoreBounds known = table_->find(place, {-(left / 2 - 1), (left - 1) / 2, 0});
    if (known.lower > alpha) return known.lower;
    if (known.upper <= alpha) return known.upper;
    if (left >= 10)  // near the end, looking up the replies costs more than it saves
      if (const auto better = remembered_reply(theirs, filled, left, alpha, moves)) return *better;
    if (left > booked_)
      if (const auto better = booked_reply(theirs, filled, alpha, moves)) return *better;

    const std::int64_t start = nodes_;
    const bool share = others_ && left >= 14;  // near the end a position takes less time than sharing it
    const int best =
        share ? try_all_sharing(theirs, filled, left, alpha, moves) : try_all(theirs, filled, alpha, moves);
    if (stopped_) return 0;
    (best > alpha ? known.lower : known.upper) = best;
    known.work = std::min(15, static_cast<int>(std::bit_width(static_cast<Word>(nodes_ - start))) / 2);
    table_->keep(place, known);
    return best;
  }

  int try_all(B theirs, B filled, int alpha, const Moves& moves) {
    int best = -lines_->cells();
    for (const auto& move : moves) {
      best = std::max(best, -search(theirs, filled | move.cell, -alpha - 1));
      if (best > alpha || stopped_) break;
    }
    return best;
  }

  // The same beside others: moves that one of them is working on come last, when the table may know their answer.
  int try_all_sharing(B theirs, B filled, int left, int alpha, const Moves& moves) {
    int best = -lines_->cells();
    std::array<bool, ConnectFour<B>::max_width> tried{};
    for (const bool last_round : {false, true})
      for (int i = 0; i < moves.size; ++i) {
        const B after = filled | moves.items[i].cell;
        const std::size_t place = table_->place(key(theirs, after, left - 1)).bucket;
        if (tried[i] || (!last_round && i > 0 && others_->at(place))) continue;
        tried[i] = true;
        const AtWork::Mark mark(others_.get(), place);
        best = std::max(best, -search(theirs, after, -alpha - 1));
        if (best > alpha || stopped_) return best;
      }
    return best;
  }

  // Is it clear without search that the player who must win for "more than alpha" (or for "not more") cannot?
  //
  // A line needs cells that are free of the other's stones. And when every column has an even number of empty
  // cells, who is *not* to move can answer each stone right above it: then the player to move gets the lower
  // cells of all pairs and never another. With one odd column the player to move can take its lowest cell and
  // follow from there on.
  bool settled(B mine, B theirs, B open, int alpha) const {
    const Lines& at = *lines_;
    const B lower = at.lower & ~(mine | theirs), odd = open & at.upper;
    if (alpha >= 0) return !at.holds_line(odd == 0 ? mine | lower : at.board ^ theirs);
    return !at.holds_line(odd != 0 && !several(odd) ? theirs | lower : at.board ^ mine);
  }

  // Lists the safe moves. True if one of them wins: it leaves two cells to block, or one right above the other.
  bool rank(B mine, B filled, B safe, B danger, Moves& moves) const {
    const Lines& at = *lines_;
    for (int i = 0; i < at.width; ++i) {
      const B cell = safe & centre_first_[i];
      if (cell == 0) continue;
      const B after = filled | cell, threats = at.completing(mine | cell, after), now = threats & at.landings(after);
      if (several(now) || (now & threats >> 1)) return true;
      // Threats count, except those right above a cell where the other player would win first. A threat that must
      // be answered at once counts half, because it is soon gone.
      moves.insert(cell, 2 * count_bits(threats & ~(danger << 1)) - (now != 0));
    }
    return false;
  }

  // A bound above alpha, if the table knows a reply that gives it.
  std::optional<int> remembered_reply(B theirs, B filled, int left, int alpha, const Moves& moves) const {
    for (const auto& move : moves) {
      const auto place = table_->place(key(theirs, filled | move.cell, left - 1));
      const int upper = table_->find(place, {0, lines_->cells(), 0}).upper;
      if (-upper > alpha) return -upper;
    }
    return std::nullopt;
  }

  // What the book says of a position, if that settles whether its score is more than `alpha`.
  std::optional<int> booked(B mine, B filled, int alpha) const {
    const std::optional<int> value = book_->value(static_cast<Word>(mine), static_cast<Word>(filled));
    if (!value || (*value > 0 && alpha > 0) || (*value < 0 && alpha < -1)) return std::nullopt;
    return value;
  }

  // A bound above alpha, if the book knows a reply that gives it.
  std::optional<int> booked_reply(B theirs, B filled, int alpha, const Moves& moves) const {
    for (const auto& move : moves) {
      const std::optional<int> value = booked(theirs, filled | move.cell, -alpha - 1);
      if (value && -*value > alpha) return -*value;
    }
    return std::nullopt;
  }

  // A position as one number: a one above each column's top stone, the player's stones below. Mirror images share
  // the smaller of their two numbers while the board is fairly empty; later the mirror costs more than it finds.
  B key(B mine, B filled, int left) const {
    const B plain = mine | (filled + lines_->bottom);
    if (3 * left < 2 * lines_->cells()) return plain;
    return std::min(plain, lines_->mirrored(plain));
  }

  std::optional<Lines> lines_;
  std::shared_ptr<Table> table_;
  std::shared_ptr<const ConnectFourBook> book_ = ConnectFourBook::in_use();
  int booked_ = 0;                                           // with so many empty cells or more, the book is asked
  std::array<B, ConnectFour<B>::max_width> centre_first_{};  // the columns
  std::shared_ptr<AtWork> others_;                           // none: this one works alone
  const Limit* limit_ = nullptr;
  bool stopped_ = false;
  std::int64_t nodes_ = 0;
};

}  // namespace ludus
