"""Plain networks on a list of numbers: one that gives a value, one that gives a policy, and how they learn.

They are what a first course builds. The networks of self-play, which see planes and give both, are in network.py.
"""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ludus.errors import BadOption, LudusError, within
from ludus.learn.learner import OPTIMIZERS
from ludus.learn.network import all_finite
from ludus.system import write_whole

WEIGHTS = "model_state_dict"  # the one key of a saved file
Model = TypeVar("Model", bound=nn.Module)


class BadModel(LudusError):
    """A file holds no weights for this network."""


class ValueNetwork(nn.Module):
    """A value (…, 1) between -1 and 1."""

    def __init__(self, input_size: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(input_size, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh()
        )

    def forward(self, x: Tensor) -> Tensor:
        value: Tensor = self.layers(x)
        return value


class PolicyNetwork(nn.Module):
    """Logits (…, board_size² + 1) of all points and the pass."""

    def __init__(self, input_size: int, board_size: int = 5) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(input_size, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, board_size**2 + 1)
        )

    def forward(self, x: Tensor) -> Tensor:
        logits: Tensor = self.layers(x)
        return logits


def answer(model: Any, features: Any) -> NDArray[np.float32]:
    """What a network says of one list of features, or of many."""
    inputs = torch.as_tensor(np.asarray(features, dtype=np.float32))
    try:
        with torch.no_grad():
            said: NDArray[np.float32] = model(inputs).numpy()
    except RuntimeError as error:  # its first layer reads another number of them
        raise BadModel(
            f"this network cannot read {inputs.shape[-1]} features; it may be for another size of the board ({error})"
        ) from None
    return said


# ------------------------------------------------------------------------------------------- learning


@dataclass(frozen=True)
class Epoch:
    """One pass over the cases: the mean loss on them, and on those that are only looked at."""

    number: int
    loss: float
    held_out: float


Report = Callable[[Epoch], None]


@dataclass(frozen=True)
class Cases:
    """Features (n, features) and what should be said of them: values (n, 1) or numbers of actions (n,)."""

    inputs: NDArray[np.float32]
    targets: NDArray[Any]

    def tensors(self) -> tuple[Tensor, Tensor]:
        return torch.from_numpy(self.inputs), torch.from_numpy(self.targets)


def fit(
    model: nn.Module,
    loss: Callable[[Tensor, Tensor], Tensor],
    learned: Cases,
    held_out: Cases,
    num_epochs: int,
    learning_rate: float,
    seed: int = 0,
    batch: int = 64,
) -> Iterator[Epoch]:
    """Trains by Adam on random minibatches; yields after every pass over the cases."""
    within("learning_rate", learning_rate, 1e-9, 10)
    torch.set_num_threads(1)  # small networks gain nothing from more
    inputs, targets = learned.tensors()
    optimizer = OPTIMIZERS["adam"](model.parameters(), lr=learning_rate)
    step, rng = inspect.unwrap(type(optimizer).step), np.random.default_rng(seed)
    for number in range(1, num_epochs + 1):
        model.train()
        total, order = 0.0, torch.from_numpy(rng.permutation(len(inputs)))
        for at in range(0, len(order), batch):
            rows = order[at : at + batch]
            cost = loss(model(inputs[rows]), targets[rows])
            optimizer.zero_grad()
            cost.backward()  # type: ignore[no-untyped-call]
            with torch.no_grad():
                step(optimizer)
            total += cost.item() * len(rows)
        model.eval()
        yield Epoch(number, total / len(inputs), loss_of(model, loss, held_out))
        if not all_finite(model.parameters()):
            raise LudusError(f"the training diverged in epoch {number}; try a lower learning rate")


def loss_of(model: nn.Module, loss: Callable[[Tensor, Tensor], Tensor], cases: Cases) -> float:
    """The mean loss on some cases; 0 if there are none."""
    if not len(cases.inputs):
        return 0.0
    inputs, targets = cases.tensors()
    with torch.no_grad():
        return loss(model(inputs), targets).item()


def squared_error(said: Tensor, wanted: Tensor) -> Tensor:
    return nn.functional.mse_loss(said, wanted)


def cross_entropy(said: Tensor, wanted: Tensor) -> Tensor:
    return nn.functional.cross_entropy(said, wanted)


def fresh(kind: Callable[..., Model], seed: int, *sizes: int) -> Model:
    """A network whose random weights follow from a seed; other random numbers of PyTorch are not touched."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return kind(*sizes)


# ------------------------------------------------------------------------------------------- on disk


def save_model(path: str | Path, model: nn.Module) -> None:
    """Writes the weights as a dictionary with the one key `model_state_dict`."""
    content = io.BytesIO()
    torch.save({WEIGHTS: model.state_dict()}, content)
    write_whole(Path(path), content.getvalue())


def load_model(path: str | Path, model: Model) -> Model:
    """The network with the weights of a file. Only weights are loaded, never code."""
    try:
        model.load_state_dict(weights_in(path))
    except RuntimeError as error:
        raise BadModel(f"{path} does not fit this network: {str(error).splitlines()[-1].strip()}") from None
    return model.eval()


def weights_in(path: str | Path) -> dict[str, Tensor]:
    """The weights in a file."""
    if not Path(path).is_file():
        raise BadModel(f"there is no file {str(path)!r}")
    try:
        weights: dict[str, Tensor] = torch.load(path, weights_only=True, map_location="cpu")[WEIGHTS]
    except Exception as error:  # whatever PyTorch says of a file that is none of its own
        raise BadModel(f"{path} holds no {WEIGHTS}: {str(error).splitlines()[0][:100]}") from None
    return weights


def shape_in(path: str | Path) -> tuple[int, int]:
    """How many numbers the network of a file reads, and how many it gives."""
    layers = [tensor for name, tensor in weights_in(path).items() if name.endswith("weight") and tensor.ndim == 2]
    if not layers:
        raise BadModel(f"{path} holds no layers of neurons")
    return int(layers[0].shape[1]), int(layers[-1].shape[0])


def split(inputs: NDArray[Any], targets: NDArray[Any], held_out: float, seed: int) -> tuple[Cases, Cases]:
    """Cases to learn from and a share of them that is only looked at, divided at random."""
    if len(inputs) < 2:
        raise BadOption("a network needs at least two cases to learn from")
    order = np.random.default_rng(seed).permutation(len(inputs))
    cut = min(len(order) - 1, round(held_out * len(order)))
    learned, looked_at = (Cases(inputs[part], targets[part]) for part in (order[cut:], order[:cut]))
    return learned, looked_at
