"""What reads the convolutions: heads for one size of the board, and heads for every size."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from ludus.learn.layers import ACTIVATIONS
from ludus.learn.settings import NetworkSettings


class DenseActor(nn.Module):
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


def dense_critic(settings: NetworkSettings, planes: tuple[int, int, int]) -> nn.Module:
    narrow, width = narrow_layer(settings, planes)
    return nn.Sequential(narrow, nn.Linear(width, 64), ACTIVATIONS[settings.activation](), nn.Linear(64, 1))


def narrow_layer(settings: NetworkSettings, planes: tuple[int, int, int]) -> tuple[nn.Module, int]:
    """A few channels of the board in a row, and how many numbers those are."""
    narrow = max(4, settings.channels // 4)
    layer = nn.Sequential(nn.Conv2d(settings.channels, narrow, 1), ACTIVATIONS[settings.activation](), nn.Flatten())
    return layer, narrow * planes[1] * planes[2]


class PooledHeads(nn.Module):
    """Logits (n, num_actions), and the hidden layer that summarises the board, from which the critic reads.

    A cell's logit depends on its own channels and on the summary: mean and maximum of every channel over the board. No
    layer depends on the size of the board.
    """

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> None:
        super().__init__()
        channels, width = settings.channels, settings.summary
        beside = num_actions - planes[1] * planes[2]
        self.summary = nn.Linear(2 * channels, width)
        self.narrow, self.lift = nn.Conv2d(channels, channels, 1), nn.Linear(width, channels)
        self.cells = nn.Conv2d(channels, 1, 1)
        self.beside = nn.Linear(width, beside) if beside else None  # actions that are not cells, such as a pass
        self.activation = ACTIVATIONS[settings.activation]()

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        pooled = torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1)
        hidden = self.activation(self.summary(pooled))
        thin = self.activation(self.narrow(seen) + self.lift(hidden)[:, :, None, None])
        logits = self.cells(thin).flatten(1)
        return logits if self.beside is None else torch.cat([logits, self.beside(hidden)], 1), hidden
