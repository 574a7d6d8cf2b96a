"""Minimax, alpha-beta and iterative deepening as the course asks for them, by the native searches."""

from __future__ import annotations

import time
from typing import Any

from ludus import search
from ludus.agents import Decision, TimeLeft
from ludus.agents.depth import UNHURRIED, at_least_one, decision_of
from ludus.agents.pace import pace
from ludus.courses.brown.base import NativeAgent
from ludus.courses.brown.go_search_problem import GoState
from ludus.courses.brown.heuristic_go_problems import GoProblemSimpleHeuristic, plain_number
from ludus.errors import BadOption
from ludus.game import NativeState, State, native, seen_by
from ludus.search import Estimate, Found
from ludus.search.limits import seconds_option

BOUND = 1 - 1e-6  # of a guess; only a finished game is a whole win


def estimate_of(problem: Any) -> Estimate:
    """The heuristic of a search problem as our searches want it: for the player to move, and between a loss and a win.

    Squashing keeps the order, so the choice is the same. A won game counts more than any guess, as the text advises.
    """
    if type(problem) is GoProblemSimpleHeuristic:
        return "simple"
    if not callable(getattr(problem, "heuristic", None)):
        raise BadOption(f"a search of limited depth needs a problem with a heuristic, and {problem} has none")

    def estimate(state: State) -> float:
        value = plain_number(problem.heuristic(GoState(native(state)), state.player))
        squashed = value / (1 + abs(value)) if abs(value) < 1e15 else (BOUND if value > 0 else -BOUND)
        return seen_by(state.player, 0, max(-BOUND, min(BOUND, squashed)))

    return estimate


class HeuristicAgent(NativeAgent):
    """What agents with a search problem share."""

    def __init__(self, search_problem: Any = None, seed: int | None = None) -> None:
        super().__init__(seed)
        problem = GoProblemSimpleHeuristic() if search_problem is None else search_problem
        self.search_problem = problem() if isinstance(problem, type) else problem
        self.estimate = estimate_of(self.search_problem)
        self.found: Found | None = None  # by the last search

    def search(self, position: NativeState, left: TimeLeft | None) -> Found:
        raise NotImplementedError

    def decide(self, position: NativeState, left: TimeLeft | None) -> Decision:
        began = time.perf_counter()
        self.found = self.search(position, left)
        return decision_of(self.found, began)


class FixedDepthAgent(HeuristicAgent):
    """Looks a number of plies ahead; less deep only where the clock would run out."""

    def __init__(
        self, depth: int = 1, search_problem: Any = None, *, depth_cutoff: int | None = None, seed: int | None = None
    ) -> None:
        super().__init__(search_problem, seed)
        self.depth = at_least_one(depth if depth_cutoff is None else depth_cutoff)

    def look(self, position: NativeState, seconds: float | None) -> Found:
        raise NotImplementedError

    def search(self, position: NativeState, left: TimeLeft | None) -> Found:
        if left is None:
            return self.look(position, None)
        most = pace(left, position, UNHURRIED).most
        found = self.look(position, 0.7 * most)
        return found if not found.stopped else search.deepening(position, 0.25 * most, self.depth, self.estimate)


class MinimaxAgent(FixedDepthAgent):
    """Looks at every state; of equally good actions the first."""

    def look(self, position: NativeState, seconds: float | None) -> Found:
        return search.minimax(position, self.depth, self.estimate, seconds)

    def __str__(self) -> str:
        return f"MinimaxAgent w/ depth {self.depth} + {self.search_problem}"


class AlphaBetaAgent(FixedDepthAgent):
    """The same choice as minimax, without looking at what cannot change it."""

    def look(self, position: NativeState, seconds: float | None) -> Found:
        return search.alphabeta(position, self.depth, self.estimate, seconds, caching=False, ordering=False)

    def __str__(self) -> str:
        return f"AlphaBeta w/ depth {self.depth} + {self.search_problem}"


class IterativeDeepeningAgent(HeuristicAgent):
    """Alpha-beta of depth 1, 2, 3, … for `cutoff_time` seconds; the choice of the last depth that was finished."""

    def __init__(self, cutoff_time: float = 1, search_problem: Any = None, seed: int | None = None) -> None:
        super().__init__(search_problem, seed)
        self.cutoff_time = cutoff_time
        seconds_option(cutoff_time)

    def search(self, position: NativeState, left: TimeLeft | None) -> Found:
        seconds = 0.95 * self.cutoff_time  # it must have answered by then
        if left is not None:
            seconds = min(seconds, pace(left, position).most)
        return search.deepening(position, seconds, None, self.estimate)

    def __str__(self) -> str:
        return f"IterativeDeepneing + {self.search_problem}"  # spelt as the course's agents.py prints it
