// HexSolver: who wins a Hex position, proven. Depth-first proof-number search (Nagai 2002) over positions in
// which virtual connections and inferior cells have left few moves, as in Arneson, Hayward and Henderson (2010).
//
// Every proof knows the empty cells that the winner needs: it would win even if all others were the loser's. So a move
// that has been refuted also refutes every move outside of what its refutation needs (Hayward and others 2003).
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/limit.h"
#include "base/stack.h"
#include "solve/at_work.h"
#include "solve/hex_book.h"
#include "solve/hex_study.h"
#include "solve/hex_table.h"

namespace ludus {

template <int W>
class HexSolver {
 public:
  using Table = HexTable<W>;
  explicit HexSolver(std::size_t table_bytes = std::size_t{64} << 20)
      : HexSolver(std::make_shared<Table>(table_bytes / sizeof(HexNode<W>))) {}
  // With the table of other solvers, all of which are asked about boards of one size.
  explicit HexSolver(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  const std::shared_ptr<Table>& table() const { return table_; }

  // From now on solvers on other threads, which mark their positions in the same place, work on the same questions.
  void work_with(std::shared_ptr<AtWork> others) { others_ = std::move(others); }

  // +1 if the player to move wins, -1 if it loses; nothing when the limit was reached first. Never a guess.
  // The table is kept for the next call with a board of the same size.
  std::optional<int> value(const Hex<W>& state, const Limit& limit) {
    if (state.over()) return static_cast<int>(state.score(state.player()));
    if (may_swap(state)) return swap_value(state);
    const HexNode<W> node = solve(state, limit);
    if (!node.proof.solved()) return std::nullopt;
    return node.proof.win == 0 ? 1 : -1;
  }

  // Empty cells that are enough for the winner: it wins even if all others were the loser's. Nothing where that was not
  // proven within the limit, where a book told the value, and while players may still swap.
  std::optional<Bits<W>> needs(const Hex<W>& state, const Limit& limit) {
    if (state.over()) return Bits<W>{};
    if (may_swap(state)) return std::nullopt;
    const HexNode<W> node = solve(state, limit);
    if (!node.proof.solved()) return std::nullopt;
    const HexPosition<W> seen = as_seen(state);
    if (booked(seen)) return std::nullopt;
    const Bits<W> cells = node.position == seen ? node.needs : turns_->rotated(node.needs);
    return state.player() == 0 ? cells : turns_->mirrored(cells);
  }

  // Positions evaluated so far, by all calls.
  std::int64_t nodes() const { return nodes_; }

 private:
  static constexpr HexProof won{0, HexProof::never}, lost{HexProof::never, 0};

  struct Child {
    HexPosition<W> position;
    HexProof proof;
    int move;  // that leads to it
  };
  using Children = std::span<Child>;

  struct Outlook {
    HexProof proof;             // of the position, from those of its children
    Child* best;                // the child nearest to a loss for the player who moves there
    std::uint32_t second_loss;  // how near the next best one is
  };

  void use_board(const HexBoard<W>* board) {
    if (board == board_) return;
    if (board_ != nullptr) table_->clear();
    board_ = board;
    const int cells = board->grid.cells();
    turns_.emplace(board->grid.width);
    study_.emplace(*board, *turns_);
    path_.clear();
    path_.reserve(static_cast<std::size_t>(cells) * (cells + 1) / 2);  // each stone leaves one child less
  }

  static bool may_swap(const Hex<W>& state) { return state.swap && state.count() < 2 && state.cell_count() > 1; }

  // After a swap the second player is in the first player's place, mirrored. One of the two places wins, so the
  // player who may still choose between them wins.
  static int swap_value(const Hex<W>& state) {
    assert(!state.stones[state.player()].any());
    return state.can_swap() ? 1 : -1;
  }

  HexNode<W> solve(const Hex<W>& state, const Limit& limit) {
    limit_ = &limit;
    stack_ = {};
    stopped_ = false;
    use_board(state.board);
    return prove(turns_->canonical(as_seen(state)), {HexProof::never, HexProof::never}, 0);
  }

  // The position as its player sees it, who joins top and bottom.
  HexPosition<W> as_seen(const Hex<W>& state) const {
    const HexPosition<W> p{state.stones[0], state.stones[1]};
    return state.player() == 0 ? p : turns_->passed(p);
  }

  // Works on a position until its proof numbers reach `until`, one of them, or the position is solved.
  HexNode<W> prove(const HexPosition<W>& position, const HexProof& until, int depth) {
    HexNode<W> node = look_at(position, depth);
    if (node.proof.solved()) return node;
    const std::int64_t nodes_before = nodes_;
    const std::size_t first = path_.size();
    open_children(node);
    refresh(node, first);
    while (!node.proof.solved()) {
      const Outlook outlook = survey(Children(path_).subspan(first));
      node.proof = outlook.proof;
      stopped_ = stopped_ || stack_.spent() || limit_->reached();
      if (stopped_ || node.proof.win >= until.win || node.proof.loss >= until.loss) break;
      Child* chosen = outlook.best;
      HexProof effort = share(until, outlook);
      if (others_) step_aside(Children(path_).subspan(first), until, chosen, effort);
      const AtWork::Mark mark(others_.get(), table_->place(chosen->position));
      const HexNode<W> next = prove(chosen->position, effort, depth + 1);
      chosen->proof = next.proof;
      if (next.proof.solved()) settle(node, first, *chosen, next.needs);
      if (!node.proof.solved()) refresh(node, first);
    }
    path_.resize(first);
    node.work += static_cast<std::uint32_t>(nodes_ - nodes_before);
    table_->store(node);
    return node;
  }

  // The children of every position on the path lie one after another in `path_`, which never moves.
  void open_children(const HexNode<W>& node) {
    const auto guess = static_cast<std::uint32_t>(node.moves.count());
    const HexChildren<W> children(*turns_, node.filled);
    for (int move : node.moves) path_.push_back({children.after(move), {1, guess}, move});
  }

  // A transposition may have updated a child in the table. Where the table has overwritten the child, the copy here
  // is still valid, so the search makes progress even with the smallest table.
  void refresh(HexNode<W>& node, std::size_t first) {
    for (std::size_t i = path_.size(); i-- > first;) {
      if (i >= path_.size()) continue;  // a child behind it was solved, and this one need not be looked at any more
      if (const auto known = table_->find(path_[i].position)) {
        path_[i].proof = known->proof;
        if (known->proof.solved()) settle(node, first, path_[i], known->needs);
        if (node.proof.solved()) return;
      }
    }
  }

  // What follows from a child that is solved. If it is lost for the player who moves there, this position is won. If it
  // is won, this move loses, and so does every other one outside of what that win needs, because the other player would
  // win in the same way.
  void settle(HexNode<W>& node, std::size_t first, const Child solved, const Bits<W>& child_needs) {
    const Bits<W> needs = seen_from_parent(node.filled, solved, child_needs);
    if (solved.proof.loss == 0) {
      node.proof = won;
      node.needs = needs;
      const Bits<W> filled = node.filled.mine.without(node.position.mine);
      if (filled.any()) node.needs |= filled.without(study_->dead_cells(node.position));
      node.needs.add(solved.move);
      return;
    }
    node.needs |= needs;
    node.moves &= needs;
    std::size_t kept = first;
    for (std::size_t i = first; i < path_.size(); ++i)
      if (node.moves.has(path_[i].move)) path_[kept++] = path_[i];
    path_.resize(kept);
    if (kept == first) node.proof = lost;
  }

  // Cells of a child's position as its parent sees them.
  Bits<W> seen_from_parent(const HexPosition<W>& parent, const Child& c, const Bits<W>& cells) const {
    const HexPosition<W> next = turns_->after(parent, c.move);
    return turns_->mirrored(next == c.position ? cells : turns_->rotated(cells));
  }

  // To win, one child must be lost for the other player; to lose, all must be won.
  static Outlook survey(Children children) {
    Outlook o{lost, nullptr, HexProof::never};
    std::uint64_t loss = 0;
    for (Child& c : children) {
      loss += c.proof.win;
      if (c.proof.loss < o.proof.win) {
        o.second_loss = o.proof.win;
        o.proof.win = c.proof.loss;
        o.best = &c;
      } else {
        o.second_loss = std::min(o.second_loss, c.proof.loss);
      }
    }
    if (o.proof.win == 0) return {won, o.best, o.second_loss};
    o.proof.loss = static_cast<std::uint32_t>(std::min<std::uint64_t>(loss, HexProof::never - 1));
    return o;
  }

  // Where another solver is at work on the best child, takes one that looks nearly as good and that nobody is at.
  void step_aside(Children children, const HexProof& until, Child*& chosen, HexProof& effort) {
    if (!at_work(*chosen)) return;
    const std::uint32_t most = std::min(chosen->proof.loss + chosen->proof.loss / 2 + 2, until.win - 1);
    Child* other = nullptr;
    for (Child& c : children)
      if (c.proof.loss > 0 && c.proof.loss <= most && !at_work(c) &&
          (other == nullptr || c.proof.loss < other->proof.loss))
        other = &c;
    if (other == nullptr) return;
    effort.win += other->proof.win - chosen->proof.win;
    effort.loss = std::min(until.win, other->proof.loss + other->proof.loss / 8 + 1);
    chosen = other;
  }
  bool at_work(const Child& c) const { return others_->at(table_->place(c.position)); }

  // How far to search in the best child: until this position reaches `until`, or another child looks better. A
  // threshold one eighth higher avoids switching back and forth (the 1 + epsilon trick, Pawlewicz and Lew 2007).
  static HexProof share(const HexProof& until, const Outlook& o) {
    const std::uint32_t slack = o.second_loss / 8 + 1;
    return {until.loss - o.proof.loss + o.best->proof.win, std::min(until.win, o.second_loss + slack)};
  }

  // The node of a position: from the table, or judged now.
  HexNode<W> look_at(const HexPosition<W>& position, int depth) {
    const std::optional<HexNode<W>> known = table_->find(position);
    if (known && known->judged()) return *known;
    if (const auto value = booked(position)) return told(position, *value);
    ++nodes_;
    if (limit_->reached()) stopped_ = true;
    const HexNode<W> node = study_->judge(position, depth);
    table_->store(node);
    const HexChildren<W> children(*turns_, node.filled), unfilled(*turns_, position);
    for (int move : node.moves) {
      const HexPosition<W> next = children.after(move);
      if (table_->find(next)) continue;
      const auto value = booked(unfilled.after(move));  // the book knows no positions that are filled in
      table_->store(value ? told(next, *value) : HexNode<W>{next, {}, {}, {}, {1, study_->answers_to(move)}, 0});
    }
    return node;
  }

  // A position of which a book told the value, and not which cells the winner needs.
  HexNode<W> told(const HexPosition<W>& position, int value) const {
    const Bits<W> all = board_->grid.board.without(position.mine | position.theirs);
    return {position, position, {}, all, value > 0 ? won : lost, 1};
  }

  // What the book says of a position, who wins but not how.
  std::optional<int> booked(const HexPosition<W>& position) const {
    if constexpr (W == 1)
      if (book_ != nullptr && board_->grid.width == HexBook::size) return book_->value(position);
    return std::nullopt;
  }

  std::shared_ptr<Table> table_;
  const HexBoard<W>* board_ = nullptr;
  std::optional<HexTurns<W>> turns_;
  std::optional<HexStudy<W>> study_;
  std::vector<Child> path_;
  std::shared_ptr<const HexBook> book_ = HexBook::in_use();
  std::shared_ptr<AtWork> others_;  // none: this one works alone
  const Limit* limit_ = nullptr;
  StackLeft stack_;
  bool stopped_ = false;
  std::int64_t nodes_ = 0;
};

}  // namespace ludus
