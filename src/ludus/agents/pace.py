"""How long to think about one move, by what the clock shows.

A search plans to use `target` seconds, stops before that when more time could not change its choice, and may go on
up to `most` while its choice still changes. `most` always leaves enough on the clock for the moves to come.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludus.agents.agent import TimeLeft
from ludus.game import State, empty_cells

RESERVE = 0.05  # seconds that are never planned, for the overhead of the call
STRETCH = 3.0  # how many times the target a hard move may take


@dataclass(frozen=True)
class Pace:
    """How long a move should take, and may take."""

    target: float
    most: float


def pace(left: TimeLeft, state: State, hardest: float = STRETCH) -> Pace:
    """How long to think in this state, with this time left."""
    safe = max(1e-3, 0.3 * left.seconds, 0.95 * left.seconds - RESERVE)
    if left.moves is not None:
        target = safe / max(1, left.moves)
        return Pace(target, target if left.moves == 1 else min(hardest * target, safe / 2))
    target = min(safe / own_moves_left(state) + 0.9 * left.increment, 0.5 * safe)
    return Pace(target, min(hardest * target, 0.4 * safe))


def own_moves_left(state: State) -> float:
    """How many moves the player to move will still make, roughly: most boards fill up, but seldom wholly."""
    empty = empty_cells(state)
    return max(10.0, 0.5 * len(state.actions())) if empty is None else max(5.0, 0.35 * empty)
