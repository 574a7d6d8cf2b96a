"""The truth meter: how often a network keeps the true result, on positions that training never sees.

The positions come from games between tree searches, or between other agents, solved exactly; usually only those count
in which some move throws the true result away. Those of a training are drawn once and kept with it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus._core import Rng
from ludus.agents import MctsAgent
from ludus.agents.agent import Agent
from ludus.evaluator import Evaluator
from ludus.game import Action, Game, State, begun_by, seen_by
from ludus.learn.evaluator import NetworkEvaluator
from ludus.search.solve import Solver
from ludus.system import read_json, write_whole

FEWEST = 20  # positions that say anything
PHASES = ("opening", "middle", "end")  # thirds of the game that a position came from


@dataclass(frozen=True)
class Problem:
    """A position, and the actions that keep its true result."""

    actions: tuple[Action, ...]  # from the start
    good: tuple[Action, ...]
    value: int  # for the player to move
    phase: int


@dataclass(frozen=True)
class Truth:
    """What the meter shows."""

    kept: float  # the share of positions in which the likeliest action keeps the true result
    won_kept: float  # the same, of the won ones
    phases: tuple[float | None, ...]
    openings: float | None  # the share of first moves whose result the critic gets right
    believed: dict[str, float]  # the critic's value of every first move; empty where the true values are not known

    def plain(self) -> dict[str, Any]:
        return {
            "truth": round(self.kept, 4),
            "truth_won": round(self.won_kept, 4),
            **{f"truth_{name}": share for name, share in zip(PHASES, self.phases, strict=True) if share is not None},
            **({"truth_openings": round(self.openings, 4)} if self.openings is not None else {}),
            **({"believed": self.believed} if self.believed else {}),
        }


class Meter:
    """Problems of one game, and the true value of every first move, where that can be proven."""

    def __init__(self, game: Game, problems: Sequence[Problem], openings: dict[Action, int]) -> None:
        self.game, self.problems, self.openings = game, list(problems), openings
        self.states = [game.after(problem.actions) for problem in problems]

    def measure(self, evaluator: NetworkEvaluator) -> Truth:
        """How well a network does on the problems."""
        right = self.right(likeliest(evaluator, self.states))
        won = np.array([problem.value > 0 for problem in self.problems])
        phase = np.array([problem.phase for problem in self.problems])
        by_phase = tuple(
            round(float(right[phase == k].mean()), 4) if (phase == k).any() else None for k in range(len(PHASES))
        )
        won_kept = float(right[won].mean()) if won.any() else float(right.mean())
        believed = self.believed(evaluator) if self.openings and evaluator.critic else {}
        known = [(believed[action] > 0) == (value > 0) for action, value in self.openings.items() if believed]
        return Truth(
            float(right.mean()),
            won_kept,
            by_phase,
            float(np.mean(known)) if known else None,
            {self.game.write(action): round(value, 2) for action, value in believed.items()},
        )

    def right(self, actions: Sequence[Action]) -> NDArray[np.bool_]:
        """Which of these actions, one for each position, keep the true result."""
        return np.array([action in p.good for action, p in zip(actions, self.problems, strict=True)], np.bool_)

    def believed(self, evaluator: NetworkEvaluator) -> dict[Action, float]:
        """The critic's value of every first move, for the player who makes it."""
        start = self.game.start()
        actions = list(start.actions())
        children = [start.play(action) for action in actions]
        _, values = evaluator.evaluate(children)
        return {
            action: float(seen_by(start.player, child.player, value))
            for action, child, value in zip(actions, children, values, strict=True)
        }

    def keys(self) -> set[int]:
        """The keys of all positions and of their mirror images; none for games written in Python."""
        found = set()
        for symmetry in self.game.symmetries:
            game = self.game
            if symmetry.swaps_players:
                if "starter" not in {f.name for f in fields(game)}:
                    continue
                game = begun_by(game, 1 - game.start().player)
            for problem in self.problems:
                state = game.after([int(symmetry.actions[action]) for action in problem.actions])
                found.add(getattr(state, "key", None))
        return {key for key in found if key is not None}

    def save(self, path: Path) -> None:
        rows = [[list(p.actions), list(p.good), p.value, p.phase] for p in self.problems]
        write_whole(path, json.dumps({"problems": rows, "openings": list(self.openings.items())}) + "\n")


def load_meter(path: Path, game: Game) -> Meter | None:
    """The meter that was kept with a run; None if there is none or its file is damaged."""
    try:
        kept = read_json(path.read_text(encoding="utf-8"))
        problems = [Problem(tuple(actions), tuple(good), *rest) for actions, good, *rest in kept["problems"]]
        return Meter(game, problems, dict(kept["openings"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def likeliest(evaluator: Evaluator, states: Sequence[State]) -> list[Action]:
    """What the bare network plays in each state."""
    policies, _ = evaluator.evaluate(states)
    return [
        max(state.actions(), key=lambda a: policy[a]) for state, policy in zip(states, policies, strict=True)
    ]  # fmt: skip


def make_meter(game: Game, count: int = 300, seconds: float = 10.0, seed: int = 271828) -> Meter | None:
    """Positions in which some move throws the result away, and the true values of all first moves.

    As many as the time allows; None where the solver cannot help.
    """
    solver, deadline = Solver(), time.monotonic() + seconds
    problems = draw_problems(game, solver, count, seconds, seed)
    if not problems:
        return None
    values = solver.actions(game.start(), max(1.0, deadline - time.monotonic()))
    openings = {a: v for a, v in values.items() if v is not None} if None not in values.values() else {}
    return Meter(game, problems, openings)


def draw_problems(
    game: Game,
    solver: Solver,
    count: int,
    seconds: float,
    seed: int,
    every_position: bool = False,
    agent: Agent | None = None,
) -> list[Problem]:
    """Draws and solves positions, as many as the time allows; none where that would be fewer than twenty.

    They come from games of an agent against itself, by default a tree search. With `every_position`, positions in
    which every move keeps the result count, too. The same seed gives the same positions, as long as there is time.
    """
    rng, deadline = Rng(seed), time.monotonic() + seconds
    agent = agent or MctsAgent(simulations=500, temperature=0.5, keep=False)
    problems: dict[tuple[Action, ...], Problem] = {}
    if not solver.can(game.start()):
        return []
    while len(problems) < count and time.monotonic() < deadline:
        state, played = game.start(), []  # type: State, list[Action]
        path = []
        while not state.over:
            path.append((tuple(played), state))
            first = len(played) < 2 and rng.uniform() < 0.5
            played.append(rng.choice(state.actions()) if first else agent.decide(state, rng).action)
            state = state.play(played[-1])
        for actions, position in reversed(path):  # the ends first, which are quick to solve
            if actions in problems or len(problems) >= count or time.monotonic() > deadline:
                continue
            problem = solved(solver, position, actions, len(path), every_position)
            if problem == "unknown":
                break  # what lies before it is harder still
            if isinstance(problem, Problem):
                problems[actions] = problem
    return list(problems.values()) if len(problems) >= min(count, FEWEST) else []


def solved(
    solver: Solver, state: State, actions: tuple[Action, ...], length: int, every_position: bool = False
) -> Problem | str:
    """A position as a problem; "unknown" if it was not solved in time, "indifferent" if every move keeps the result."""
    values = solver.actions(state, 0.5)
    if None in values.values():
        return "unknown"
    known = [value for value in values.values() if value is not None]
    if min(known) == max(known) and not every_position:
        return "indifferent"
    good = tuple(action for action, value in values.items() if value == max(known))
    return Problem(actions, good, max(known), min(2, 3 * len(actions) // length))
