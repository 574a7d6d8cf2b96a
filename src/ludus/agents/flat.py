"""Flat Monte Carlo: the simplest agent that looks ahead."""

from __future__ import annotations

from ludus._core import Rng, rollouts
from ludus.agents.agent import Decision
from ludus.game import Action, State


class FlatMonteCarloAgent:
    """Tries every action in as many random games and takes the one that scored best."""

    def __init__(self, games_per_action: int = 500) -> None:
        self.games_per_action = games_per_action

    def __str__(self) -> str:
        return f"flat Monte Carlo with {self.games_per_action} random games per move"

    def decide(self, state: State, rng: Rng) -> Decision:
        values = {action: self.value(state, action, rng) for action in state.actions()}
        best = max(values, key=values.__getitem__)
        games = self.games_per_action * len(values)
        return Decision(
            best, f"scored {values[best]:+.2f} on average in {self.games_per_action} random games", values[best], games
        )

    def value(self, state: State, action: Action, rng: Rng) -> float:
        """The mean score, for the player to move, of random games that begin with an action."""
        wins, _, losses = rollouts(state.play(action), self.games_per_action, rng)
        lead = (wins - losses) / self.games_per_action  # of player 0
        return lead if state.player == 0 else -lead
