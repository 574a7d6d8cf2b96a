"""The replay buffer: the last cases, and random minibatches of them, each turned by a random symmetry of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludus.game import Game, Player
from ludus.learn.case import UNKNOWN, Case, Cells
from ludus.learn.view import View


@dataclass(frozen=True)
class Batch:
    """A minibatch as tensors."""

    planes: Tensor
    policies: Tensor
    legal: Tensor
    scores: Tensor
    weights: Tensor
    any: Tensor  # is any action with a share in the policy as right as the others?
    owners: Tensor  # whose every cell was at the end: 1 the player to move, -1 the other, 0 nobody, or UNKNOWN

    def to(self, device: torch.device) -> Batch:
        """The same on another device."""
        return Batch(*(getattr(self, f.name).to(device) for f in fields(Batch)))


def joined(one: Batch, other: Batch) -> Batch:
    """Two minibatches as one."""
    return Batch(*(torch.cat([getattr(one, f.name), getattr(other, f.name)]) for f in fields(Batch)))


class Replay:
    """A ring buffer of cases."""

    def __init__(self, game: Game, size: int, exchange: bool = True, symmetries: bool = True) -> None:
        shape, actions = game.planes_shape, game.num_actions
        self.view = View(game, exchange)
        self.size, self.count, self.shape = size, 0, shape
        self.columns = {
            "planes": np.zeros((size, int(np.prod(shape))), np.float32),
            "policies": np.zeros((size, actions), np.float32),
            "legal": np.zeros((size, actions), np.bool_),
            "scores": np.zeros(size, np.float32),
            "weights": np.ones(size, np.float32),
            "any": np.zeros(size, np.bool_),
            "owners": np.zeros((size, shape[1] * shape[2]), np.int8),
        }
        turns = [s for s in game.symmetries if not (s.swaps_players and exchange)] if symmetries else []
        self.turns = None  # for every symmetry: where each number of planes, of policies and of cells is taken from
        if len(turns) > 1:
            planes = np.stack([turn.planes for turn in turns])
            self.turns = planes, np.stack([np.argsort(turn.actions) for turn in turns]), self._cells(planes)

    def _cells(self, planes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Where each cell is taken from, as the first plane shows it."""
        cells = self.shape[1] * self.shape[2]
        return planes[..., :cells] % cells

    def __len__(self) -> int:
        return min(self.count, self.size)

    def add(self, cases: Sequence[Case]) -> None:
        """Adds cases; where the buffer is full, they replace the oldest."""
        if not cases:
            return
        who, to = [case.player for case in cases], self.columns
        rows = np.arange(self.count, self.count + len(cases)) % self.size
        legal = np.stack([case.legal for case in cases]).astype(np.float32)
        to["planes"][rows] = self.view.planes(np.stack([case.planes for case in cases]), who).reshape(len(cases), -1)
        to["policies"][rows] = self.view.policies_in(np.stack([case.policy for case in cases]), who)
        to["legal"][rows] = self.view.policies_in(legal, who) > 0
        to["scores"][rows] = [case.score for case in cases]
        to["weights"][rows] = [case.weight for case in cases]
        to["any"][rows] = [case.any for case in cases]
        seen: dict[tuple[int, Player], Cells | int] = {}  # the cases of a game share its last board
        for row, case in zip(rows, cases, strict=True):
            which = id(case.cells), case.player
            if which not in seen:
                seen[which] = self._owners(case.cells, case.player)
            to["owners"][row] = seen[which]
        self.count += len(cases)

    def _owners(self, cells: Cells | None, player: Player) -> Cells | int:
        """Whose each cell is, as the network sees the board when this player is to move; UNKNOWN without a board."""
        if cells is None or len(cells) != self.columns["owners"].shape[1]:
            return UNKNOWN
        owners = np.array([0, 1, -1], np.int8)[cells] * (1 if player == 0 else -1)
        turn = self.view.turn if player == 1 else None
        return owners if turn is None else owners[self._cells(turn.planes)]

    def draw(self, count: int, rng: np.random.Generator) -> Batch:
        """A random minibatch, every case turned by a symmetry of the game drawn for it."""
        rows = rng.integers(len(self), size=count)
        drawn = {name: column[rows] for name, column in self.columns.items()}
        if self.turns is not None:
            which = rng.integers(len(self.turns[0]), size=count)
            for name, turn in zip(("planes", "policies", "owners"), self.turns, strict=True):
                drawn[name] = np.take_along_axis(drawn[name], turn[which], 1)
            drawn["legal"] = np.take_along_axis(drawn["legal"], self.turns[1][which], 1)
        drawn["planes"] = drawn["planes"].reshape(count, *self.shape)
        return Batch(**{name: torch.from_numpy(column) for name, column in drawn.items()})
