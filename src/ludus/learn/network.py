"""The networks: an actor, which gives a policy, and if wanted a critic, which gives a value; both read planes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import torch
from torch import Tensor, nn

from ludus.learn.settings import NetworkSettings

ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "linear": nn.Identity, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU,
}  # fmt: skip


class Network(nn.Module):
    """Logits of all actions (n, num_actions), and values (n,) for the player to move."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> None:
        super().__init__()
        self.settings, self.planes, self.num_actions = settings, planes, num_actions
        make = Layers if settings.net == "mlp" else Residual
        self.body = make(settings, planes)
        self.actor = nn.Linear(self.body.width, num_actions)
        self.critic = nn.Linear(self.body.width, 1) if settings.critic else None

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        seen = self.body(planes)
        if self.critic is None:
            return self.actor(seen), torch.zeros(len(planes))
        return self.actor(seen), torch.tanh(self.critic(seen)).squeeze(1)


class Layers(nn.Module):
    """Any number of hidden layers."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int]) -> None:
        super().__init__()
        sizes = [planes[0] * planes[1] * planes[2], *settings.hidden]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.activation = ACTIVATIONS[settings.activation]()
        self.residual = settings.residual
        self.width = sizes[-1]

    def forward(self, planes: Tensor) -> Tensor:
        seen = planes.flatten(1)
        for layer in self.layers:
            new = self.activation(layer(seen))
            seen = seen + new if self.residual and new.shape == seen.shape else new
        return seen


class Block(nn.Module):
    """Two convolutions that add to what they were given."""

    def __init__(self, channels: int, activation: nn.Module) -> None:
        super().__init__()
        self.one, self.other = (nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.activation = activation

    def forward(self, seen: Tensor) -> Tensor:
        new: Tensor = self.activation(seen + self.other(self.activation(self.one(seen))))
        return new


class Residual(nn.Module):
    """A convolution, residual blocks, and a narrow layer of which every action sees the whole board."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int]) -> None:
        super().__init__()
        channels, narrow = settings.channels, max(4, settings.channels // 4)
        activation = ACTIVATIONS[settings.activation]()
        self.layers = nn.Sequential(
            nn.Conv2d(planes[0], channels, 3, padding=1),
            activation,
            *(Block(channels, activation) for _ in range(settings.blocks)),
            nn.Conv2d(channels, narrow, 1),
            activation,
            nn.Flatten(),
        )
        self.width = narrow * planes[1] * planes[2]

    def forward(self, planes: Tensor) -> Tensor:
        seen: Tensor = self.layers(planes)
        return seen
