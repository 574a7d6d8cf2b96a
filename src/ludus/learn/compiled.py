"""The weights of a network as the core takes them, to give the same answers without PyTorch's overhead."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from ludus.learn.core_network import Kind, Layer, Weights
from ludus.learn.heads import DenseActor, PooledHeads
from ludus.learn.layers import Layers
from ludus.learn.network import Network
from ludus.learn.patterns import Patterns, lines


def weights_of(network: Network, planes: tuple[int, int, int]) -> Weights:
    """The weights that the network has now, for boards of a size."""
    activation, critic = network.settings.activation, network.critic
    if isinstance(network.body, Layers):
        layers = [dense(layer) for layer in network.body.layers]
        value = [dense(critic)] if critic is not None else []
        return Weights("perceptron", (layers, [dense(network.actor)], value, activation, network.settings.residual))
    looks_up = isinstance(network.body, Patterns)
    body = patterns(network.body, planes) if isinstance(network.body, Patterns) else convolutions(network.body)
    if network.pooled is not None:
        value = [dense(critic)] if critic is not None else []
        kind: Kind = "pooled_patterns" if looks_up else "pooled_convolutions"
        return Weights(kind, (body, pooled_layers(network.pooled), value, activation, *planes))
    value = []
    if isinstance(critic, nn.Sequential):
        value = [narrow(critic[0]), board_dense(critic[1], planes[1] * planes[2]), dense(critic[3])]
    kind = "patterns" if looks_up else "convolutions"
    return Weights(kind, (body, actor_layers(network.actor, planes), value, activation, *planes))


def actor_layers(actor: nn.Module | None, planes: tuple[int, int, int]) -> list[Layer]:
    assert isinstance(actor, DenseActor)
    cells = [one_by_one(actor.cells)] if actor.cells is not None else []
    return [narrow(actor.narrow), board_dense(actor.all, planes[1] * planes[2]), *cells]


def pooled_layers(heads: PooledHeads) -> list[Layer]:
    beside = [dense(heads.beside)] if heads.beside is not None else []
    return [dense(heads.summary), one_by_one(heads.narrow), dense(heads.lift), one_by_one(heads.cells), *beside]


def patterns(body: Patterns, planes: tuple[int, int, int]) -> list[Layer]:
    """How lines are numbered, what each number is worth, and what the planes of a cell add."""
    first, powers = lines(planes[1], planes[2], body.reach)
    table = body.table().detach().numpy()
    return [(powers, first), (table, np.zeros(table.shape[1], np.float32)), one_by_one(body.point)]


def convolutions(body: nn.Module) -> list[Layer]:
    """All convolutions of a body. What normalises one is a part of it."""
    layers: list[nn.Conv2d | nn.BatchNorm2d] = [
        layer for layer in body.modules() if isinstance(layer, nn.Conv2d | nn.BatchNorm2d)
    ]
    found: list[Layer] = []
    for layer, after in zip(layers, [*layers[1:], None], strict=True):
        if isinstance(layer, nn.Conv2d):
            found.append(convolution(layer, after if isinstance(after, nn.BatchNorm2d) else None))
    return found


def convolution(layer: nn.Conv2d, norm: nn.BatchNorm2d | None) -> Layer:
    """A row of weights for every neighbour, by rows, and every channel of the input."""
    weight, bias = layer.weight.detach(), layer.bias
    assert bias is not None
    bias = bias.detach()
    if norm is not None:
        assert norm.running_mean is not None and norm.running_var is not None
        scale = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
        weight, bias = weight * scale[:, None, None, None], (bias - norm.running_mean) * scale + norm.bias.detach()
    rows = weight.numpy().transpose(2, 3, 1, 0)
    return np.ascontiguousarray(rows.reshape(-1, rows.shape[3])), bias.numpy()


def dense_of(weight: Tensor, bias: Tensor | None) -> Layer:
    assert bias is not None
    return np.ascontiguousarray(weight.detach().numpy().T), bias.detach().numpy()


def dense(layer: nn.Module | None) -> Layer:
    assert isinstance(layer, nn.Linear)
    return dense_of(layer.weight, layer.bias)


def one_by_one(layer: nn.Module) -> Layer:
    """A convolution of every cell by itself."""
    assert isinstance(layer, nn.Conv2d)
    return dense_of(layer.weight[:, :, 0, 0], layer.bias)


def narrow(layers: nn.Module) -> Layer:
    assert isinstance(layers, nn.Sequential)
    return one_by_one(layers[0])


def board_dense(layer: nn.Module, cells: int) -> Layer:
    """A layer that reads a board. PyTorch orders its inputs channel by channel, the core cell by cell."""
    assert isinstance(layer, nn.Linear)
    weight = layer.weight.detach()
    by_cell = weight.reshape(len(weight), -1, cells).transpose(1, 2).reshape(len(weight), -1)
    return dense_of(by_cell, layer.bias)
