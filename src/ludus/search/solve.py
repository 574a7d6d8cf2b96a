"""Exact solvers: the proven result of perfect play, or None for "unknown". Never a guess."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from ludus import _core
from ludus.errors import BadOption
from ludus.game import Action, State, native, rebuild, seen_by
from ludus.games.go import Go
from ludus.search.depth import alphabeta
from ludus.search.limits import FOREVER, TooDeep, refuse_no_state, seconds_option
from ludus.system import cores

TABLE_BYTES = 64 << 20


class Solver:
    """Proves values of states of one game. It keeps its transposition table from one question to the next."""

    def __init__(self, table_bytes: int = TABLE_BYTES) -> None:
        if not isinstance(table_bytes, int) or not 1 << 10 <= table_bytes <= 1 << 40:
            raise BadOption(f"table_bytes must be a whole number from 1024 up, not {table_bytes!r}")
        self.table_bytes = table_bytes
        self._game: object = None
        self._native: Any = None

    def value(self, state: State, seconds: float | None = None) -> int | None:
        """The result under perfect play, +1, 0 or -1 for the player to move; None if it was not proven in time."""
        refuse_no_state(state)
        if state.over:
            return int(state.score(state.player))
        if not hasattr(state, "history"):
            return python_value(state, seconds)
        answer: int | None = self.native(state).value(state, seconds_option(seconds))
        return answer

    def margin(self, state: State, seconds: float | None = None) -> float | None:
        """The final lead of the player to move under perfect play: in disks (Othello) or points (small Go)."""
        game = getattr(state, "game", None)
        if isinstance(game, Go):
            return self.go_margin(state, game, seconds)
        solver = self.native(state)
        if not hasattr(solver, "margin"):
            raise BadOption("only Othello and Go have a margin to solve for")
        answer: int | None = solver.margin(state, seconds_option(seconds))
        return answer

    def go_margin(self, state: State, game: Go, seconds: float | None) -> float | None:
        """Black wins with every komi below the lead it can force: search for that komi, half point by half point."""
        deadline = time.perf_counter() + seconds_option(seconds)
        low, high = -(game.size**2), game.size**2  # Black forces at least low, and not more than high
        if game.superko == "draw" or game.size > 3:
            return None  # a draw by repetition has no points; larger boards are out of reach
        while low < high:
            middle = (low + high + 1) // 2
            asked = rebuild(replace(game, komi=middle - 0.5), native(state).origin, native(state).history)
            left = deadline - time.perf_counter()
            value = Solver(self.table_bytes).value(asked, left) if left > 0 else None
            if value is None:
                return None
            wins = seen_by(0, asked.player, value)
            low, high = (middle, high) if wins > 0 else (low, middle - 1)
        lead = low - float(game.komi or 0)
        return seen_by(state.player, 0, lead)

    def actions(self, state: State, seconds: float | None = None) -> dict[Action, int | None]:
        """The value of every legal action, for the player to move; the seconds are for all of them together."""
        deadline = time.perf_counter() + seconds_option(seconds)
        values: dict[Action, int | None] = {}
        for action in state.actions():
            child, left = state.play(action), deadline - time.perf_counter()
            value = self.value(child, min(left, FOREVER)) if left > 0 or child.over else None
            values[action] = None if value is None else int(seen_by(state.player, child.player, value))
        return values

    def values(
        self, states: Sequence[State], seconds: float | None = None, workers: int | None = None
    ) -> list[int | None]:
        """The values of many states, on all cores (or `workers`); the seconds are for each of them."""
        workers = workers or cores()
        solvers = [self, *(Solver(self.table_bytes) for _ in range(workers - 1))]

        def share(i: int) -> list[int | None]:  # native solvers release the GIL while they search
            return [solvers[i].value(state, seconds) for state in states[i::workers]]

        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(share, range(workers)))
        return [parts[i % workers][i // workers] for i in range(len(states))]

    def can(self, state: State) -> bool:
        """Is a state's game within the reach of a solver at all?"""
        return not hasattr(state, "history") or bool(self.native(state).can(state))

    def native(self, state: State) -> Any:
        """The compiled solver for a state's game, a new one for a new game."""
        game = getattr(state, "game", None)
        if self._native is None or game != self._game:
            self._game, self._native = game, _core.solver(state, self.table_bytes)
        return self._native


def python_value(state: State, seconds: float | None) -> int | None:
    """The value of a state written in Python: alpha-beta to the end, with a transposition table if it has a hash."""
    caching = type(state).__hash__ is not None and type(state).__eq__ is not object.__eq__
    try:
        found = alphabeta(state, None, "none", seconds, caching=caching, ordering=False)
    except TooDeep:
        return None
    return None if found.stopped or not found.complete else int(found.value)
