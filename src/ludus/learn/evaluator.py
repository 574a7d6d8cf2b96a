"""A network as an evaluator: policies and values of many states at once, for searches and agents."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from torch import nn

from ludus import _core
from ludus.errors import BadOption
from ludus.game import Game, State
from ludus.learn.compiled import weights_of
from ludus.learn.core_network import CoreEvaluator, Weights
from ludus.learn.network import Network, has_critic
from ludus.learn.view import Floats, View


class NetworkEvaluator:
    """Policies and values by a network. Policies include illegal actions, which the caller must leave out.

    A network of ours is computed by the core. Any other module, which gives logits (n, num_actions) and values (n,)
    for planes (n, c, h, w), is asked through PyTorch; so is every network that is on a GPU.
    """

    def __init__(self, game: Game, network: nn.Module, exchange: bool = True) -> None:
        self.game, self.view, self.exchange = game, View(game, exchange), exchange
        self.use(network)

    def use(self, network: nn.Module) -> None:
        """From now on this network answers, always with its present weights."""
        self.network, self._weights = network, list(network.parameters())
        self._refresh()

    def _refresh(self) -> None:
        self._version = self.changes()
        self._core: CoreEvaluator | None = None
        if isinstance(self.network, Network) and self.device.type == "cpu":
            self._core = CoreEvaluator(self.game, weights_of(self.network, self.game.planes_shape), self.exchange)

    @property
    def device(self) -> torch.device:
        """Where the network computes."""
        return self._weights[0].device if self._weights else torch.device("cpu")

    @property
    def critic(self) -> bool:
        """Does it judge positions?"""
        return has_critic(self.network)

    def changes(self) -> int:
        """How often its weights have been changed."""
        return sum(weight._version for weight in self._weights)  # PyTorch counts that for each of them

    def native(self, example: State) -> _core.Judge | None:
        """The network as self-play in the core asks it; None if the core does not know it, or no such states."""
        core = self._present()
        return None if core is None else core.native(example)

    def weights(self) -> Weights:
        """The network as it is now, to be sent elsewhere; refuses one that is not ours."""
        if not isinstance(self.network, Network):
            raise BadOption("only networks of Ludus can be sent to other machines, not modules of your own")
        network = self.network if self.device.type == "cpu" else deepcopy(self.network).to("cpu")
        return weights_of(network, self.game.planes_shape)

    def _present(self) -> CoreEvaluator | None:
        """The network in the core with its present weights, if the core knows it."""
        if self._version != self.changes():
            self._refresh()
        return self._core

    def evaluate(self, states: Sequence[State]) -> tuple[Floats, Floats]:
        """Policies (n, num_actions) and values (n,), for the player to move."""
        planes = np.stack([self.game.planes(state) for state in states])
        return self.judge(planes, [state.player for state in states])

    def judge(self, planes: Floats, players: Sequence[int]) -> tuple[Floats, Floats]:
        """The same from observations (n, c, h, w) and who is to move."""
        core = self._present()
        if core is not None:
            return core.judge(planes, players)
        policies, values = ask(self.network, self.view.planes(planes, players), self.device)
        return self.view.policies_out(policies, players), values


class Images:
    """A network that is asked about every image of a board under the symmetries of its game; the answers are averaged.

    What it gets wrong in one image it often gets right in another. A search asks about one board instead, and looks at
    more of them in the same time.
    """

    def __init__(self, evaluator: NetworkEvaluator) -> None:
        self.evaluator, self.game = evaluator, evaluator.game
        self.turns = [symmetry for symmetry in self.game.symmetries if not symmetry.swaps_players]

    def evaluate(self, states: Sequence[State]) -> tuple[Floats, Floats]:
        """Policies (n, num_actions) and values (n,), for the player to move."""
        planes, players = np.stack([self.game.planes(state) for state in states]), [state.player for state in states]
        policies, values = [], []
        for turn in self.turns:
            image = planes.reshape(len(planes), -1)[:, turn.planes].reshape(planes.shape)
            policy, value = self.evaluator.judge(image, players)
            policies.append(policy[:, turn.actions])
            values.append(value)
        return np.mean(policies, axis=0), np.mean(values, axis=0)


def ask(network: nn.Module, planes: Floats, device: torch.device) -> tuple[Floats, Floats]:
    """Policies and values by PyTorch."""
    with torch.no_grad():
        logits, values = network(torch.from_numpy(planes).to(device))
    return torch.softmax(logits, 1).cpu().numpy(), values.cpu().numpy()
