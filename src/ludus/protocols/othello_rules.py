"""The rules of Othello without passing in plain Python, for boards of any size, as programs of the course know them.

A board is rows of cells, 0 empty, 1 dark, 2 light; it may be made of tuples or lists, and play_move returns tuples.
A move is (column, row). Python 3.7 suffices, because agent files for the course contain this (courses/csc384/files.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Board = Sequence[Sequence[int]]
    Move = tuple[int, int]

DIRECTIONS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]


def find_lines(board: Board, i: int, j: int, player: int) -> list[list[Move]]:
    """The lines of discs that `player` captures with a disc in column i, row j."""
    size = len(board)
    lines: list[list[Move]] = []
    for right, down in DIRECTIONS:
        line: list[Move] = []
        u, v = i + right, j + down
        while 0 <= u < size and 0 <= v < size and board[v][u] != 0:
            if board[v][u] == player:
                if line:
                    lines.append(line)
                break
            line.append((u, v))
            u, v = u + right, v + down
    return lines


def get_possible_moves(board: Board, player: int) -> list[Move]:
    """The legal moves (column, row), column by column."""
    cells = range(len(board))
    return [(i, j) for i in cells for j in cells if board[j][i] == 0 and find_lines(board, i, j, player)]


def play_move(board: Board, player: int, i: int, j: int) -> tuple[tuple[int, ...], ...]:
    """The board after `player` has set a disc in column i, row j."""
    rows = [list(row) for row in board]
    rows[j][i] = player
    for line in find_lines(board, i, j, player):
        for u, v in line:
            rows[v][u] = player
    return tuple(tuple(row) for row in rows)


def get_score(board: Board) -> tuple[int, int]:
    """The numbers of dark and light discs."""
    cells = [cell for row in board for cell in row[: len(board)]]
    return cells.count(1), cells.count(2)
