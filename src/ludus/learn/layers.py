"""The bodies of networks: layers of neurons, or residual convolutions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from torch import Tensor, nn

from ludus.learn.settings import NetworkSettings

ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "linear": nn.Identity, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU,
}  # fmt: skip


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

    def __init__(self, channels: int, activation: nn.Module, norm: bool) -> None:
        super().__init__()
        self.one, self.other = (convolution(channels, channels, norm) for _ in range(2))
        self.activation = activation

    def forward(self, seen: Tensor) -> Tensor:
        new: Tensor = self.activation(seen + self.other(self.activation(self.one(seen))))
        return new


class Residual(nn.Sequential):
    """A convolution and residual blocks."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int]) -> None:
        activation, channels, norm = ACTIVATIONS[settings.activation](), settings.channels, settings.norm
        first = convolution(planes[0], channels, norm)
        super().__init__(first, activation, *(Block(channels, activation, norm) for _ in range(settings.blocks)))


def convolution(inputs: int, channels: int, norm: bool) -> nn.Module:
    """A 3×3 convolution; with `norm`, batch normalisation after it brings every channel to the same scale."""
    layer = nn.Conv2d(inputs, channels, 3, padding=1)
    return nn.Sequential(layer, nn.BatchNorm2d(channels)) if norm else layer
