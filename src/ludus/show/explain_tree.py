"""Explains minimax, alpha-beta and iterative deepening: the tree, its cut-offs, and what each depth found."""

from __future__ import annotations

import itertools
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol

from ludus._core import Rng
from ludus.errors import LudusError
from ludus.game import Game, State
from ludus.search import Estimate, Found, SearchNode
from ludus.show.explanation import Explanation, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 200_000  # nodes of the tree that may be recorded
SIGNS = {"exact": "", "at least": "≥", "at most": "≤"}


class DepthSearcher(Protocol):
    """What an agent must tell about its search of some depth."""

    estimate: Estimate

    def search(self, state: State, trace: int | None = None) -> Found: ...


@dataclass(frozen=True)
class TreeExplanation(Explanation):
    """A search of some depth with the top of its tree. All values are for the player to move."""

    found: Found
    tree: SearchNode
    estimate: Estimate
    plies: int  # of the tree that are recorded
    unit: str  # in what a margin is counted
    asks_solver: bool  # in a game, before it searches
    seconds: float

    @property
    def moves(self) -> list[SearchNode]:
        """The moves at the root: the chosen one, and then in the order in which they were tried."""
        return sorted(self.tree.children, key=lambda node: node.action != self.chosen)

    @property
    def skipped(self) -> int:
        """How many moves in the recorded part of the tree were not looked at because of cut-offs."""
        return sum(node.skipped for node in walk(self.tree))

    # --------------------------------------------------------------------------------------- numbers

    def value_text(self, value: float | None, bound: str = "exact") -> str:
        """A value as text: +0.12, ≤-0.30, or a margin such as +6; nothing where the search was stopped."""
        if value is None:
            return "?"
        number = f"{value:+.2f}" if self.found.utility == "score" else f"{value:+.3g}"
        return SIGNS[bound] + (number if value else "0")

    def describe_value(self, value: float) -> str:
        """A value in words."""
        player = self.state.player
        if self.found.utility == "margin":
            units = self.unit if abs(value) == 1 else f"{self.unit}s"
            return f"a margin of {value:+.3g} {units} for player {player}"
        if self.found.proven:
            return {1.0: "a win", 0.0: "a draw", -1.0: "a loss"}.get(value, f"{value:+.2f}") + f" for player {player}"
        return f"{self.value_text(value)} for player {player}, on a scale from -1 (lost) to +1 (won)"

    def remark(self, node: SearchNode) -> str:
        """What is special about a move at the root."""
        words = []
        if node.action == self.chosen:
            words.append("chosen")
        if node.ending == "over":
            words.append("ends the game")
        elif node.ending == "horizon":
            words.append("guessed at once")
        elif node.ending == "remembered":
            words.append("known from the transposition table")
        elif node.ending == "stopped":
            words.append("the time was up")
        elif node.skipped and node.best is not None:
            words.append(
                f"refuted by {self.write(node.best)}, {plural(node.skipped, 'reply', 'replies')} not looked at"
            )
        elif node.bound == "at most":
            words.append("no better than the best so far")
        return ", ".join(words)

    def table(self) -> list[str]:
        lines = [f"{'move':>6} {'value':>8} {'nodes':>9}  remark"]
        for node in self.moves[:12]:
            assert node.action is not None  # only the root has none
            value = self.value_text(node.value, node.bound)
            lines.append(f"{self.write(node.action):>6} {value:>8} {node.nodes:>9,}  {self.remark(node)}".rstrip())
        if len(self.moves) > 12:
            lines.append(f"and {plural(len(self.moves) - 12, 'other move')}, none better")
        if self.found.depths:
            lines += ["", f"{'depth':>6} {'value':>8} {'nodes':>9} {'seconds':>8}  best move"]
            for row in self.found.depths:
                value = self.value_text(row.value) if row.finished else ""
                best = self.write(row.action) + ("" if row.finished else "  (stopped before it was done)")
                lines.append(f"{row.depth:>6} {value:>8} {row.nodes:>9,} {row.seconds:>8.4f}  {best}")
        return lines

    def as_json(self) -> dict[str, object]:
        found = self.found
        return {
            "kind": "tree",
            "move": self.write(self.chosen),
            "value": found.value,
            "utility": found.utility,
            "proven": found.proven,
            "depth": found.depth,
            "nodes": found.nodes,
            "seconds": self.seconds,
            "line": [self.write(action) for action in found.line],
            "depths": [asdict(row) | {"action": self.write(row.action)} for row in found.depths],
            "tree": self.node_json(self.tree, 2),
        }

    def node_json(self, node: SearchNode, plies: int) -> dict[str, object]:
        """A node and `plies` plies below it; an open side of the window is null, for JSON has no infinity."""
        low, high = (None if abs(side) == float("inf") else side for side in (node.low, node.high))
        return {
            "move": None if node.action is None else self.write(node.action),
            "player": node.player,
            "value": node.value,
            "bound": node.bound,
            "window": [low, high],
            "ending": node.ending,
            "best": None if node.best is None else self.write(node.best),
            "legal": node.legal,
            "tried": node.tried,
            "nodes": node.nodes,
            "children": [self.node_json(child, plies - 1) for child in node.children if plies > 0],
        }

    def draw(self, figure: Figure) -> None:
        from ludus.show.picture_tree import draw_tree_search

        draw_tree_search(figure, self)

    # ----------------------------------------------------------------------------------------- words

    def in_words(self) -> str:
        parts = [self.how_deep(), self.verdict(), self.example(), self.what_the_depths_found()]
        if len(self.found.line) > 1:
            parts.append(f"It expects {self.write_line(self.found.line)} to be played.")
        if self.asks_solver:
            parts.append(
                "In a game this agent asks the exact solver first once few cells are empty; here only its search is "
                "shown."
            )
        return " ".join(part for part in parts if part)

    def how_deep(self) -> str:
        player, other = self.state.player, 1 - self.state.player
        depth = "to the end" if self.found.depth is None else f"{plural(self.found.depth, 'move')} deep"
        words = (
            f"Player {player} is to move. The search looked {depth}, at {plural(self.found.nodes, 'position')}, "
            f"assuming that player {player} always takes the move that is best for player {player} and player {other} "
            f"the one that is worst for player {player}."
        )
        if self.skipped:
            words += (
                " As soon as one reply showed that a move could not be better than one already found, the other "
                f"replies were not looked at: that left out {plural(self.skipped, 'branch', 'branches')} in the first "
                f"{plural(min(self.plies + 1, self.found.depth or self.plies + 1), 'ply', 'plies')} alone."
            )
        return words

    def verdict(self) -> str:
        move, found = self.write(self.chosen), self.found
        if self.tree.best != self.chosen and self.tree.best is not None:
            return (
                f"It chose {move}, which depth {found.depths[-1].depth} had found better than "
                f"{self.write(self.tree.best)} when the time was up; values and tree are those of the depth before."
            )
        if found.proven:
            return f"It chose {move}, whose value is proven: {self.describe_value(found.value)}."
        return (
            f"It chose {move}, with the value {self.describe_value(found.value)}. That is a guess: {self.heuristic()}."
        )

    def heuristic(self) -> str:
        """What judged the positions at the end of the look-ahead."""
        if callable(self.estimate):
            return "a given function values the positions at the end of the look-ahead"
        return {
            "estimate": f"the game's own heuristic{self.in_units()} values the positions at the end of the look-ahead "
            "(as even, if it has none)",
            "simple": "positions at the end of the look-ahead are valued by who has more on the board",
            "none": "unfinished games at the end of the look-ahead count as even",
        }[self.estimate]

    def in_units(self) -> str:
        return f", turned into {self.unit}s," if self.found.utility == "margin" else ""

    def example(self) -> str:
        """One cut-off in full, as an example."""
        cut = [node for node in self.moves if node.skipped and node.value is not None]
        node = max(cut, key=lambda node: node.low - (node.value or 0.0), default=self.tree)  # the clearest one
        if not cut or node.action is None or node.best is None:
            return ""
        return (
            f"For example, {self.write(node.action)} was dropped after the reply {self.write(node.best)}: its "
            f"value is then {self.value_text(node.value)} at most, and a move tried before has the value "
            f"{self.value_text(node.low)}, so {plural(node.skipped, 'other reply', 'other replies')} could not matter."
        )

    def what_the_depths_found(self) -> str:
        """How the choice of iterative deepening changed from depth to depth."""
        rows = self.found.depths
        if len(rows) < 2:
            return ""
        words = f"It searched depth 1 first, then every depth up to {rows[-1].depth}"
        if not rows[-1].finished:
            words += ", which the time did not suffice to finish"
        changed = [row for before, row in itertools.pairwise(rows) if row.action != before.action]
        if not changed:
            return f"{words}; {self.write(self.chosen)} was the best move at every depth."
        later = ", ".join(f"{self.write(row.action)} at depth {row.depth}" for row in changed)
        return f"{words}. The best move was {self.write(rows[0].action)} at depth 1, then {later}."


def explain_tree(game: Game, state: State, agent: DepthSearcher, rng: Rng) -> TreeExplanation:
    """Runs an agent's search on a state and records the top of its tree."""
    began = time.perf_counter()
    plies = 3 if len(state.actions()) ** 3 <= MOST else 2
    found = agent.search(state, trace=plies)
    if found.action is None or found.tree is None:
        raise LudusError("the search was stopped before it had looked at anything; give it more time")
    seconds = time.perf_counter() - began
    return TreeExplanation(
        game,
        state,
        found.action,
        found,
        found.tree,
        agent.estimate,
        plies,
        unit=game.unit or "point",
        asks_solver=getattr(agent, "asks_solver", lambda state: False)(state),
        seconds=seconds,
    )


def walk(node: SearchNode) -> list[SearchNode]:
    """A node and all recorded nodes below it."""
    return [node, *(below for child in node.children for below in walk(child))]
