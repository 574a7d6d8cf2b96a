"""Exact solvers: the proven result of perfect play, or None for "unknown". Never a guess."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from ludus import _core
from ludus.errors import whole_option
from ludus.game import Action, Game, State, past_of, rebuild, seen_by
from ludus.games.go import Go
from ludus.search.limits import FOREVER, refuse_no_state, seconds_option
from ludus.system import cores

TABLE_BYTES = 64 << 20
MOST_THREADS = 256


class Solver:
    """Proves values of states of one game. It keeps its transposition table from one question to the next.

    Several threads work on one question together where the game has a solver of its own (Connect Four and Hex).
    """

    def __init__(self, table_bytes: int = TABLE_BYTES, threads: int = 1) -> None:
        whole_option("table_bytes", table_bytes, 1 << 10, 1 << 40)
        whole_option("threads", threads, 1, MOST_THREADS)
        self.table_bytes, self.threads = table_bytes, threads
        self._game: Game | None = None
        self._compiled: _core.Solver | None = None

    def value(self, state: State, seconds: float | None = None) -> int | None:
        """The result under perfect play, +1, 0 or -1 for the player to move; None if it was not proven in time."""
        refuse_no_state(state)
        if state.over:
            return int(state.score(state.player))
        return self.compiled(state).value(state, seconds_option(seconds))

    def margin(self, state: State, seconds: float | None = None) -> float | None:
        """The final lead of the player to move under perfect play: in discs (Othello) or points (small Go)."""
        past = past_of(state)
        if past is not None and isinstance(past.game, Go):
            return self.go_margin(state, past.game, past, seconds)
        return self.compiled(state).margin(state, seconds_option(seconds))

    def plies(self, state: State, seconds: float | None = None) -> int | None:
        """How many plies perfect play still lasts; None if not proven in time, or never known in this game."""
        refuse_no_state(state)
        return 0 if state.over else self.compiled(state).plies(state, seconds_option(seconds))

    def go_margin(self, state: State, game: Go, past: _core.Past, seconds: float | None) -> float | None:
        """Black wins with every komi below the lead it can force: search for that komi, half point by half point."""
        deadline = time.perf_counter() + seconds_option(seconds)
        low, high = -(game.size**2), game.size**2  # Black forces at least low, and not more than high
        if game.superko == "draw" or game.size > 3:
            return None  # a draw by repetition has no points; larger boards are out of reach
        while low < high:
            middle = (low + high + 1) // 2
            asked = rebuild(replace(game, komi=middle - 0.5), past.origin, past.history)
            left = deadline - time.perf_counter()
            value = Solver(self.table_bytes).value(asked, left) if left > 0 else None
            if value is None:
                return None
            wins = seen_by(0, asked.player, value)
            low, high = (middle, high) if wins > 0 else (low, middle - 1)
        lead = low - float(game.komi or 0)
        return seen_by(state.player, 0, lead)

    def needs(self, state: State, seconds: float | None = None) -> list[Action] | None:
        """Cells that are enough for the winner, who wins even if all others are the loser's (Hex); None if unknown."""
        return self.compiled(state).needs(state, seconds_option(seconds))

    def actions(self, state: State, seconds: float | None = None) -> dict[Action, int | None]:
        """The value of every legal action, for the player to move; the seconds are for all of them together."""
        deadline = time.perf_counter() + seconds_option(seconds)
        values: dict[Action, int | None] = dict.fromkeys(state.actions())
        for action in values:
            left = deadline - time.perf_counter()
            if left <= 0:
                break  # this action and those after it stay unknown
            child = state.play(action)
            value = self.value(child, min(left, FOREVER))
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
        return self.compiled(state).can(state)

    def compiled(self, state: State) -> _core.Solver:
        """The compiled solver for a state's game, a new one for a new game."""
        past = past_of(state)
        game = None if past is None else past.game
        if self._compiled is None or game != self._game:
            self._game, self._compiled = game, _core.solver(state, self.table_bytes, self.threads)
        return self._compiled
