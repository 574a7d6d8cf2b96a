"""A network as an evaluator: who searches and plays asks it about many states at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from ludus.game import Game, State
from ludus.learn.network import Network
from ludus.learn.view import Floats, View


class NetworkEvaluator:
    """Policies and values by a network. The policies count illegal actions in; whoever asks leaves them out."""

    def __init__(self, game: Game, network: Network, exchange: bool = True) -> None:
        self.game, self.network = game, network.eval()
        self.view = View(game, exchange)

    def evaluate(self, states: Sequence[State]) -> tuple[Floats, Floats]:
        """Policies (n, num_actions) and values (n,), for the player to move."""
        planes = np.stack([self.game.planes(state) for state in states])
        return self.judge(planes, [state.player for state in states])

    def judge(self, planes: Floats, players: Sequence[int]) -> tuple[Floats, Floats]:
        """The same from observations (n, c, h, w) and who is to move."""
        with torch.inference_mode():
            logits, values = self.network(torch.from_numpy(self.view.planes(planes, players)))
            policies = torch.softmax(logits, dim=1)
        return self.view.policies_out(policies.numpy(), players), values.numpy()
