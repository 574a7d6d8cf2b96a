"""A network as the core computes it: the same answers from a copy of the weights, without PyTorch's overhead."""

from __future__ import annotations

import numpy as np
from torch import Tensor, nn

from ludus import _core
from ludus.learn.network import BoardActor, Layers, Network
from ludus.learn.view import Floats

Layer = tuple[Floats, Floats]  # a row of weights for every input, and the bias


def compiled(network: Network) -> _core.Network:
    """A copy of the network, with the weights that it has now."""
    activation = network.settings.activation
    if isinstance(network.body, Layers):
        critic = [dense(network.critic)] if network.critic is not None else []
        layers = [dense(layer) for layer in network.body.layers]
        return _core.perceptron(layers, [dense(network.actor)], critic, activation, network.settings.residual)
    planes, rows, columns = network.planes
    convolutions = [convolution(layer) for layer in network.body.modules() if isinstance(layer, nn.Conv2d)]
    actor, critic_head = network.actor, network.critic
    assert isinstance(actor, BoardActor)
    policy_layers = [narrow(actor.narrow), board_dense(actor.all, rows * columns)]
    policy_layers += [dense_of(actor.cells.weight[:, :, 0, 0], actor.cells.bias)] if actor.cells is not None else []
    value_layers: list[Layer] = []
    if isinstance(critic_head, nn.Sequential):
        value_layers = [narrow(critic_head[0]), board_dense(critic_head[1], rows * columns), dense(critic_head[3])]
    return _core.convolutions(convolutions, policy_layers, value_layers, activation, planes, rows, columns)


def dense_of(weight: Tensor, bias: Tensor | None) -> Layer:
    assert bias is not None
    return np.ascontiguousarray(weight.detach().numpy().T), bias.detach().numpy()


def dense(layer: nn.Module | None) -> Layer:
    assert isinstance(layer, nn.Linear)
    return dense_of(layer.weight, layer.bias)


def convolution(layer: nn.Conv2d) -> Layer:
    """A row of weights for every neighbour, by rows, and every channel of the input."""
    weight = layer.weight.detach().numpy().transpose(2, 3, 1, 0)
    assert layer.bias is not None
    return np.ascontiguousarray(weight.reshape(-1, weight.shape[3])), layer.bias.detach().numpy()


def narrow(layers: nn.Module) -> Layer:
    assert isinstance(layers, nn.Sequential) and isinstance(layers[0], nn.Conv2d)
    return dense_of(layers[0].weight[:, :, 0, 0], layers[0].bias)


def board_dense(layer: nn.Module, cells: int) -> Layer:
    """A layer that reads a board. PyTorch orders its inputs channel by channel, the core cell by cell."""
    assert isinstance(layer, nn.Linear)
    weight = layer.weight.detach()
    by_cell = weight.reshape(len(weight), -1, cells).transpose(1, 2).reshape(len(weight), -1)
    return dense_of(by_cell, layer.bias)
