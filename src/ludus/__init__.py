"""Ludus: play, search and learn two-player board games.

>>> import ludus
>>> game = ludus.make("hex", size=5)
>>> state = game.start()
>>> state.player, state.over, len(state.actions())
(0, False, 25)
"""

import ludus.cpu  # noqa: F401 (first, because it chooses the core that the next line gets)
from ludus._core import Rng, perft, rollouts
from ludus.errors import LudusError
from ludus.game import Game, State, Symmetry
from ludus.games import games, make
from ludus.games.python import PythonGame

__version__ = "0.1.0"
__all__ = ["Game", "LudusError", "PythonGame", "Rng", "State", "Symmetry", "games", "make", "perft", "rollouts"]
