"""The lines between the manager of the Othello course and its programs; othello_pipe.py says what is done with them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

Board = tuple[tuple[int, ...], ...]  # rows from the top; 0 empty, 1 dark, 2 light
Move = tuple[int, int]  # column, row


def write_flags(color: int, limit: int, minimax: bool, caching: bool, ordering: bool) -> str:
    """The line that tells a program its colour and the flags of the manager; a limit of -1 is none."""
    return ",".join(str(int(number)) for number in (color, limit, minimax, caching, ordering))


def read_flags(line: str) -> list[int] | None:
    """The numbers of the line `color,limit,minimax,caching,ordering`, of which all but the first may be missing."""
    try:
        flags = [int(part) for part in line.strip().strip(",").split(",")]
    except ValueError:
        return None
    return flags if flags[0] in (1, 2) else None


def write_question(board: Sequence[Sequence[int]]) -> str:
    """The two lines that ask for a move: the score, and the board as Python writes it."""
    cells = [cell for row in board for cell in row]
    return f"SCORE {cells.count(1)} {cells.count(2)}\n{board}"


def read_board(line: str) -> Board | None:
    """The board that a line shows, as lists or tuples; None if it shows none."""
    try:
        board = tuple(tuple(row) for row in ast.literal_eval(line.strip()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    square = len(board) > 0 and all(len(row) == len(board) for row in board)
    return board if square and all(cell in (0, 1, 2) for row in board for cell in row) else None


def read_move(reply: str) -> Move:
    """The column and the row of an answer; raises ValueError for anything else."""
    column, row = map(int, reply.split())
    return column, row
