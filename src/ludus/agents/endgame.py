"""Exact play by the solver for agents whose values are guesses: at the end of a game, and by a book in its opening."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from ludus.agents.agent import Decision
from ludus.game import Action, Player, State, empty_cells, native, seen_by
from ludus.search import alphabeta
from ludus.search.solve import Solver

TABLE_BYTES = 8 << 20  # setting up a larger table takes longer than these short proofs
WINNING = 0.8  # the part of a move's time that the solver gets after a proven win
GLANCE = 1e-9  # seconds in which the solver says what its book knows, without a search


class Endgame:
    """Asks the solver's book, and the solver itself once few cells are empty. It keeps its table from move to move.

    After an attempt for which the time was too short, `rest` more cells must be filled before the next one.
    """

    def __init__(self, rest: int = 0) -> None:
        self.solver = Solver(TABLE_BYTES)
        self.rest = rest
        self._in_vain: int | None = None  # how many cells were empty when the time was last too short
        self._won: int | None = None  # how many were empty when a win was last proven

    def part(self, state: State, usual: float) -> float:
        """Which part of the time it should get: more than usual after a proven win, because this should be one, too."""
        empty = empty_cells(state)
        return max(usual, WINNING) if self._won is not None and empty == self._won - 2 else usual

    def decide(self, state: State, seconds: float) -> Decision | None:
        """An action that keeps a proven win or draw; None if there is none or the time was up before it was found."""
        empty = empty_cells(state)
        if seconds <= 0 or empty is None:
            return None
        began, book = time.perf_counter(), native(state).game.solver_book
        self._won = None
        if book is not None and empty >= book and (booked := self.from_book(state, began)):
            return booked
        if self.resting(empty) or empty > native(state).game.solver_reach:
            return None
        value = self.solver.value(state, seconds)
        if value is None:
            self._in_vain = empty
            return None
        if value < 0:
            return None
        self._won = empty if value > 0 else None
        for action in keeping(self.solver, state, value, began + seconds):
            why = "a proven win" if value else "a proven draw"
            return Decision(action, why, value=float(value), line=[action], seconds=time.perf_counter() - began)
        return None

    def from_book(self, state: State, began: float) -> Decision | None:
        """An action that keeps a win or draw of the book, best one after which the book knows every reply."""
        value = self.solver.value(state, GLANCE)
        if value is None or value < 0:
            return None
        known: dict[Action, float] = {}  # the share of the replies that the book knows
        for action in state.actions():
            child = state.play(action)
            if self.known_for(state.player, child) == value:
                replies = [] if child.over else [child.play(reply) for reply in child.actions()]
                told = sum(self.known_for(state.player, after) is not None for after in replies)
                known[action] = told / max(1, len(replies))
        if not known:
            return None
        action = max(known, key=known.__getitem__)
        self._won = empty_cells(state) if value > 0 else None
        why = f"a proven {'win' if value else 'draw'}, from the book"
        return Decision(action, why, value=float(value), line=[action], seconds=time.perf_counter() - began)

    def known_for(self, player: Player, state: State) -> float | None:
        """The result for a player where the game is over or the solver knows it without a search."""
        if state.over:
            return state.score(player)
        value = self.solver.value(state, GLANCE)
        return None if value is None else seen_by(player, state.player, value)

    def resting(self, empty: int) -> bool:
        """Is it too soon after an attempt in vain? A position with more empty cells belongs to another game."""
        return self._in_vain is not None and self._in_vain - self.rest < empty <= self._in_vain


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
