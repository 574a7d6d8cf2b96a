"""What an agent is: given a state and dice, it makes a decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from ludus._core import Rng
from ludus.game import Action, State


@dataclass(frozen=True)
class Decision:
    """What an agent chose, and why. Values are guesses at the score, for the player to move."""

    action: Action
    why: str = ""  # in plain words
    value: float | None = None
    values: dict[Action, float] = field(default_factory=dict)  # of the actions it looked at
    visits: dict[Action, int] = field(default_factory=dict)  # simulations that began with each action
    line: list[Action] = field(default_factory=list)  # what it expects to be played
    nodes: int = 0  # states it looked at
    simulations: int = 0  # games it imagined
    depth: int | None = None
    seconds: float = 0.0


class Agent(Protocol):
    """Chooses actions. The match owns the dice and hands them over."""

    def decide(self, state: State, rng: Rng) -> Decision:
        """A decision in a state that is not over."""
