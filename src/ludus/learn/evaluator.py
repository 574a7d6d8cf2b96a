"""A network as an evaluator: policies and values of many states at once, for searches and agents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludus.game import Game, State
from ludus.learn.compiled import compiled
from ludus.learn.network import Network
from ludus.learn.view import Floats, View


class NetworkEvaluator:
    """Policies and values by a network. Policies include illegal actions, which the caller must leave out."""

    def __init__(self, game: Game, network: Network, exchange: bool = True) -> None:
        self.game, self.view = game, View(game, exchange)
        self.use(network)

    def use(self, network: Network) -> None:
        """From now on this network answers, always with its present weights."""
        self.network, self._weights = network, list(network.parameters())
        self._refresh()

    def _refresh(self) -> None:
        self._version = self._changes()
        self._compiled = compiled(self.network)

    def _changes(self) -> int:
        return sum(weight._version for weight in self._weights)  # PyTorch counts how often each was changed

    def evaluate(self, states: Sequence[State]) -> tuple[Floats, Floats]:
        """Policies (n, num_actions) and values (n,), for the player to move."""
        planes = np.stack([self.game.planes(state) for state in states])
        return self.judge(planes, [state.player for state in states])

    def judge(self, planes: Floats, players: Sequence[int]) -> tuple[Floats, Floats]:
        """The same from observations (n, c, h, w) and who is to move."""
        if self._version != self._changes():
            self._refresh()
        policies, values = self._compiled.judge(self.view.planes(planes, players))
        return self.view.policies_out(policies, players), values
