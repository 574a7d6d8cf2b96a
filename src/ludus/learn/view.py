"""How a network sees a state. Where the players of a game can change places, it always sees itself as player 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.game import Game

Floats = NDArray[np.float32]


class View:
    """Turns observations of player 1 so that they look like player 0's, if the game has such a symmetry."""

    def __init__(self, game: Game, exchange: bool = True) -> None:
        swaps = [symmetry for symmetry in game.symmetries if symmetry.swaps_players]
        self.turn = swaps[0] if swaps and exchange else None

    def planes(self, planes: Floats, players: Sequence[int]) -> Floats:
        """Observations (n, c, h, w) as the network gets them."""
        if self.turn is None:
            return planes
        rows = np.flatnonzero(np.asarray(players))
        flat = planes.reshape(len(planes), -1)
        flat[rows] = flat[rows][:, self.turn.planes]
        return flat.reshape(planes.shape)

    def policies_in(self, policies: Floats, players: Sequence[int]) -> Floats:
        """Policies (n, num_actions) of the game as the network learns them."""
        if self.turn is None:
            return policies
        rows = np.flatnonzero(np.asarray(players))
        turned = policies[rows]
        policies[rows[:, None], self.turn.actions[None, :]] = turned
        return policies

    def policies_out(self, policies: Floats, players: Sequence[int]) -> Floats:
        """Policies of the network as the game names actions."""
        if self.turn is None:
            return policies
        rows = np.flatnonzero(np.asarray(players))
        policies[rows] = policies[rows][:, self.turn.actions]
        return policies
