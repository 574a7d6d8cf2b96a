"""What is known about one position: by proof where the solver reaches, else by search. All of it in short steps.

These are generators that yield between steps of about a twentieth of a second, so that a caller can do something
else meanwhile, or stop. Budgets count only the time of the steps themselves.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ludus._core import Rng
from ludus.errors import within
from ludus.game import Action, State, past_of, seen_by
from ludus.search.limits import simulations_option
from ludus.search.mcts import Child, Mcts, MctsSettings, Rave, Rollout, best_child
from ludus.search.solve import Solver

STEP = 0.05  # seconds
GLANCE = 0.005  # seconds for a proof that may already lie in the solver's table
ORDER = 1000  # simulations that decide which moves the solver looks at first

Result = TypeVar("Result")
Steps = Generator[None, None, Result]


def usual_search() -> MctsSettings:
    """A search that suits every game without a network: with what the game itself knows, and proofs in its tree."""
    return MctsSettings(Rave(c=0.0, hints=True), Rollout("quick"), solver=True)


@dataclass(frozen=True)
class Effort:
    """How much work goes into each position."""

    solver_seconds: float = 1.0  # for a proof
    simulations: int = 10_000  # of the search, where nothing is proven …
    search_seconds: float = 0.5  # … and its longest time
    search: MctsSettings = field(default_factory=usual_search)

    def __post_init__(self) -> None:
        within("solver_seconds", self.solver_seconds, 0, 1e6)
        within("search_seconds", self.search_seconds, STEP, 1e6)
        simulations_option(self.simulations)


@dataclass(frozen=True)
class Known:
    """What is known about a position. Values are for the player to move."""

    value: float
    proven: bool
    children: tuple[Child, ...] = ()  # what a search saw of its actions; none after a proof by the solver

    def best_except(self, action: Action) -> Child | None:
        """The child that the search would choose if one action were not there."""
        others = [child for child in self.children if child.action != action and child.visits]
        return best_child(others) if others else None


def prove(solver: Solver, state: State, seconds: float) -> Steps[int | None]:
    """The proven value, for the player to move; None if it was not found in time."""
    if state.over:
        return int(state.score(state.player))
    if seconds <= 0 or not solver.can(state):
        return None
    steps = math.ceil(seconds / STEP)
    if past_of(state) is None:
        steps = 1  # for games in Python the solver has no table, so it would begin anew with every step
    for _ in range(steps):
        value = solver.value(state, STEP)
        if value is not None:
            return value
        yield
    return None


def search(state: State, effort: Effort, part: float, rng: Rng) -> Steps[Known]:
    """What a search with a part of the effort's simulations says."""
    tree = Mcts(state, effort.search, rng)
    wanted, done = max(2, round(part * effort.simulations)), 0
    for _ in range(math.ceil(part * effort.search_seconds / STEP)):
        done += tree.run(wanted - done, STEP)
        yield
        if done >= wanted or tree.proven is not None:
            break
    proven = tree.proven
    return Known(tree.value if proven is None else float(proven), proven is not None, tuple(tree.children()))


def find_keeper(solver: Solver, state: State, value: int, effort: Effort, rng: Rng) -> Steps[Action | None]:
    """An action that keeps the proven value of a state; None if it was not found in time."""
    tree = Mcts(state, effort.search, rng)
    tree.run(ORDER, STEP)
    yield
    ranked = sorted(tree.children(), key=lambda child: (child.proven == value, child.visits), reverse=True)
    if ranked[0].proven == value:
        return ranked[0].action
    return (yield from first_with(solver, state, value, [child.action for child in ranked], effort))


def first_with(
    solver: Solver, state: State, value: int, actions: Sequence[Action], effort: Effort
) -> Steps[Action | None]:
    """The first of these actions that is proven to have a value. Easy proofs are tried before hard ones."""
    left, unknown, seconds = 2 * effort.solver_seconds, list(actions), GLANCE
    while unknown and left > 0:
        for action in list(unknown):
            child, began = state.play(action), time.perf_counter()
            found = solver.value(child, seconds)
            left -= time.perf_counter() - began
            if found is not None and seen_by(state.player, child.player, found) == value:
                return action
            if found is not None:
                unknown.remove(action)
            yield
            if left <= 0:
                break
        seconds = STEP
    return None
