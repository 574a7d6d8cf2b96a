"""Minimax and alpha-beta on games of the notebook: the textbook's searches, down to the end of the game.

Both return the value for the player to move and the first of the best moves, in the game's own order of moves.
"""

from __future__ import annotations

from typing import Any

from ludus.game import Action, Player, seen_by
from ludus.search.textbook import AlphaBeta, Minimax


class Ply:
    """A state for the textbook's searches. Player 0 is `me`, whose move is sought; action i is the i-th legal move."""

    def __init__(self, game: Any, state: Any, me: Any) -> None:
        self.game, self.state, self.me = game, state, me
        self.over: bool = game.is_terminal(state)
        self.player: Player = 0 if state.to_move == me else 1

    def actions(self) -> range:
        self.moves = list(self.game.actions(self.state))
        return range(len(self.moves))

    def play(self, action: Action, /) -> Ply:
        return Ply(self.game, self.game.result(self.state, self.moves[action]), self.me)

    def score(self, player: Player, /) -> float:
        """The utility of the end of the game; what is good for me is bad for the other."""
        return seen_by(player, 0, self.game.utility(self.state, self.me))


def minimax_search(game: Any, state: Any) -> tuple[float, Any]:
    """The value of a state for the player to move, and the move that reaches it, by looking at every line of play."""
    return found_by(Minimax(), game, state)


def alphabeta_search(game: Any, state: Any) -> tuple[float, Any]:
    """The same as minimax_search, without the lines of play that cannot change it."""
    return found_by(AlphaBeta(), game, state)


def found_by(search: Minimax | AlphaBeta, game: Any, state: Any) -> tuple[float, Any]:
    root = Ply(game, state, state.to_move)
    value, choice = search.search(root)
    return value, None if choice is None else root.moves[choice]
