"""Exact play at the end of a game, by the solver, for agents whose values are guesses until then."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from ludus.agents.agent import Decision
from ludus.game import Action, Game, State, empty_cells, native, seen_by
from ludus.search import alphabeta
from ludus.search.solve import Solver

TABLE_BYTES = 8 << 20  # setting up a larger table takes longer than these short proofs


class Endgame:
    """Asks the solver once few cells are empty. The solver keeps its transposition table from move to move.

    After an attempt for which the time was too short, `rest` more cells must be filled before the next one.
    """

    def __init__(self, rest: int = 0) -> None:
        self.solver = Solver(TABLE_BYTES)
        self.rest = rest
        self._in_vain: int | None = None  # how many cells were empty when the time was last too short

    def decide(self, state: State, seconds: float) -> Decision | None:
        """An action that keeps a proven win or draw; None if there is none or the time was up before it was found."""
        empty = empty_cells(state)
        if seconds <= 0 or empty is None or self.resting(empty) or not in_reach(native(state).game, empty):
            return None
        began = time.perf_counter()
        value = self.solver.value(state, seconds)
        if value is not None:
            if value < 0:
                return None
            for action in keeping(self.solver, state, value, began + seconds):
                why = "a proven win" if value else "a proven draw"
                return Decision(action, why, value=float(value), line=[action], seconds=time.perf_counter() - began)
        self._in_vain = empty
        return None

    def resting(self, empty: int) -> bool:
        """Is it too soon after an attempt in vain? A position with more empty cells belongs to another game."""
        return self._in_vain is not None and self._in_vain - self.rest < empty <= self._in_vain


def in_reach(game: Game, empty: int) -> bool:
    """Does the solver usually answer at once: near the end of a game, or at its beginning from a book?"""
    return empty <= game.solver_reach or (game.solver_book is not None and empty >= game.solver_book)


def keeping(solver: Solver, state: State, value: int, deadline: float) -> Iterator[Action]:
    """The actions that are proven to keep the value of a state, as they are found.

    All are tried for a short time, then those that are left for longer, so that one hard to refute holds up no other.
    """
    given = deadline - time.perf_counter()
    untried, slice = promising(state, deadline - 0.8 * given), given / 16
    while untried:
        for action in list(untried):
            left = deadline - time.perf_counter()
            if left <= 0:
                return
            child = state.play(action)
            found = solver.value(child, min(slice, left))
            if found is not None:
                untried.remove(action)
                if seen_by(state.player, child.player, found) == value:
                    yield action
        slice *= 4


def promising(state: State, deadline: float) -> list[Action]:
    """The actions, ordered by their value two plies ahead, the best first; those not looked at in time come last."""

    def value_ahead(action: Action) -> float:
        child, left = state.play(action), deadline - time.perf_counter()
        if left <= 0:
            return -math.inf
        value = child.score(child.player) if child.over else alphabeta(child, 2, seconds=left).value
        return seen_by(state.player, child.player, value)

    return sorted(state.actions(), key=value_ahead, reverse=True)
