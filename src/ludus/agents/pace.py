"""How long to think about one move, by what the clock shows.

A search plans to use `target` seconds, stops before that when more time could not change its choice, and may go on
up to `most` while its choice still changes. `most` always leaves enough on the clock for the moves to come. Every move
costs something beside its search, which is subtracted; where hardly anything is left, the search is as short as can be.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludus.agents.agent import TimeLeft
from ludus.game import State, empty_cells

RESERVE = 0.05  # seconds that are never planned, for what else the machine does
BESIDE = 0.003  # seconds that a move takes beside its search: the call, the tree that is kept, the decision
LEAST = 1e-4  # seconds: no search is planned shorter
STRETCH = 3.0  # how many times the target a hard move may take


@dataclass(frozen=True)
class Pace:
    """How long a move should take, and may take."""

    target: float
    most: float


def pace(left: TimeLeft, state: State, hardest: float = STRETCH) -> Pace:
    """How long to think in this state, with this time left."""
    safe = max(0.3 * left.seconds, 0.95 * left.seconds - RESERVE)
    if left.moves == 1:
        target = most = max(0.3 * left.seconds, safe - BESIDE)
    elif left.moves is not None:
        target = safe / max(1, left.moves) - BESIDE
        most = min(hardest * target, safe / 2)
    else:
        target = min(safe / own_moves_left(state) + 0.9 * left.increment - BESIDE, 0.5 * safe)
        most = min(hardest * target, 0.4 * safe)
    return Pace(max(LEAST, target), max(LEAST, most))


def own_moves_left(state: State) -> float:
    """How many moves the player to move will still make, roughly: most boards fill up, but seldom wholly."""
    empty = empty_cells(state)
    return max(10.0, 0.5 * len(state.actions())) if empty is None else max(5.0, 0.35 * empty)
