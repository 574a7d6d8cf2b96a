"""A network as an evaluator: who searches and plays asks it about many states at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from ludus.game import Game, State
from ludus.learn.network import Network
from ludus.learn.plain import Plain
from ludus.learn.view import Floats, View

FEW = 16  # states up to which numpy answers faster; above, its threads get in each other's way


class NetworkEvaluator:
    """Policies and values by a network. The policies count illegal actions in; whoever asks leaves them out."""

    def __init__(self, game: Game, network: Network, exchange: bool = True) -> None:
        self.game, self.view = game, View(game, exchange)
        self.use(network)

    def use(self, network: Network) -> None:
        """From now on this network answers."""
        self._plain = Plain(network.eval()) if network.settings.net == "mlp" else None
        self.network = network

    def evaluate(self, states: Sequence[State]) -> tuple[Floats, Floats]:
        """Policies (n, num_actions) and values (n,), for the player to move."""
        planes = np.stack([self.game.planes(state) for state in states])
        return self.judge(planes, [state.player for state in states])

    def judge(self, planes: Floats, players: Sequence[int]) -> tuple[Floats, Floats]:
        """The same from observations (n, c, h, w) and who is to move."""
        seen = self.view.planes(planes, players)
        plain = self._plain if len(seen) <= FEW else None
        policies, values = plain(seen) if plain is not None else self._torch(seen)
        return self.view.policies_out(policies, players), values

    def _torch(self, planes: Floats) -> tuple[Floats, Floats]:
        with torch.inference_mode():
            logits, values = self.network(torch.from_numpy(planes))
            return torch.softmax(logits, dim=1).numpy(), values.numpy()
