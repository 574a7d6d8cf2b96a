"""The replay buffer: the last cases, and random minibatches of them, each turned by a random symmetry of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludus.game import Game, Player
from ludus.learn.view import Floats, View


@dataclass(frozen=True)
class Case:
    """One position of an actual game as a training case."""

    planes: Floats  # as the player to move sees it
    player: Player
    policy: Floats  # D, the distribution of visits; illegal actions have none
    legal: NDArray[np.bool_]
    score: float  # how the game ended for the player to move


@dataclass(frozen=True)
class Batch:
    """A minibatch as tensors."""

    planes: Tensor
    policies: Tensor
    legal: Tensor
    scores: Tensor


def joined(one: Batch, other: Batch) -> Batch:
    """Two minibatches as one."""
    return Batch(*(torch.cat([getattr(one, f.name), getattr(other, f.name)]) for f in fields(Batch)))


class Replay:
    """A ring buffer of cases."""

    def __init__(self, game: Game, size: int, exchange: bool = True, symmetries: bool = True) -> None:
        shape, actions = game.planes_shape, game.num_actions
        self.view = View(game, exchange)
        self.turns = [s for s in game.symmetries if not (s.swaps_players and exchange)] if symmetries else []
        self.size, self.count, self.shape = size, 0, shape
        self.planes = np.zeros((size, int(np.prod(shape))), np.float32)
        self.policies = np.zeros((size, actions), np.float32)
        self.legal = np.zeros((size, actions), np.bool_)
        self.scores = np.zeros(size, np.float32)

    def __len__(self) -> int:
        return min(self.count, self.size)

    def add(self, cases: Sequence[Case]) -> None:
        """Adds cases; where the buffer is full, they replace the oldest."""
        if not cases:
            return
        who = [case.player for case in cases]
        rows = np.arange(self.count, self.count + len(cases)) % self.size
        legal = np.stack([case.legal for case in cases]).astype(np.float32)
        self.planes[rows] = self.view.planes(np.stack([case.planes for case in cases]), who).reshape(len(cases), -1)
        self.policies[rows] = self.view.policies_in(np.stack([case.policy for case in cases]), who)
        self.legal[rows] = self.view.policies_in(legal, who) > 0
        self.scores[rows] = [case.score for case in cases]
        self.count += len(cases)

    def draw(self, count: int, rng: np.random.Generator) -> Batch:
        """A random minibatch, every case turned by a symmetry of the game drawn for it."""
        rows = rng.integers(len(self), size=count)
        planes, policies, legal = self.planes[rows], self.policies[rows], self.legal[rows]
        if len(self.turns) > 1:
            which = rng.integers(len(self.turns), size=count)
            for number, turn in enumerate(self.turns):
                mine = np.flatnonzero(which == number)
                planes[mine] = planes[mine][:, turn.planes]
                back = np.argsort(turn.actions)
                policies[mine], legal[mine] = policies[mine][:, back], legal[mine][:, back]
        shaped = planes.reshape(count, *self.shape)
        return Batch(*(torch.from_numpy(a) for a in (shaped, policies, legal, self.scores[rows])))
