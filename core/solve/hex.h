// draft
#pragma once

#include <optional>

#include "base/limit.h"
#include "solve/hex_connections.h"
#include "solve/hex_inferior.h"

namespace ludus {

struct HexProof {
  static constexpr std::uint32_t infinite = 1u << 30;
  std::uint32_t win, loss;  // how much work a proof takes at least, by the measure of the search
  bool solved() const { return win == 0 || loss == 0; }
};

template <int W>
struct HexEntry {
  HexPosition<W> position;
  Bits<W> moves;
  HexProof proof{0, 0};  // both zero: nothing here
  std::uint32_t work = 0;
};

template <int W>
class HexTable {
 public:
  explicit HexTable(std::size_t entries) : entries_(std::bit_ceil(std::max<std::size_t>(entries, 16))) {}
  HexEntry<W>* find(const HexPosition<W>& p) {
    const std::size_t at = p.hash() & (entries_.size() - 1) & ~std::size_t{3};
    for (int i = 0; i < 4; ++i) {
      HexEntry<W>& e = entries_[at + i];
      if (e.position == p && (e.proof.win | e.proof.loss) != 0) return &e;
    }
    return nullptr;
  }
  void store(const HexEntry<W>& entry) {
    if (HexEntry<W>* e = find(entry.position)) {
      *e = entry;
      return;
    }
    const std::size_t at = entry.position.hash() & (entries_.size() - 1) & ~std::size_t{3};
    HexEntry<W>* worst = &entries_[at];
    for (int i = 0; i < 4; ++i)
      if (entries_[at + i].work < worst->work) worst = &entries_[at + i];
    if (worst->work > 0) ++lost;
    *worst = entry;
  }
  void clear() { std::fill(entries_.begin(), entries_.end(), HexEntry<W>{}); }
  std::int64_t lost = 0;
 private:
  std::vector<HexEntry<W>> entries_;
};

template <int W>
class HexSolver {
 public:
  explicit HexSolver(std::size_t table_entries = 1 << 20) : table_(table_entries) {}

  std::optional<int> value(const Hex<W>& state, const Limit& limit) {
    if (state.over()) return static_cast<int>(state.score(state.player()));
    use_board(state.board);
    limit_ = &limit;
    stopped_ = false;
    if (state.can_swap()) return swap_value(state);
    return plain_value(state);
  }

  std::int64_t nodes() const { return nodes_; }

 private:
  struct Child { HexPosition<W> position; int move; };

  void use_board(const HexBoard<W>* board) {
    if (board == board_) return;
    board_ = board;
    turns_.emplace(board->grid.width);
    connections_.emplace(*board);
    table_.clear();
  }

  std::optional<int> swap_value(const Hex<W>& state) {
    bool unknown = false;
    for (Action a : state.actions()) {
      Hex<W> next = state;
      next.play(a);
      const auto v = next.over() ? std::optional<int>(static_cast<int>(next.score(next.player()))) : plain_value(next);
      if (!v) unknown = true;
      else if (*v < 0) return 1;
    }
    if (unknown) return std::nullopt;
    return -1;
  }

  std::optional<int> plain_value(const Hex<W>& state) {
    HexPosition<W> p{state.stones[0], state.stones[1]};
    if (state.player() == 1) p = turns_->passed(p);
    p = turns_->canonical(p);
    prove(p, {HexProof::infinite, HexProof::infinite});
    const HexProof proof = look(p).proof;
    if (!proof.solved()) return std::nullopt;
    return proof.win == 0 ? 1 : -1;
  }

  HexEntry<W> look(const HexPosition<W>& p) {
    if (const HexEntry<W>* e = table_.find(p)) return *e;
    HexEntry<W> entry{p, {}, {}, 1};
    entry.proof = judge(p, entry.moves);
    table_.store(entry);
    return entry;
  }

  static constexpr HexProof won{0, HexProof::infinite}, lost{HexProof::infinite, 0};

  HexProof judge(HexPosition<W> p, Bits<W>& moves) {
    ++nodes_;
    if ((nodes_ & 15) == 0 && limit_->reached()) stopped_ = true;
    p = filled(p);
    if (joined(p.mine, 0)) return won;
    if (joined(p.theirs, 1)) return lost;
    connections_->search(p, HexConnections<W>::any_semi);
    if (connections_->can_join()) return won;
    connections_->search(turns_->passed(p), HexConnections<W>::all_semis);
    if (connections_->joined()) return lost;
    moves = worth_playing(p, turns_->mirrored(connections_->must_break()));
    if (!moves.any()) return lost;
    return {1, static_cast<std::uint32_t>(moves.count())};
  }

  bool joined(const Bits<W>& stones, Player p) const {
    return (flood(stones & board_->first[p], stones, [this](const Bits<W>& b) { return board_->around(b); }) &
            board_->last[p]).any();
  }

  HexPosition<W> filled(HexPosition<W> p) const {
    for (;;) {
      const HexPosition<W> before = p;
      p = turns_->passed(with_fill(turns_->passed(with_fill(p))));
      if (p == before) return p;
    }
  }

  HexPosition<W> with_fill(HexPosition<W> p) const {
    const HexGraph<W> graph(*board_, p);
    p.mine |= graph.dead_cells() | graph.captured_cells(graph.open);
    return p;
  }

  Bits<W> worth_playing(const HexPosition<W>& p, const Bits<W>& must) const {
    const HexGraph<W> theirs(*board_, turns_->passed(p));
    Bits<W> vulnerable;
    for (int i : theirs.open) vulnerable |= theirs.killed_by(i);
    Bits<W> moves = must.without(turns_->mirrored(vulnerable));
    const HexGraph<W> mine(*board_, p);
    for (int i : mine.open) {
      if (must.has(i) && !moves.has(i)) continue;
      const HexGraph<W> then = mine.with(i);
      moves = moves.without(mine.killed_by(i) | then.captured_cells(mine.near[i]));
    }
    return moves;
  }

  void prove(const HexPosition<W>& p, HexProof limits) {
    HexEntry<W> entry = look(p);
    std::array<HexPosition<W>, 64 * W> children;
    int count = 0;
    for (int m : entry.moves) children[count++] = turns_->canonical(turns_->after(p, m));
    while (!stopped_ && entry.proof.win < limits.win && entry.proof.loss < limits.loss) {
      std::uint32_t best = 0, second = HexProof::infinite; int at = -1; best = HexProof::infinite;
      std::uint64_t sum = 0; std::uint32_t best_win = 0;
      for (int i = 0; i < count; ++i) {
        const HexProof c = look(children[i]).proof;
        if (c.loss == 0) { best = 0; at = i; break; }
        if (c.win == 0) continue;
        sum += c.win;
        if (c.loss < best) { second = best; best = c.loss; at = i; best_win = c.win; }
        else if (c.loss < second) second = c.loss;
      }
      if (best == 0) entry.proof = won;
      else if (at < 0) entry.proof = lost;
      else entry.proof = {best, static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, HexProof::infinite - 1))};
      if (stopped_ || entry.proof.win >= limits.win || entry.proof.loss >= limits.loss) break;
      ++entry.work;
      const HexProof next{limits.loss - entry.proof.loss + best_win, std::min(limits.win, second + second / 4 + 1)};
      prove(children[at], next);
    }
    table_.store(entry);
  }

  HexTable<W> table_;
  const HexBoard<W>* board_ = nullptr;
  std::optional<HexTurns<W>> turns_;
  std::optional<HexConnections<W>> connections_;
  const Limit* limit_ = nullptr;
  bool stopped_ = false;
  std::int64_t nodes_ = 0;
};

}  // namespace ludus
