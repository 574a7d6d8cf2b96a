"""The games of the notebook: what a game is, its board, Tic-tac-toe and Connect Four.

A game has actions, result, is_terminal, utility and an initial state; a state says in `to_move` whose turn it is. That
is all that the players (players.py) and the searches (search.py, uct.py) ask for, so any class that has it will do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Self, TypeVar

from ludus.errors import IllegalAction

Square = tuple[int, int]  # (x, y): the column from the left and the row from the top, both from 0 on
AnyBoard = TypeVar("AnyBoard", bound="Board")
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Game:
    """The rules of a game for players who take turns. A subclass sets `initial` and defines what is missing here."""

    initial: Any

    def actions(self, state: Any) -> Collection[Any]:
        """The legal moves in a state."""
        raise NotImplementedError

    def result(self, state: Any, move: Any) -> Any:
        """The state after a move; the old one stays as it is."""
        raise NotImplementedError

    def is_terminal(self, state: Any) -> bool:
        """Has the game ended?"""
        return not self.actions(state)

    def utility(self, state: Any, player: Any) -> float:
        """What a finished game is worth to a player."""
        raise NotImplementedError


class Board(defaultdict[Square, str]):
    """Who stands where: board[x, y] is the name of a player, "." on an empty square and "#" outside of the board.

    Only taken squares are stored. Boards are equal when their stones are; the hash also counts whose turn it is.
    """

    empty = "."
    off = "#"
    width: int
    height: int
    to_move: Any
    utility: float

    def __init__(self, width: int = 8, height: int = 8, to_move: Any = None, **kwds: Any) -> None:
        super().__init__()
        vars(self).update(width=width, height=height, to_move=to_move, **kwds)

    def new(self, changes: Mapping[Square, str], **kwds: Any) -> Board:
        """A board of the same size with some squares changed; its other attributes are only those given here."""
        board = Board(self.width, self.height, **kwds)
        board.update(self)
        board.update(changes)
        return board

    def __missing__(self, square: Square) -> str:
        x, y = square
        return self.empty if 0 <= x < self.width and 0 <= y < self.height else self.off

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((frozenset(self.items()), self.to_move))

    def __repr__(self) -> str:
        lines = (" ".join(self[x, y] for x in range(self.width)) for y in range(self.height))
        return "".join(line + "\n" for line in lines)

    # The ways of defaultdict to copy and pickle would lose the size of the board and whose turn it is.

    def __copy__(self) -> Self:
        copied = empty_board(type(self))
        vars(copied).update(vars(self))
        copied.update(self)
        return copied

    copy = __copy__

    def __reduce__(self) -> tuple[Any, ...]:
        return empty_board, (type(self),), dict(vars(self)), None, iter(self.items())


def empty_board(kind: type[AnyBoard]) -> AnyBoard:
    """A board of a class that may want other arguments than ours; its attributes come later."""
    return kind.__new__(kind)


class TicTacToe(Game):
    """Tic-tac-toe on a board of any size: k in a row, column or diagonal win. X begins."""

    initial: Board

    def __init__(self, height: int = 3, width: int = 3, k: int = 3) -> None:
        self.k = k
        self.squares = {(x, y) for x in range(width) for y in range(height)}
        self.initial = Board(width, height, to_move="X", utility=0)

    def actions(self, board: Board) -> set[Square]:
        """The empty squares."""
        return self.squares - set(board)

    def result(self, board: Board, square: Square) -> Board:
        if square not in self.squares or square in board:
            raise IllegalAction(
                f"{square!r} is not an empty square of the board; legal are {sorted(self.actions(board))}"
            )
        player = board.to_move
        after = board.new({square: player}, to_move="O" if player == "X" else "X")
        won = k_in_row(after, player, square, self.k)
        after.utility = 0 if not won else 1 if player == "X" else -1
        return after

    def utility(self, board: Board, player: str) -> float:
        """+1 for the winner, -1 for the loser, 0 for a draw and while the game goes on."""
        return board.utility if player == "X" else -board.utility

    def is_terminal(self, board: Board) -> bool:
        return board.utility != 0 or len(board) == len(self.squares)

    def display(self, board: Board) -> None:
        print(board)


def k_in_row(
    board: Mapping[Square, str], player: str, square: Square, k: int, directions: Iterable[Square] = DIRECTIONS
) -> bool:
    """Does a player stand on a square, with at least k stones in a line through it?"""

    def reach(dx: int, dy: int) -> int:
        (x, y), stones = square, 0
        while board.get((x := x + dx, y := y + dy)) == player:
            stones += 1
        return stones

    stands = board.get(square) == player
    return stands and any(1 + reach(dx, dy) + reach(-dx, -dy) >= k for dx, dy in directions)


class ConnectFour(TicTacToe):
    """Connect Four: Tic-tac-toe on 7 columns and 6 rows, in which stones fall to the lowest empty square."""

    def __init__(self) -> None:
        super().__init__(height=6, width=7, k=4)

    def actions(self, board: Board) -> set[Square]:
        """The lowest empty square of every column that is not full."""
        return {square for square in super().actions(board) if has_ground(board, square)}

    def result(self, board: Board, square: Square) -> Board:
        if square in self.squares and not has_ground(board, square):
            legal = sorted(self.actions(board))
            raise IllegalAction(f"a stone on {square!r} would hang in the air; legal are {legal}")
        return super().result(board, square)


def has_ground(board: Board, square: Square) -> bool:
    """Is there a stone or the bottom of the board below a square?"""
    x, y = square
    return y == board.height - 1 or (x, y + 1) in board


def lowest_empty(board: Board, x: int) -> Square | None:
    """Where the next stone in a column lands; None if the column is full."""
    return next(((x, y) for y in reversed(range(board.height)) if (x, y) not in board), None)
