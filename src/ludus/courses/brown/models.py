"""The course's networks and how they are trained on a data set. PyTorch itself is used in ludus.learn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.courses.brown.features import NUMBERS, PLANES, feature_count, get_features, rules
from ludus.courses.brown.go_search_problem import Action
from ludus.courses.brown.states import native_of
from ludus.errors import BadOption
from ludus.game import seen_by
from ludus.games.go import Go
from ludus.learn.plain import (
    PolicyNetwork,
    Report,
    ValueNetwork,
    answer,
    cross_entropy,
    fit,
    fresh,
    load_model,
    save_model,
    shape_in,
    split,
    squared_error,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "PolicyNetwork", "ValueNetwork", "answer", "load_model", "save_model", "shape_in", "train_policy_network",
    "train_value_network",
]  # fmt: skip

HELD_OUT = 0.1  # of the positions, which are only looked at
Dataset = Sequence[tuple[Any, Action, float]]


def train_value_network(
    dataset: Dataset,
    num_epochs: int = 10,
    learning_rate: float = 1e-3,
    report: Report = lambda epoch: None,
    seed: int = 0,
) -> ValueNetwork:
    """A network that guesses the result, for the player to move, from the features of a position."""
    size = board_size(dataset)
    rows = [(get_features(state), native_of(state).player, result) for state, _, result in dataset]
    inputs = np.array([features for features, _, _ in rows], dtype=np.float32)
    results = np.array([[seen_by(player, 0, result)] for _, player, result in rows], dtype=np.float32)
    learned, held_out = split(inputs, results, HELD_OUT, seed)
    model = fresh(ValueNetwork, seed, feature_count(size))
    turned = [learned.inputs[:, places] for places, _ in turns(size)]
    learned = type(learned)(np.concatenate(turned), np.tile(learned.targets, (len(turned), 1)))
    for epoch in fit(model, squared_error, learned, held_out, num_epochs, learning_rate, seed):
        report(epoch)
    return model


def train_policy_network(
    dataset: Dataset,
    num_epochs: int = 10,
    learning_rate: float = 1e-3,
    report: Report = lambda epoch: None,
    seed: int = 0,
) -> PolicyNetwork:
    """A network that guesses which action was chosen in a position."""
    size = board_size(dataset)
    inputs = np.array([get_features(state) for state, _, _ in dataset], dtype=np.float32)
    actions = np.array([int(action) for _, action, _ in dataset], dtype=np.int64)
    learned, held_out = split(inputs, actions, HELD_OUT, seed)
    model = fresh(PolicyNetwork, seed, feature_count(size), size)
    turned = [(learned.inputs[:, places], moved[learned.targets]) for places, moved in turns(size)]
    learned = type(learned)(*(np.concatenate(part) for part in zip(*turned, strict=True)))
    for epoch in fit(model, cross_entropy, learned, held_out, num_epochs, learning_rate, seed):
        report(epoch)
    return model


def board_size(dataset: Dataset) -> int:
    """The size of the boards of a data set; refuses one without positions, or with boards of several sizes."""
    sizes = sorted({rules(native_of(state)).size for state, _, _ in dataset})
    if not sizes:
        raise BadOption("the data set has no positions")
    if len(sizes) > 1:
        raise BadOption(f"a network learns one size of the board; the data set has {' and '.join(map(str, sizes))}")
    return sizes[0]


@lru_cache(maxsize=8)
def turns(size: int) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """The eight symmetries of the board: where each feature of the turned position comes from, and new actions."""
    found = []
    for symmetry in Go(size).symmetries:
        back = np.argsort(symmetry.actions[:-1])  # the pass stays the pass
        places = [plane * size * size + back for plane in range(PLANES)]
        numbers = PLANES * size * size + np.arange(NUMBERS)
        found.append((np.concatenate([*places, numbers]), symmetry.actions))
    return found
