"""Agents that look a number of plies ahead: greedy, minimax, alpha-beta, iterative deepening."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ludus import search
from ludus._core import Rng
from ludus.agents.agent import Decision, TimeLeft
from ludus.agents.endgame import Endgame
from ludus.agents.pace import pace
from ludus.errors import BadOption, LudusError
from ludus.game import State, seen_by
from ludus.search import Estimate, Found

UNHURRIED = 5.0  # a search of a fixed depth is cut short only where the clock would fall


def decision_of(found: Found, began: float) -> Decision:
    """A decision from what a search found."""
    if found.action is None:
        raise LudusError("the search was stopped before it had looked at anything; give it more time")
    sure = "proven" if found.complete or abs(found.value) >= 1 else f"guessed {found.depth} plies ahead"
    return Decision(
        found.action,
        f"worth {found.value:+.2f}, {sure}, {found.nodes:,} nodes",
        value=found.value,
        line=found.line,
        nodes=found.nodes,
        depth=found.depth,
        seconds=time.perf_counter() - began,
    )


@dataclass
class GreedyAgent:
    """The action that looks best right after it, by a heuristic; any of them where several look best."""

    estimate: Estimate = "estimate"  # how positions are judged: estimate, simple, none

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        search.refuse_finished(state)
        began = time.perf_counter()
        values = {}
        for action in state.actions():
            child = state.play(action)
            value = child.score(child.player) if child.over else search.minimax(child, 0, self.estimate).value
            values[action] = seen_by(state.player, child.player, value)
        top = max(values.values())
        best = [action for action, value in values.items() if value == top]
        why = f"worth {top:+.2f} after one ply" + (f", as {len(best) - 1} others are" if len(best) > 1 else "")
        seconds = time.perf_counter() - began
        return Decision(rng.choice(best), why, top, values, nodes=len(values), depth=1, seconds=seconds)


@dataclass
class MinimaxAgent:
    """Looks at everything, `depth` plies deep."""

    depth: int = 3  # plies
    estimate: Estimate = "estimate"  # how positions are judged: estimate, simple, none

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        began = time.perf_counter()
        if left is None:
            return decision_of(search.minimax(state, at_least_one(self.depth), self.estimate), began)
        most = pace(left, state, UNHURRIED).most
        for depth in range(1, at_least_one(self.depth) + 1):  # as deep as the clock allows
            spent = time.perf_counter() - began
            deeper = search.minimax(state, depth, self.estimate, max(1e-3, most - spent) if depth > 1 else None)
            if deeper.stopped:
                break
            found = deeper
        return decision_of(found, began)


@dataclass
class AlphaBetaAgent:
    """Minimax that skips what cannot matter, `depth` plies deep."""

    depth: int = 5  # plies
    estimate: Estimate = "estimate"  # how positions are judged: estimate, simple, none
    caching: bool = True  # remember positions in a transposition table
    ordering: bool = True  # look at promising moves first

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        began, depth = time.perf_counter(), at_least_one(self.depth)
        how = {"caching": self.caching, "ordering": self.ordering}
        if left is None:
            return decision_of(search.alphabeta(state, depth, self.estimate, **how), began)
        most = pace(left, state, UNHURRIED).most
        return decision_of(search.deepening(state, most, depth, self.estimate, **how), began)


@dataclass
class DeepeningAgent:
    """Alpha-beta, deeper and deeper, until the time is up."""

    seconds: float | None = None  # per move; one second, or what the clock allows
    depth: int | None = None  # never deeper than this
    estimate: Estimate = "estimate"  # how positions are judged: estimate, simple, none
    caching: bool = True  # remember positions in a transposition table
    ordering: bool = True  # look at promising moves first
    endgame: bool = True  # ask the solver when few cells are empty, unless the depth is limited
    _endgame: Endgame = field(default_factory=Endgame, init=False, repr=False, compare=False)

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        began = time.perf_counter()
        seconds, enough = self.seconds or (1.0 if self.depth is None else None), None
        if left is not None:
            plan = pace(left, state)
            seconds = min(plan.most, self.seconds or plan.most)
            enough = 0.5 * plan.target  # the next depth would take longer than all before it
        if self.endgame and self.depth is None and seconds is not None and len(state.actions()) > 1:
            if sure := self._endgame.decide(state, 0.5 * min(seconds, enough or seconds)):
                return sure
            seconds = max(1e-3, seconds - (time.perf_counter() - began))
        found = search.deepening(
            state,
            seconds,
            self.depth if len(state.actions()) > 1 else 1,
            self.estimate,
            caching=self.caching,
            ordering=self.ordering,
            enough=enough,
        )
        return decision_of(found, began)


def at_least_one(depth: int) -> int:
    """A depth that leads to an action."""
    if not isinstance(depth, int) or depth < 1:
        raise BadOption(f"depth must be a whole number from 1 up, not {depth!r}")
    return depth
