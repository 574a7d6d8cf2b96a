"""The minimax family on games of the notebook: to the end of the game or to a cutoff, plain or with a table.

All return the value for the player to move and the first of the best moves, in the game's own order of moves. The
searches with a table (`_tt`, and the one with a cutoff) look every state up before they search it. They store whether
a value is exact or only a bound, so they find what the plain ones find.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludus.errors import LudusError
from ludus.game import Action, Player, State, seen_by
from ludus.search.textbook import AlphaBeta, Minimax

Cutoff = Callable[[Any, Any, int], bool]  # (game, state, depth): stop here?
Heuristic = Callable[[Any, Any], float]  # (state, player): a guess at the utility for a player
Leaf = Callable[[Any, int], float | None]  # (state, depth): the value for the one who searches; None: search on

infinity = math.inf


@dataclass(frozen=True)
class Task:
    """What is searched: a game, for whom (`me`), and where the search ends."""

    game: Any
    me: Any
    leaf: Leaf
    by_depth: bool = False  # does `leaf` look at the depth, so that a table must, too?


class Ply:
    """A state for the textbook's searches. Player 0 is `me`, whose move is sought; action i is the i-th legal move."""

    def __init__(self, task: Task, state: Any, depth: int = 0) -> None:
        self.task, self.state, self.depth = task, state, depth
        self.value = task.leaf(state, depth)
        self.over = self.value is not None

    @property
    def player(self) -> Player:
        return 0 if self.state.to_move == self.task.me else 1

    def actions(self) -> range:
        self.moves = list(self.task.game.actions(self.state))
        return range(len(self.moves))

    def play(self, action: Action, /) -> Ply:
        return Ply(self.task, self.task.game.result(self.state, self.moves[action]), self.depth + 1)

    def score(self, player: Player, /) -> float:
        """The value where the search ends; what is good for me is bad for the other."""
        assert self.value is not None
        return seen_by(player, 0, self.value)

    def __eq__(self, other: object) -> bool:
        """Boards are equal when their stones are, so whose turn it is must be asked apart."""
        return (
            isinstance(other, Ply)
            and self.player == other.player
            and (self.depth == other.depth or not self.task.by_depth)
            and bool(self.state == other.state)
        )

    def __hash__(self) -> int:
        try:
            return hash(self.state)
        except TypeError:
            kind = type(self.state).__name__
            raise LudusError(f"a search with a table needs states with a hash, and {kind} has none") from None


class MinimaxWithTable(Minimax):
    """Minimax that searches every state once."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[State, tuple[float, Action | None]] = {}

    def search(self, state: State, depth: float = math.inf) -> tuple[float, Action | None]:
        if state not in self.known:
            self.known[state] = super().search(state, depth)
        return self.known[state]


# ------------------------------------------------------------------------------------------ to the end of the game


def minimax_search(game: Any, state: Any) -> tuple[float, Any]:
    """The value of a state for the player to move, and the move that reaches it, by looking at every line of play."""
    return found_by(Minimax(), to_the_end(game, state), state)


def alphabeta_search(game: Any, state: Any) -> tuple[float, Any]:
    """The same as minimax_search, without the lines of play that cannot change it."""
    return found_by(AlphaBeta(), to_the_end(game, state), state)


def minimax_search_tt(game: Any, state: Any) -> tuple[float, Any]:
    """The same as minimax_search, which searches every state once, whichever way it comes there."""
    return found_by(MinimaxWithTable(), to_the_end(game, state), state)


def alphabeta_search_tt(game: Any, state: Any) -> tuple[float, Any]:
    """The same as alphabeta_search, with a table of the states that it has seen."""
    return found_by(AlphaBeta(caching=True), to_the_end(game, state), state)


def to_the_end(game: Any, state: Any) -> Task:
    me = state.to_move
    return Task(game, me, lambda state, depth: game.utility(state, me) if game.is_terminal(state) else None)


# ---------------------------------------------------------------------------------------------------- to a cutoff


def cutoff_depth(d: int) -> Cutoff:
    """A cutoff that lets a search look at the states up to d moves ahead; those one move further are guessed at."""
    return lambda game, state, depth: depth > d


usual_cutoff = cutoff_depth(6)


def even(state: Any, player: Any) -> float:
    """The heuristic that takes every state for even."""
    return 0


def h_alphabeta_search(game: Any, state: Any, cutoff: Cutoff = usual_cutoff, h: Heuristic = even) -> tuple[float, Any]:
    """Alpha-beta with a table that stops where cutoff(game, state, depth) says so and takes h(state, player) there.

    The root has depth 0. The heuristic is always asked for the player who is to move at the root.
    """
    me = state.to_move

    def leaf(state: Any, depth: int) -> float | None:
        if game.is_terminal(state):
            value: float = game.utility(state, me)
            return value
        return h(state, me) if cutoff(game, state, depth) else None

    return found_by(AlphaBeta(caching=True), Task(game, me, leaf, by_depth=True), state)


def found_by(search: Minimax | AlphaBeta, task: Task, state: Any) -> tuple[float, Any]:
    """The value of a state and the move to it, found by one of the textbook's searches."""
    root = Ply(task, state)
    value, choice = search.search(root)
    return value, None if choice is None else root.moves[choice]
