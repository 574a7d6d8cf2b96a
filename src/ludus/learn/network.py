"""The networks: an actor, which gives a policy, and if wanted a critic, which gives a value; both read planes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from ludus.errors import BadOption
from ludus.learn.settings import NetworkSettings

MOST_WEIGHTS = 100_000_000  # of a network; learning needs four numbers of four bytes for each of them
ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "linear": nn.Identity, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU,
}  # fmt: skip


class Network(nn.Module):
    """Logits of all actions (n, num_actions), and values (n,) for the player to move."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> None:
        super().__init__()
        self.settings, self.planes, self.num_actions = settings, planes, num_actions
        if settings.net == "mlp":
            self.body: nn.Module = Layers(settings, planes)
            width = settings.hidden[-1] if settings.hidden else planes[0] * planes[1] * planes[2]
            self.actor: nn.Module = nn.Linear(width, num_actions)
            self.critic: nn.Module | None = nn.Linear(width, 1)
        else:
            self.body = Residual(settings, planes)
            self.actor = BoardActor(settings, planes, num_actions)
            self.critic = board_critic(settings, planes)
        if not settings.critic:
            self.critic = None

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

    def forward(self, planes: Tensor) -> Tensor:
        seen = planes.flatten(1)
        for layer in self.layers:
            new = self.activation(layer(seen))
            seen = seen + new if self.residual and new.shape == seen.shape else new
        return seen


class Block(nn.Module):
    """Two convolutions whose result is added to their input."""

    def __init__(self, channels: int, activation: nn.Module) -> None:
        super().__init__()
        self.one, self.other = (nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.activation = activation

    def forward(self, seen: Tensor) -> Tensor:
        new: Tensor = self.activation(seen + self.other(self.activation(self.one(seen))))
        return new


class Residual(nn.Sequential):
    """A convolution and residual blocks."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int]) -> None:
        activation = ACTIVATIONS[settings.activation]()
        first = nn.Conv2d(planes[0], settings.channels, 3, padding=1)
        super().__init__(first, activation, *(Block(settings.channels, activation) for _ in range(settings.blocks)))


class BoardActor(nn.Module):
    """Every action sees the whole board through a narrow layer; actions that are cells also see their own place."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> None:
        super().__init__()
        self.narrow, width = narrow_layer(settings, planes)
        self.all = nn.Linear(width, num_actions)
        self.beside = num_actions - planes[1] * planes[2]  # actions that are not cells, such as a pass
        self.cells = nn.Conv2d(settings.channels, 1, 1) if self.beside in (0, 1) else None

    def forward(self, seen: Tensor) -> Tensor:
        logits: Tensor = self.all(self.narrow(seen))
        return logits if self.cells is None else logits + pad(self.cells(seen).flatten(1), (0, self.beside))


def board_critic(settings: NetworkSettings, planes: tuple[int, int, int]) -> nn.Module:
    narrow, width = narrow_layer(settings, planes)
    return nn.Sequential(narrow, nn.Linear(width, 64), ACTIVATIONS[settings.activation](), nn.Linear(64, 1))


def narrow_layer(settings: NetworkSettings, planes: tuple[int, int, int]) -> tuple[nn.Module, int]:
    """A few channels of the board in a row, and how many numbers those are."""
    narrow = max(4, settings.channels // 4)
    layer = nn.Sequential(nn.Conv2d(settings.channels, narrow, 1), ACTIVATIONS[settings.activation](), nn.Flatten())
    return layer, narrow * planes[1] * planes[2]


def make_network(settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> Network:
    """A network with random weights; refuses one that is too large before it takes any memory."""
    with torch.device("meta"):  # shapes without numbers
        count = sum(weight.numel() for weight in Network(settings, planes, num_actions).parameters())
    if count > MOST_WEIGHTS:
        raise BadOption(
            f"this network would have {count:,} weights, and at most {MOST_WEIGHTS:,} are allowed; "
            f"choose a smaller --{'hidden' if settings.net == 'mlp' else 'channels'}"
        )
    return Network(settings, planes, num_actions).eval()


def all_finite(tensors: Iterable[Tensor]) -> bool:
    """Is every number in these tensors finite?"""
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors)
