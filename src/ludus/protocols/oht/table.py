"""A game as it looks on the wire: flat lists of cells, and moves as a row and a column.

The protocols were made for Hex. Any game whose cells say everything, and whose actions are cells, fits them as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import cast

from ludus.errors import BadOption
from ludus.game import Action, Game, OnCells, Player, State, begun_by
from ludus.protocols.oht.results import Number

Move = tuple[int, int]  # row and column, from 0


class Table:
    """The board of one game of a series, where the players are called 1 and 2 and either of them may begin."""

    def __init__(self, game: Game, starter: Number) -> None:
        self.game, self.turned, self.direct = opened(game, starter)
        self.rows, self.columns = game.planes_shape[1:]
        self.state: State = self.game.start()
        self.actions: list[Action] = []
        self.moves: list[Move] = []

    @property
    def mover(self) -> Number:
        """Whose turn it is."""
        return self.number_of(self.state.player)

    @property
    def winner(self) -> int:
        """Who has won, 0 for a draw, once the game is over."""
        return next((self.number_of(p) for p in (0, 1) if self.state.score(p) > 0), 0)

    def number_of(self, player: Player) -> Number:
        return 1 if (player == 0) != self.turned else 2

    def flat(self) -> list[int]:
        """The number of the player to move, then the cells row by row: 0 empty, 1 and 2 the players' stones."""
        cells = cast(OnCells, self.state).cells()
        return [self.mover, *((0, 2, 1)[c] for c in cells)] if self.turned else [self.mover, *cells]

    def action_at(self, move: Sequence[int]) -> Action | None:
        """The legal action that a row and a column mean; None if there is none."""
        row, column = move
        if not 0 <= column < self.columns or not 0 <= row < self.rows:
            return None
        cell = row * self.columns + column
        if self.direct:
            return cell if cell in self.state.actions() else None
        return next((action for action, at in self._cell_of().items() if at == cell), None)

    def move_of(self, action: Action) -> Move:
        return divmod(action if self.direct else self._cell_of()[action], self.columns)

    def play(self, action: Action) -> None:
        """Plays an action, and after it the moves that nobody can choose, such as a forced pass."""
        self.moves.append(self.move_of(action))
        self._play(action)
        while not self.state.over and self._forced():
            self._play(self.state.actions()[0])

    def _forced(self) -> bool:
        """Is there no legal action that has a cell?"""
        return self.state.actions()[0] >= self.rows * self.columns if self.direct else not self._cell_of()

    def _cell_of(self) -> Mapping[Action, int]:
        """The cell of every legal action that has one. A board is made for drawing, and takes its time."""
        board = self.game.board(self.state)
        assert board is not None
        return board.cell_of

    def _play(self, action: Action) -> None:
        self.state = self.state.play(action)
        self.actions.append(action)


@lru_cache(maxsize=64)
def opened(game: Game, starter: Number) -> tuple[Game, bool, bool]:
    """The game as the starter begins it; is player 2 of the series then player 0 of the game; are actions cells?

    In Hex, tic-tac-toe and Othello the number of an action is that of its cell, or beyond all cells (a pass).
    """
    movable = "starter" in {f.name for f in fields(game)}
    board = game.board(game.start())
    direct = board is not None and all(action == cell for action, cell in board.cell_of.items())
    return (begun_by(game, starter - 1), False, direct) if movable else (game, starter == 2, direct)


def params_of(game: Game) -> list[int]:
    """What a client is told about the board: its size, or its rows and columns where they may differ."""
    size = getattr(game, "size", None)
    return [size] if isinstance(size, int) else list(game.planes_shape[1:])


def fits_a_record(game: Game) -> bool:
    """Does a state, written as a tuple, fit into the 1024 bytes that a client of the text protocol reads?"""
    return len(str(tuple(Table(game, 1).flat()))) <= 1024


def check(game: Game) -> None:
    """Refuses a game that does not fit the protocols."""
    start = game.start()
    if not all(fits(game, state) for state in (start, *(start.play(action) for action in start.actions()))):
        raise BadOption(
            f"{game.name} does not fit the protocols of the tournament, which know cells and moves that are cells; "
            "hex (without swap), tic_tac_toe, connect_four and othello do"
        )


def fits(game: Game, state: State) -> bool:
    """Do the cells say everything about a state, and is every action a cell of its own, in a board of several rows?"""
    board = game.board(state)
    if board is None or board.others or not isinstance(state, OnCells):
        return False
    _, rows, columns = game.planes_shape
    return (
        rows > 1
        and len(state.cells()) == len(board.cells) == rows * columns
        and all(piece.kind == "stone" for piece in board.pieces)
        and len(set(board.cell_of.values())) == len(board.cell_of)
    )
