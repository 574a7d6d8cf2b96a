"""A judged move: what it was worth, what would have been better, and its grade. Words about it are in review_words.py.

A *share* is the part of the points that a player can expect, from 0 (lost) to 1 (won); a draw is half a point.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from ludus.game import Action, Player

Grade = Literal[
    "best",  # nothing better is known
    "good",
    "inexact",
    "mistake",
    "gave_away",  # a proven win or draw
    "forced",  # there was nothing to choose: one legal move, or every move loses
    "unclear",  # its result is proven, but not whether there was a better move
]

EQUAL = 0.01  # a move that loses less than this is as good as the best one
INEXACT = 0.05  # a loss of this share, and more, is inexact …
MISTAKE = 0.10  # … and of this one a mistake


@dataclass(frozen=True)
class Judged:
    """One judged move. Shares are those of the player who made it."""

    ply: int  # the number of the move, from 1: the position after it is that after `ply` moves
    player: Player
    action: Action
    move: str  # as people write it
    before: float  # the share with the best move that is known
    before_proven: bool
    after: float  # the share with the move that was played
    after_proven: bool
    best: Action | None  # the best move that is known; None: there is a better one, but it was not found in time
    best_move: str | None
    loss: float  # of the share, as far as is known
    grade: Grade
    over: bool = False  # did the game end with it?
    only: bool = False  # was it the only legal move?
    settled: bool = True  # False: a first impression, which is judged again
    sentence: str = ""

    def share(self, player: Player) -> float:
        """The share of a player after the move."""
        return self.after if player == self.player else 1 - self.after

    def as_json(self) -> dict[str, Any]:
        """Everything, for programs and pages."""
        return asdict(self) | {name: round(getattr(self, name), 4) for name in ("before", "after", "loss")}


def share_of(value: float) -> float:
    """The share that belongs to a value between -1 and +1."""
    return (value + 1) / 2


def grade_by_proof(loss: float) -> Grade:
    """The grade of a move if the results before and after it are proven."""
    return "gave_away" if loss > 0 else "best"


def grade_by_search(loss: float) -> Grade:
    """The grade of a move by the share that it lost, as far as a search knows."""
    if loss < EQUAL:
        return "best"
    return "good" if loss < INEXACT else "inexact" if loss < MISTAKE else "mistake"
