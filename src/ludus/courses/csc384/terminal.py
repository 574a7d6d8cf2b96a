"""A person at the terminal in the course's game: the board with the legal moves, and a move as `column row` or b3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.courses.csc384.othello_shared import get_possible_moves, get_score
from ludus.errors import LudusError, UnreadableAction
from ludus.games.grid import LETTERS, read_cell
from ludus.protocols.othello_lines import read_move
from ludus.text import STONES

if TYPE_CHECKING:
    from ludus.protocols.othello_rules import Board, Move

COLORS = {1: "dark", 2: "light"}
LARGEST = len(LETTERS)  # boards whose columns have a letter each
LEGAL = "*"


def ask_person(board: Board, color: int, name: str) -> Move:
    """Shows the board and asks until a legal move is typed; EOFError if the person leaves."""
    moves = get_possible_moves(board, color)
    print("\n" + draw(board, moves))
    print("Moves: " + ", ".join(f"{write_name(move)} ({move[0]} {move[1]})" for move in moves))
    while True:
        text = input(f"{name} ({COLORS[color]}, {STONES[color]})> ").strip()
        if text.lower() in ("quit", "exit", "q"):
            raise EOFError
        try:
            move = read_typed(text, len(board))
        except LudusError as error:
            print(f"{error}.")
            continue
        if move in moves:
            return move
        print(f"{text} is not legal here; the legal moves are marked with {LEGAL}.")


def read_typed(text: str, size: int) -> Move:
    """The move that a person has typed: a column and a row, counted from 0, or the name of a cell."""
    try:
        return read_move(text.replace(",", " "))
    except ValueError:
        pass
    try:
        cell = read_cell(text, size, size)
    except UnreadableAction:
        last = write_name((size - 1, size - 1))
        raise UnreadableAction(
            f"cannot read {text!r}: type a column and a row from 0 to {size - 1}, such as 2 3, "
            f"or a cell from a1 to {last}; quit leaves the game"
        ) from None
    return cell % size, cell // size


def write_name(move: Move) -> str:
    """The name of a cell: a letter for its column, a number for its row, counted from 1."""
    return f"{LETTERS[move[0]]}{move[1] + 1}"


def draw(board: Board, moves: list[Move]) -> str:
    """The board as text; the legal moves are marked."""
    lines = ["    " + "  ".join(LETTERS[: len(board)])]
    for j, row in enumerate(board):
        cells = [LEGAL if (i, j) in moves else STONES[cell] for i, cell in enumerate(row)]
        lines.append(f"{j + 1:>2}  " + "  ".join(cells))
    dark, light = get_score(board)
    return "\n".join([*lines, f"{STONES[1]} dark {dark} : {light} light {STONES[2]}"])
