"""A multilayer perceptron in plain numpy, on the very weights of the network: the same answers, with less ado.

For one state it is five times as fast as PyTorch, for eight twice.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ludus.learn.network import Layers, Network
from ludus.learn.view import Floats

ACTIVATIONS: dict[str, Callable[[Floats], Floats]] = {
    "linear": lambda x: x,
    "sigmoid": lambda x: np.reciprocal(1 + np.exp(-np.clip(x, -60, 60))).astype(np.float32),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0, out=x),
}


class Plain:
    """Policies (n, num_actions) over all actions and values (n,), from observations (n, c, h, w)."""

    def __init__(self, network: Network) -> None:
        assert isinstance(network.body, Layers)

        def shared(layer: object) -> tuple[Floats, Floats]:  # the network's own memory, so learning shows at once
            return layer.weight.detach().numpy().T, layer.bias.detach().numpy()  # type: ignore[attr-defined]

        self._layers = [shared(layer) for layer in network.body.layers]
        self._actor = shared(network.actor)
        self._critic = shared(network.critic) if network.critic is not None else None
        self._activation = ACTIVATIONS[network.settings.activation]
        self._residual = network.settings.residual

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        seen = planes.reshape(len(planes), -1)
        for weight, bias in self._layers:
            new = seen @ weight
            new += bias
            new = self._activation(new)
            seen = seen + new if self._residual and new.shape == seen.shape else new
        policies = seen @ self._actor[0]
        policies += self._actor[1]
        policies -= policies.max(axis=1, keepdims=True)
        np.exp(policies, out=policies)
        policies /= policies.sum(axis=1, keepdims=True)
        if self._critic is None:
            return policies, np.zeros(len(planes), np.float32)
        return policies, np.tanh(seen @ self._critic[0] + self._critic[1])[:, 0]
