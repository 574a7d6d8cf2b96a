"""Patterns: a body of networks that looks up what the lines through every cell show, instead of computing it.

A line is a cell with up to `reach` neighbours on either side, along its row, its column or a diagonal. Each of its
cells is empty, shows a stone of the first plane, or one of the second; at the edge of the board a line is shorter, and
its table knows where. So the network depends on no size of the board.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import embedding_bag

from ludus.learn.layers import ACTIVATIONS
from ludus.learn.settings import NetworkSettings

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # of the lines through a cell: row, column, both diagonals
Span = tuple[int, int]  # cells of the board before and behind the one in the middle
Numbers = NDArray[np.int64]


class Patterns(nn.Module):
    """For every cell the worth of its lines, added up: (n, channels, rows, columns)."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int]) -> None:
        super().__init__()
        self.reach, channels = settings.reach, settings.channels
        # One table for every reach up to the longest: rare long lines begin with what is known of shorter ones.
        self.tables = nn.ParameterList(
            nn.Parameter(0.1 * torch.randn(len(WAYS) * contents(reach), channels)) for reach in range(1, self.reach + 1)
        )
        self.point = nn.Conv2d(planes[0], channels, 1)
        self.activation = ACTIVATIONS[settings.activation]()

    def table(self) -> Tensor:
        """What every content of the longest lines is worth, shorter ones included: (numbers, channels)."""
        whole: Tensor = self.tables[0]
        for reach, longer in enumerate(self.tables[1:], start=2):
            whole = longer + whole[torch.from_numpy(shortened(reach)).to(longer.device)]
        return whole

    def forward(self, planes: Tensor) -> Tensor:
        count, _, rows, columns = planes.shape
        first, powers = (torch.from_numpy(part).to(planes.device) for part in lines(rows, columns, self.reach))
        with torch.autocast(planes.device.type, enabled=False):  # numbers of lines must be exact
            numbers = (shown(planes) @ powers + first).long()
            worth = embedding_bag(numbers.reshape(-1, len(WAYS)), self.table(), mode="sum")
        seen = worth.reshape(count, rows, columns, -1).permute(0, 3, 1, 2)
        new: Tensor = self.activation(seen + self.point(planes))
        return new


def shown(planes: Tensor) -> Tensor:
    """What every cell shows (n, cells): 1 a stone of the first plane, 2 of the second, 0 neither."""
    theirs = planes[:, 1] > 0.5 if planes.shape[1] > 1 else torch.zeros_like(planes[:, 0], dtype=torch.bool)
    return torch.where(planes[:, 0] > 0.5, 1.0, 2.0 * theirs.float()).flatten(1)


@cache
def firsts(reach: int) -> dict[Span, int]:
    """Where the contents of a line begin, by how much of it is on the board."""
    found, number = {}, 0
    for before, behind in product(range(reach + 1), repeat=2):
        found[before, behind] = number
        number += 3 ** (before + 1 + behind)
    return found


@cache
def contents(reach: int) -> int:
    """How many contents a line has."""
    longest = 2 * reach + 1
    return firsts(reach)[reach, reach] + int(3**longest)  # the whole line comes last


@cache
def lines(rows: int, columns: int, reach: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The numbers of the empty lines (lines,), and what a stone of every cell adds to them (cells, lines).

    Four lines for every cell, one after the other.
    """
    empty = np.zeros((rows * columns, len(WAYS)), np.float32)
    powers = np.zeros((rows * columns, rows * columns, len(WAYS)), np.float32)
    for row, column, (way, (down, across)) in product(range(rows), range(columns), enumerate(WAYS)):
        cell = row * columns + column
        here = [
            step
            for step in range(-reach, reach + 1)
            if 0 <= row + step * down < rows and 0 <= column + step * across < columns
        ]
        empty[cell, way] = way * contents(reach) + firsts(reach)[-here[0], here[-1]]
        for place, step in enumerate(here):
            powers[cell + step * (down * columns + across), cell, way] = 3**place
    return empty.reshape(-1), powers.reshape(rows * columns, -1)


@cache
def shortened(reach: int) -> Numbers:
    """For every content of a line, the number of the same line with one cell less on either side."""
    short: list[int] = []
    for way in range(len(WAYS)):
        for before, behind in firsts(reach):
            kept = min(before, reach - 1), min(behind, reach - 1)
            numbers = np.arange(3 ** (before + 1 + behind)) // 3 ** (before - kept[0]) % 3 ** (sum(kept) + 1)
            short.extend(way * contents(reach - 1) + firsts(reach - 1)[kept] + numbers)
    return np.array(short, np.int64)
