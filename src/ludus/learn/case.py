"""A training case: what one position of a finished game teaches. Nothing here needs PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus.game import Player
from ludus.learn.view import Floats

Cells = NDArray[np.int8]  # a board row by row: 0 empty, 1 player 0, 2 player 1
UNKNOWN = 2  # nobody knows whose a cell was at the end: no game was played from there


@dataclass(frozen=True)
class Case:
    """One position of an actual game as a training case."""

    planes: Floats  # as the player to move sees it
    player: Player
    policy: Floats  # D, the distribution of visits; illegal actions have none
    legal: NDArray[np.bool_]
    score: float  # how the game ended for the player to move
    weight: float = 1.0  # how much it counts
    cells: Cells | None = None  # the board at the end of its game
    any: bool = False  # are all actions with a share in the policy equally right, so that any of them will do?
