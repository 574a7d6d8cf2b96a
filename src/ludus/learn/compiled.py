"""A network as the core computes it: the same answers from a copy of the weights, without PyTorch's ado."""

from __future__ import annotations

import numpy as np
from torch import Tensor, nn

from ludus import _core
from ludus.learn.network import BoardActor, Layers, Network
from ludus.learn.view import Floats

Layer = tuple[Floats, Floats]  # a line of weights for every number that goes in, and the bias


def compiled(network: Network) -> _core.Network:
    """The network with its weights of this moment."""
    activation = network.settings.activation
    if isinstance(network.body, Layers):
        critic = [dense(network.critic)] if network.critic is not None else []
        layers = [dense(layer) for layer in network.body.layers]
        return _core.perceptron(layers, [dense(network.actor)], critic, activation, network.settings.residual)
    planes, rows, columns = network.planes
    convolutions = [convolution(layer) for layer in network.body.modules() if isinstance(layer, nn.Conv2d)]
    actor, judge = network.actor, network.critic
    assert isinstance(actor, BoardActor)
    said = [narrow(actor.narrow), board_dense(actor.all, rows * columns)]
    said += [dense_of(actor.cells.weight[:, :, 0, 0], actor.cells.bias)] if actor.cells is not None else []
    valued: list[Layer] = []
    if isinstance(judge, nn.Sequential):
        valued = [narrow(judge[0]), board_dense(judge[1], rows * columns), dense(judge[3])]
    return _core.convolutions(convolutions, said, valued, activation, planes, rows, columns)


def dense_of(weight: Tensor, bias: Tensor | None) -> Layer:
    assert bias is not None
    return np.ascontiguousarray(weight.detach().numpy().T), bias.detach().numpy()


def dense(layer: nn.Module | None) -> Layer:
    assert isinstance(layer, nn.Linear)
    return dense_of(layer.weight, layer.bias)


def convolution(layer: nn.Conv2d) -> Layer:
    """For every neighbour, by rows, a line for every channel that goes in."""
    weight = layer.weight.detach().numpy().transpose(2, 3, 1, 0)
    assert layer.bias is not None
    return np.ascontiguousarray(weight.reshape(-1, weight.shape[3])), layer.bias.detach().numpy()


def narrow(layers: nn.Module) -> Layer:
    assert isinstance(layers, nn.Sequential) and isinstance(layers[0], nn.Conv2d)
    return dense_of(layers[0].weight[:, :, 0, 0], layers[0].bias)


def board_dense(layer: nn.Module, cells: int) -> Layer:
    """A layer that reads a board: here cell by cell, there channel by channel."""
    assert isinstance(layer, nn.Linear)
    weight = layer.weight.detach()
    by_cell = weight.reshape(len(weight), -1, cells).transpose(1, 2).reshape(len(weight), -1)
    return dense_of(by_cell, layer.bias)
