"""The lesson on minimax and alpha-beta as JSON: the nodes in the order visited, windows, values and cut-offs.

The record comes from the compiled search itself (`trace` in ludus/search/depth.py). All values are for the player to
move at the root.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from ludus import search
from ludus.errors import BadOption
from ludus.game import Player, State
from ludus.play.talk import move_in_words, title_of
from ludus.search import Found, SearchNode
from ludus.web.lessons.stage import Json, Stage, changes
from ludus.web.lessons.words import counted, number, place_after, sentence

MOST_NODES = 400  # that a lesson draws
SECONDS = 1.0  # for counting the positions of one search
SIGNS = {"exact": "", "at least": "≥ ", "at most": "≤ "}
BOUNDS = {"exact": "", "at least": "at least ", "at most": "at most "}


@dataclass(frozen=True)
class How:
    """How deep the search looks, and what it does to look at less."""

    depth: int
    pruning: bool = True
    ordering: bool = False


KINDS = {"minimax": (False, False), "pruning": (True, False), "ordering": (True, True)}  # what is compared


def alphabeta_lesson(stage: Stage, how: How) -> Json:
    """The whole lesson."""
    refuse_many(stage.state, how)
    counts = {kind: count_nodes(stage.state, How(how.depth, *other), how.depth) for kind, other in KINDS.items()}
    tree = recorded(stage.state, how)
    teller = Teller(stage, how)
    steps = [*teller.walk(tree, stage.state, [], None), teller.done(tree, counts)]
    return {
        "title": title_of(stage.game),
        "players": list(stage.players),
        "player": stage.state.player,
        "position": stage.position(stage.state),
        "nodes": teller.nodes,
        "steps": steps,
        "counts": counts,
        "count": kind_of(how),
        "layouts": stage.layouts,
    }


# ------------------------------------------------------------------------------------------- searches


def kind_of(how: How) -> str:
    return "minimax" if not how.pruning else "ordering" if how.ordering else "pruning"


def find(state: State, how: How, depth: int, seconds: float | None = None, trace: int | None = None) -> Found:
    """Runs the search."""
    if not how.pruning:
        return search.minimax(state, depth, seconds=seconds, trace=trace)
    return search.alphabeta(state, depth, caching=False, ordering=how.ordering, seconds=seconds, trace=trace)


def recorded(state: State, how: How) -> SearchNode:
    """The tree of the search, all of it."""
    tree = find(state, how, how.depth, trace=how.depth).tree
    assert tree is not None, "a search that is asked for its tree has one"
    return tree


def count_nodes(state: State, how: How, depth: int) -> int | None:
    """How many positions a search looks at; None if that takes too long."""
    found = find(state, how, depth, SECONDS)
    return None if found.stopped else found.nodes


def refuse_many(state: State, how: How) -> None:
    """Refuses a tree that cannot be drawn, and says which depth can."""
    for depth in range(1, how.depth + 1):
        count = count_nodes(state, how, depth)
        if count is None or count > MOST_NODES:
            looked = "very many" if count is None else f"{count:,}"
            less = f"depth {depth - 1} or a later position" if depth > 1 else "a later position"
            raise BadOption(
                f"a search of depth {depth} looks at {looked} positions here, and a lesson draws at most {MOST_NODES}; "
                f"choose {less}"
            )


# --------------------------------------------------------------------------------------------- values


def plain(value: float) -> str:
    """A value as people write it: +1, 0, −0.12."""
    text = f"{value:+.2f}".rstrip("0").rstrip(".") if value else "0"
    return ("0" if text in ("+0", "-0") else text).replace("-", "−")


def text_of(side: float) -> str:
    """A side of a window."""
    return plain(side) if math.isfinite(side) else "−∞" if side < 0 else "+∞"


def value_text(node: SearchNode) -> str:
    """A value, or the bound that a cut-off left."""
    assert node.value is not None
    return SIGNS[node.bound] + plain(node.value)


# ---------------------------------------------------------------------------------------- step by step


@dataclass
class Window:
    """What is known at a node that is being searched: values between low and high still matter."""

    low: float
    high: float
    best: float | None = None

    def learn(self, value: float, largest: bool) -> bool:
        """A child has this value. True if it is the best so far."""
        better = self.best is None or (value > self.best if largest else value < self.best)
        if better:
            self.best = value
            self.low, self.high = (max(self.low, value), self.high) if largest else (self.low, min(self.high, value))
        return better


@dataclass
class Teller:
    """Walks through a recorded tree in the order of the search and says what happened."""

    stage: Stage
    how: How
    nodes: list[Json] = field(default_factory=list)

    def begin(self) -> str:
        first, second = self.stage.state.player, 1 - self.stage.state.player
        return (
            f"{sentence(self.stage.name(first))} is to move and looks for the largest value, {self.stage.name(second)} "
            f"for the smallest. All values are for {self.stage.name(first)}: +1 is a win."
        )

    def largest(self, node: SearchNode) -> bool:
        """Does the player to move look for the largest value?"""
        return node.player == self.stage.state.player

    def walk(self, node: SearchNode, state: State, line: list[str], above: tuple[int, Json] | None) -> Iterator[Json]:
        """The steps at a node and below it, up to but without its value. `above` is its parent with its position."""
        index, position = len(self.nodes), self.stage.position(state)
        self.nodes.append(self.described(node, state, line, above, position))
        if node.ending != "searched":
            return
        window = Window(node.low, node.high)
        yield self.step("enter", index, self.enter(node, line), index, window)
        for child in node.children:
            assert child.action is not None and child.value is not None, "every child of a finished search has a value"
            to, at = [*line, self.stage.write(state, child.action)], len(self.nodes)
            yield from self.walk(child, state.play(child.action), to, (index, position))
            better = window.learn(child.value, self.largest(node))
            words = f"{self.worth(child, to)} {self.meaning(node, window, better)}"
            kind = "close" if child.ending == "searched" else "leaf"
            yield self.step(kind, at, words, index, window) | {"value": value_text(child)}
        if node.skipped:
            words = self.cut(node, state, line, self.nodes[index]["player"])
            yield self.step("cut", index, words, index, window) | {"cut": self.skipped(node, state)}

    def step(self, kind: str, node: int, words: str, parent: int, window: Window) -> Json:
        """A step: the node it is about, and what is known now at a node that is being searched."""
        best = "" if window.best is None else plain(window.best)
        sides = [text_of(window.low), text_of(window.high)] if self.how.pruning else None
        return {"kind": kind, "node": node, "words": words, "open": parent, "window": sides, "best": best}

    def described(
        self, node: SearchNode, state: State, line: list[str], above: tuple[int, Json] | None, position: Json
    ) -> Json:
        """What stays the same about a node. Its player is who moved there."""
        parent, before = above or (None, position)
        return {
            "parent": parent,
            "move": line[-1] if line else None,
            "player": None if parent is None else self.nodes[parent]["to_move"],
            "to_move": node.player,
            "largest": self.largest(node),
            "over": state.over,
            "change": changes(before, position),
        }

    def skipped(self, node: SearchNode, state: State) -> list[str]:
        """The moves that a cut-off left out."""
        tried = {child.action for child in node.children}
        return [self.stage.write(state, action) for action in state.actions() if action not in tried]

    # ------------------------------------------------------------------------------------------ words

    def enter(self, node: SearchNode, line: list[str]) -> str:
        if not line:
            return self.begin()
        size = "largest" if self.largest(node) else "smallest"
        words = f"{sentence(place_after(line))}, {self.stage.name(node.player)} looks for the {size} value."
        low, high = math.isfinite(node.low), math.isfinite(node.high)
        if not self.how.pruning or not (low or high):
            return words
        between = f"between {plain(node.low)} and {plain(node.high)}" if low and high else ""
        side = f"above {plain(node.low)}" if low else f"below {plain(node.high)}"
        return f"{words} Only a value {between or side} can still matter."

    def worth(self, node: SearchNode, line: list[str]) -> str:
        """What a move has turned out to be worth."""
        assert node.value is not None
        value = plain(node.value)
        if node.ending == "over":
            return f"The move {line[-1]} ends the game: {self.result(node.value)}, worth {value}."
        if node.ending == "horizon":
            return f"The search goes no deeper: the move {line[-1]} is guessed at {value}."
        return f"The move {line[-1]} is worth {BOUNDS[node.bound]}{value}."

    def result(self, value: float) -> str:
        player = self.stage.state.player if value > 0 else 1 - self.stage.state.player
        return "a draw" if value == 0 else f"{self.stage.name(player)} wins"

    def meaning(self, node: SearchNode, window: Window, better: bool) -> str:
        """What a child's value means for the player who may choose it."""
        assert window.best is not None
        best = sentence(self.gets(node.player, window.best))
        return f"{best}, the best so far." if better else f"{best} already, so that is no better."

    def gets(self, player: Player, value: float) -> str:
        """What a player can reach, told for the player at the root."""
        first = self.stage.state.player
        if player == first:
            return f"{self.stage.name(first)} can have {plain(value)}"
        return f"{self.stage.name(player)} can hold {self.stage.name(first)} to {plain(value)}"

    def cut(self, node: SearchNode, state: State, line: list[str], chooser: Player) -> str:
        """Why the other moves at a node cannot matter."""
        assert node.best is not None and node.value is not None, "a cut-off has a move that caused it"
        known = node.high if self.largest(node) else node.low
        reply = move_in_words(self.stage.write(state, node.best))
        refuted = f"The move {line[-1]} is refuted by {reply}" if chooser != node.player else f"Here {reply} is enough"
        others = "reply" if node.skipped == 1 else f"{number(node.skipped)} replies"
        return (
            f"{refuted}: elsewhere {self.gets(1 - node.player, known)}, and here {self.gets(node.player, node.value)}, "
            f"so the other {others} cannot matter."
        )

    def done(self, tree: SearchNode, counts: dict[str, int | None]) -> Json:
        """The last step: the value of the root."""
        assert tree.best is not None and tree.value is not None
        best = self.stage.write(self.stage.state, tree.best)
        words = f"The move {best} is best, worth {plain(tree.value)}. {self.effort(counts)}."
        step = self.step("done", 0, words, 0, Window(tree.low, tree.high, tree.value))
        return step | {"value": value_text(tree), "chosen": best}

    def effort(self, counts: dict[str, int | None]) -> str:
        looked = f"The search looked at {counted(counts[kind_of(self.how)] or 0, 'position')}"
        without = counts["minimax"]
        if not self.how.pruning or without is None:
            return looked
        return f"{looked}; without pruning it would be {without:,}"
