"""The agent that plays at random."""

from __future__ import annotations

from dataclasses import dataclass

from ludus._core import Rng
from ludus.agents.agent import Decision, TimeLeft
from ludus.game import State
from ludus.search.limits import refuse_finished


@dataclass
class RandomAgent:
    """A random legal action, all of them equally likely."""

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        refuse_finished(state)
        actions = state.actions()
        return Decision(rng.choice(actions), why=f"one of {len(actions)}")
