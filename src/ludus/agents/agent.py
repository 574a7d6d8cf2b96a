"""What an agent is: given a state and dice, it makes a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ludus._core import Rng
from ludus.game import Action, State


@dataclass(frozen=True)
class Decision:
    """What an agent chose, and why."""

    action: Action
    why: str = ""
    value: float | None = None  # its guess at the score, for the player to move
    simulations: int = 0  # how many games it imagined


class Agent(Protocol):
    """Chooses actions. The match owns the dice and hands them over."""

    def decide(self, state: State, rng: Rng) -> Decision: ...
