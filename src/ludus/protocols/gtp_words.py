"""Words of the Go Text Protocol: colours, points, boards and results of four games, for both directions.

Black is player 0. A point is a letter for the column and a number for the row:

    Go       D4  no column is I, row 1 at the bottom
    Othello  D3  no column is I, row 1 on top, as grhino has it (GoGui draws row 1 at the bottom, a mirror image)
    Hex      d3  there is a column i, row 1 on top; Black joins top and bottom, as in HexGui and MoHex

In Connect Four a move is a column, and its number is all that is said: `play black 4`.
Go and Othello also have `pass`; the swap of Hex is `swap-pieces`: the stone becomes White's in the mirrored cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from ludus.errors import BadOption, LudusError, UnreadableAction
from ludus.game import Action, Game, NativeState, Player
from ludus.games.connect_four import ConnectFour
from ludus.games.go import COLUMNS, Go
from ludus.games.grid import LETTERS
from ludus.games.hex import Hex
from ludus.games.othello import Othello

BoardGame = ConnectFour | Go | Hex | Othello
COLORS = ("black", "white")


@dataclass(frozen=True)
class Words:
    """How programs write one game."""

    columns: str  # the letters of the columns; none where an action is written as people write it
    last_action: tuple[str, ...]  # words for the action after those of the cells; the first is written, all are read
    row_1_on_top: bool  # in the boards that user interfaces draw


WORDS: dict[type[Game], Words] = {
    Go: Words(COLUMNS, ("pass",), row_1_on_top=False),
    Othello: Words(COLUMNS, ("pass",), row_1_on_top=False),
    Hex: Words(LETTERS, ("swap-pieces", "swap"), row_1_on_top=True),
    ConnectFour: Words("", (), row_1_on_top=True),
}


def board_game(game: Game) -> BoardGame:
    """The same game, known to be one that GTP has words for."""
    if isinstance(game, BoardGame):
        return game
    raise LudusError(f"GTP programs play go, hex, othello and connect_four here, not {game}")


def shape(game: BoardGame) -> tuple[int, int]:
    """The columns and rows of the board."""
    return (game.width, game.height) if isinstance(game, ConnectFour) else (game.size, game.size)


def size_words(game: BoardGame) -> str:
    """The size as `boardsize` wants it: one number for a square, else the columns and the rows."""
    width, height = shape(game)
    return str(width) if width == height else f"{width} {height}"


def read_color(text: str) -> Player:
    """0 for black, 1 for white."""
    for player, color in enumerate(COLORS):
        if text.lower() in (color, color[0]):
            return player
    raise UnreadableAction(f"a colour is black or white, not {text!r}")


def pass_action(game: BoardGame) -> Action | None:
    """The pass, in games that have one."""
    return game.num_actions - 1 if "pass" in WORDS[type(game)].last_action else None


def write_vertex(game: BoardGame, action: Action) -> str:
    """A point, the number of a column, `pass` or `swap-pieces`."""
    words, (width, height) = WORDS[type(game)], shape(game)
    if not words.columns:
        return game.write(action)
    if action == width * height:
        return words.last_action[0]
    row, column = divmod(action, width)
    return f"{words.columns[column]}{row + 1}"


def read_vertex(game: BoardGame, text: str) -> Action:
    """The action that a text means, in capitals or not. It need not be legal."""
    word, words, (width, height) = text.lower(), WORDS[type(game)], shape(game)
    if not words.columns:
        return game.read(word)
    if word in words.last_action and game.num_actions > width * height:
        return width * height
    match = re.fullmatch(r"([a-z])([1-9]\d?)", word)
    column = words.columns.lower().find(match[1]) if match else -1
    if match and 0 <= column < width and int(match[2]) <= height:
        return (int(match[2]) - 1) * width + column
    raise UnreadableAction(f"{text!r} is no point of this board")


def board_lines(game: BoardGame, cells: Sequence[str]) -> str:
    """One word per cell, as a user interface draws the board: in Go and Othello row 1 is at the bottom."""
    width, height = shape(game)
    rows = [" ".join(cells[row * width : (row + 1) * width]) for row in range(height)]
    return "\n".join(rows if WORDS[type(game)].row_1_on_top else reversed(rows))


def result(state: NativeState) -> str:
    """B+3.5, W+8, 0 for a draw; B+ in Hex. Go is scored as it stands, by area, all stones alive."""
    counted = state.game.unit is not None
    if not state.over and not isinstance(state.game, Go):
        raise LudusError("cannot score before the end")
    lead = 0.0 if state.over and state.score(0) == 0 else state.margin(0) if counted else state.score(0)
    points = f"{abs(lead):g}" if counted else ""
    return ("B+" if lead > 0 else "W+") + points if lead else "0"


def resized(game: BoardGame, width: int, height: int | None = None) -> BoardGame:
    """The same game on another board: options that were the usual ones become those of the new size.

    Without a height the board is a square, or keeps its height where boards need not be squares.
    """
    if isinstance(game, ConnectFour):
        return replace(game, width=width, height=game.height if height is None else height)
    if height not in (None, width):
        raise BadOption("the board must be a square")
    size = width
    usual = type(game)(size=game.size)
    names = [f.name for f in fields(game) if f.name != "size" and getattr(game, f.name) != getattr(usual, f.name)]
    return type(game)(size=size, **{name: getattr(game, name) for name in names})
