"""The agent that does not think."""

from __future__ import annotations

from ludus._core import Rng
from ludus.agents.agent import Decision
from ludus.game import State


class RandomAgent:
    """Any legal action, each as likely as the other."""

    def __str__(self) -> str:
        return "random"

    def decide(self, state: State, rng: Rng) -> Decision:
        actions = state.actions()
        return Decision(rng.choice(actions), why=f"one of {len(actions)}")
