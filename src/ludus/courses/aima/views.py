"""How our searches and matches see a game of the notebook: through its own methods, or as a compiled game.

Our own Tic-tac-toe and Connect Four are seen as the compiled games with the same rules, which is many times as fast.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Protocol

from ludus._core import Rng
from ludus.agents import Decision, TimeLeft
from ludus.courses.aima.bridge import Recorded, states_from, states_of
from ludus.courses.aima.games import Board, ConnectFour, TicTacToe, lowest_empty
from ludus.errors import BadBoard, LudusError
from ludus.game import Action, State
from ludus.game import Game as LudusGame
from ludus.games import connect_four, tic_tac_toe
from ludus.games.python import PythonGame


class View(Protocol):
    """How a search sees a game of the notebook."""

    def state(self, state: Any) -> State:
        """The state for the search."""

    def move(self, action: Action, state: Any) -> Any:
        """The move that an action of the search is in a state."""

    def action(self, move: Any) -> Action:
        """The action of the search that a move is."""


class PythonView:
    """Any game, through its own methods."""

    def __init__(self, game: Any, start: Any) -> None:
        self.kind = states_from(game, start)

    def state(self, state: Any) -> State:
        return self.kind(state)

    def move(self, action: Action, state: Any) -> Any:
        return self.kind.moves.things[action]

    def action(self, move: Any) -> Action:
        return self.kind.moves.of(move)


class CompiledView:
    """Our own Tic-tac-toe and Connect Four, as the compiled games with the same rules."""

    def __init__(self, game: TicTacToe) -> None:
        self.drops, board = type(game) is ConnectFour, game.initial
        if len(game.squares) != board.width * board.height:
            raise BadBoard("this game is not played on all squares of its board")
        make: Callable[..., LudusGame] = connect_four.ConnectFour if self.drops else tic_tac_toe.TicTacToe
        self.game, self.width, self.height = make(board.width, board.height, game.k), board.width, board.height

    def state(self, state: Board) -> State:
        if (state.width, state.height) != (self.width, self.height) or state.to_move not in ("X", "O"):
            raise BadBoard("this board has another size than the game's, or other players")
        compiled = self.game.read_board(repr(state), "XO".index(state.to_move))
        if compiled.over and state.utility == 0 and len(state) < self.width * self.height:
            raise BadBoard("this board has a line that its game does not count")
        return compiled

    def move(self, action: Action, state: Board) -> Any:
        return lowest_empty(state, action) if self.drops else (action % self.width, action // self.width)

    def action(self, move: Any) -> Action:
        x, y = move
        return int(x if self.drops else y * self.width + x)


def view_of(game: Any, state: Any, compiled: bool = True) -> CompiledView | PythonView:
    """The compiled game for a board of our own games, if its position can come about there; else the game itself."""
    return (compiled_view(game, state) if compiled else None) or PythonView(game, state)


def compiled_view(game: Any, state: Any) -> CompiledView | None:
    if type(game) in (TicTacToe, ConnectFour) and type(state) is Board:
        with contextlib.suppress(LudusError):
            view = CompiledView(game)
            view.state(state)
            return view
    return None


def ludus_game(game: Any, compiled: bool = True) -> LudusGame:
    """The game for matches, tournaments and everything else of Ludus.

    Our own Tic-tac-toe and Connect Four are the compiled games, unless `compiled` is False. Use that to let a
    strategy play, see StrategyAgent.
    """
    view = compiled_view(game, game.initial) if compiled else None
    return view.game if view else PythonGame(states_of(game))


class StrategyAgent:
    """A strategy of the notebook as an agent in matches of Ludus, of a game that ludus_game made."""

    def __init__(self, strategy: Callable[[Any, Any], Any]) -> None:
        self.strategy = strategy

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        if not isinstance(state, Recorded):
            raise LudusError(
                "a strategy plays states of the notebook's games: make the game by ludus_game(…, compiled=False)"
            )
        move = self.strategy(state.rules, state.state)
        return Decision(state.number_of(move), why="its strategy says so")
