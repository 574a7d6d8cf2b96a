"""Agents that look a number of plies ahead: greedy, minimax, alpha-beta, iterative deepening."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ludus import search
from ludus._core import Rng
from ludus.agents.agent import Decision, TimeLeft
from ludus.agents.endgame import Endgame
from ludus.agents.pace import LEAST, pace
from ludus.errors import BadOption, LudusError, within
from ludus.game import Action, Game, State, seen_by
from ludus.search import Estimate, Found, Utility, utility_option
from ludus.search.depth import refuse_no_margin

UNHURRIED = 5.0  # a search of a fixed depth is stopped early only where the time would run out


def decision_of(found: Found, began: float) -> Decision:
    """A decision from what a search found."""
    if found.action is None:
        raise LudusError("the search was stopped before it had looked at anything; give it more time")
    value = f"value {found.value:+.2f}" if found.utility == "score" else f"a margin of {found.value:+.4g}"
    plies = f"{found.depth} {'ply' if found.depth == 1 else 'plies'}"
    sure = "proven" if found.proven else f"guessed {plies} ahead"
    return Decision(
        found.action,
        f"{value}, {sure}, {found.nodes:,} nodes",
        value=score_of(found),
        line=found.line,
        nodes=found.nodes,
        depth=found.depth,
        seconds=time.perf_counter() - began,
    )


def score_of(found: Found) -> float | None:
    """The value as a score: a proven margin says who wins, but a guessed margin is no guess at the score."""
    if found.utility == "score":
        return found.value
    return float((found.value > 0) - (found.value < 0)) if found.proven else None


@dataclass
class GreedyAgent:
    """The action with the best heuristic value one ply ahead; of equally good ones a random one, or the first."""

    estimate: Estimate = "estimate"  # the heuristic: estimate, simple or none
    ties: Literal["random", "first"] = "random"  # which of equally good actions; with first it is deterministic
    overlooks: float = 0.0  # the chance to overlook an action, however good: a weak player, but not a random one

    def __post_init__(self) -> None:
        if self.ties not in ("random", "first"):
            raise BadOption(f"ties must be random or first, not {self.ties!r}")
        within("overlooks", self.overlooks, 0, 1)

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        search.refuse_finished(state)
        began = time.perf_counter()
        values = {}
        for action in self.seen(state, rng):
            child = state.play(action)
            value = child.score(child.player) if child.over else search.minimax(child, 0, self.estimate).value
            values[action] = seen_by(state.player, child.player, value) + 0.0  # never -0.0
        top = max(values.values())
        best = [action for action, value in values.items() if value == top]
        why = f"value {top:+.2f} after one ply" + (f", one of {len(best)} equally good moves" if len(best) > 1 else "")
        seconds = time.perf_counter() - began
        choice = best[0] if self.ties == "first" else rng.choice(best)
        return Decision(choice, why, top, values, nodes=len(values), depth=1, seconds=seconds)

    def seen(self, state: State, rng: Rng) -> Sequence[Action]:
        """The actions that it does not overlook; at least one."""
        actions = state.actions()
        if self.overlooks == 0:
            return actions
        return [action for action in actions if rng.uniform() >= self.overlooks] or [rng.choice(actions)]


class WithUtility:
    """What agents have in common that play for the score or for the margin."""

    utility: Utility

    def __post_init__(self) -> None:
        utility_option(self.utility)

    def accept(self, game: Game) -> None:
        """Refuses to play for the margin of a game that has none."""
        if self.utility == "margin":
            refuse_no_margin(game.start(), self.utility)


@dataclass
class MinimaxAgent(WithUtility):
    """Looks at every state, `depth` plies deep."""

    explained_as: ClassVar[str] = "tree"

    depth: int = 3  # plies
    estimate: Estimate = "estimate"  # the heuristic: estimate, simple or none
    utility: Utility = "score"  # or margin: play for discs or points

    def search(self, state: State, trace: int | None = None) -> Found:
        """The whole search, without a clock; `trace` is how many plies of its tree are recorded."""
        return search.minimax(state, at_least_one(self.depth), self.estimate, utility=self.utility, trace=trace)

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        began = time.perf_counter()
        if left is None:
            return decision_of(self.search(state), began)
        most = pace(left, state, UNHURRIED).most
        for depth in range(1, at_least_one(self.depth) + 1):  # as deep as the clock allows
            seconds = max(LEAST, most - (time.perf_counter() - began)) if depth > 1 else None
            deeper = search.minimax(state, depth, self.estimate, seconds, self.utility)
            if deeper.stopped:
                break
            found = deeper
        return decision_of(found, began)


@dataclass
class AlphaBetaAgent(WithUtility):
    """Minimax that skips actions which cannot change the value, `depth` plies deep."""

    explained_as: ClassVar[str] = "tree"

    depth: int = 5  # plies
    estimate: Estimate = "estimate"  # the heuristic: estimate, simple or none
    caching: bool = True  # keep a transposition table
    ordering: bool = True  # try good actions first
    utility: Utility = "score"  # or margin: play for discs or points

    def search(self, state: State, trace: int | None = None) -> Found:
        """The whole search, without a clock; `trace` is how many plies of its tree are recorded."""
        return search.alphabeta(
            state,
            at_least_one(self.depth),
            self.estimate,
            caching=self.caching,
            ordering=self.ordering,
            utility=self.utility,
            trace=trace,
        )

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        began = time.perf_counter()
        if left is None:
            return decision_of(self.search(state), began)
        found = search.deepening(
            state,
            pace(left, state, UNHURRIED).most,
            at_least_one(self.depth),
            self.estimate,
            caching=self.caching,
            ordering=self.ordering,
            utility=self.utility,
        )
        return decision_of(found, began)


@dataclass
class DeepeningAgent(WithUtility):
    """Iterative deepening: alpha-beta, deeper and deeper, until the time is up."""

    explained_as: ClassVar[str] = "tree"

    seconds: float | None = None  # per move; one second, or what the clock allows
    depth: int | None = None  # never deeper than this
    estimate: Estimate = "estimate"  # the heuristic: estimate, simple or none
    caching: bool = True  # keep a transposition table
    ordering: bool = True  # try good actions first
    selective: bool = True  # Othello 8×8: look past actions that are unlikely to matter, and so deeper
    endgame: bool = True  # ask the solver when few cells are empty, unless the depth is limited or utility=margin
    utility: Utility = "score"  # or margin: play for discs or points
    _endgame: Endgame = field(default_factory=Endgame, init=False, repr=False, compare=False)

    def search(self, state: State, trace: int | None = None) -> Found:
        """The whole search, without a clock and without the solver; `trace` is how many plies are recorded."""
        return self.deepen(state, self.seconds_without_clock(), None, trace)

    def seconds_without_clock(self) -> float | None:
        return self.seconds or (1.0 if self.depth is None else None)

    def deepen(self, state: State, seconds: float | None, enough: float | None, trace: int | None = None) -> Found:
        return search.deepening(
            state,
            seconds,
            self.depth if len(state.actions()) > 1 else 1,
            self.estimate,
            caching=self.caching,
            ordering=self.ordering,
            enough=enough,
            utility=self.utility,
            trace=trace,
            selective=self.selective,
        )

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        began = time.perf_counter()
        seconds, enough = self.seconds_without_clock(), None
        if left is not None:
            plan = pace(left, state)
            seconds = min(plan.most, self.seconds or plan.most)
            enough = 0.5 * plan.target  # the next depth would take longer than all before it
        if self.asks_solver(state) and seconds is not None:
            if sure := self._endgame.decide(state, self._endgame.part(state, 0.5) * min(seconds, enough or seconds)):
                return sure
            seconds = max(LEAST, seconds - (time.perf_counter() - began))
        return decision_of(self.deepen(state, seconds, enough), began)

    def asks_solver(self, state: State) -> bool:
        """The solver proves wins and draws, not margins, and its depth cannot be limited."""
        return self.endgame and self.utility == "score" and self.depth is None and len(state.actions()) > 1


def at_least_one(depth: int) -> int:
    """The depth; refuses one below 1, which would find no action."""
    if not isinstance(depth, int) or depth < 1:
        raise BadOption(f"depth must be a whole number from 1 up, not {depth!r}")
    return depth
