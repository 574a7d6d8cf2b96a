"""A network as an evaluator: policies and values of many states at once, for searches and agents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from ludus import _core
from ludus.game import Game, State
from ludus.learn.compiled import compiled
from ludus.learn.network import Network, has_critic
from ludus.learn.view import Floats, View


class NetworkEvaluator:
    """Policies and values by a network. Policies include illegal actions, which the caller must leave out.

    A network of ours is computed by the core. Any other module, which gives logits (n, num_actions) and values (n,)
    for planes (n, c, h, w), is asked through PyTorch; so is every network that is on a GPU.
    """

    def __init__(self, game: Game, network: nn.Module, exchange: bool = True) -> None:
        self.game, self.view = game, View(game, exchange)
        self.use(network)

    def use(self, network: nn.Module) -> None:
        """From now on this network answers, always with its present weights."""
        self.network, self._weights = network, list(network.parameters())
        self._refresh()

    def _refresh(self) -> None:
        self._version = self._changes()
        self._compiled: _core.Network | None = None
        if isinstance(self.network, Network) and self.device.type == "cpu":
            self._compiled = compiled(self.network, self.game.planes_shape)
        self._judge: _core.Judge | None = None

    @property
    def device(self) -> torch.device:
        """Where the network computes."""
        return self._weights[0].device if self._weights else torch.device("cpu")

    @property
    def critic(self) -> bool:
        """Does it judge positions?"""
        return has_critic(self.network)

    def _changes(self) -> int:
        return sum(weight._version for weight in self._weights)  # PyTorch counts how often each was changed

    def native(self, example: State) -> _core.Judge | None:
        """The network as self-play in the core asks it; None if the core does not know it, or no such states."""
        if self._version != self._changes():
            self._refresh()
        if self._compiled is None or not isinstance(example, _core.Past):
            return None
        if self._judge is None:
            turn = self.view.turn
            planes, actions = ([], []) if turn is None else (turn.planes.tolist(), turn.actions.tolist())
            self._judge = _core.Judge(self._compiled, planes, actions)
        return self._judge

    def evaluate(self, states: Sequence[State]) -> tuple[Floats, Floats]:
        """Policies (n, num_actions) and values (n,), for the player to move."""
        planes = np.stack([self.game.planes(state) for state in states])
        return self.judge(planes, [state.player for state in states])

    def judge(self, planes: Floats, players: Sequence[int]) -> tuple[Floats, Floats]:
        """The same from observations (n, c, h, w) and who is to move."""
        if self._version != self._changes():
            self._refresh()
        seen = self.view.planes(planes, players)
        policies, values = (
            self._compiled.judge(seen) if self._compiled is not None else ask(self.network, seen, self.device)
        )
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
