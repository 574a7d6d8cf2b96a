"""Words of the Go Text Protocol: colours, points, boards and results of Go, Hex and Othello, for both directions.

Black is player 0. A point is a letter for the column and a number for the row:

    Go       D4  no column is I, row 1 at the bottom
    Othello  D3  no column is I, row 1 on top, as grhino has it (GoGui draws row 1 at the bottom, a mirror image)
    Hex      d3  there is a column i, row 1 on top; Black joins top and bottom, as in HexGui and MoHex

Go and Othello also have `pass`; the swap of Hex is `swap-pieces`: the stone becomes White's in the mirrored cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

from ludus.errors import LudusError, UnreadableAction
from ludus.game import Action, Game, NativeState, Player
from ludus.games.go import COLUMNS, Go
from ludus.games.grid import LETTERS
from ludus.games.hex import Hex
from ludus.games.othello import Othello

BoardGame = Go | Hex | Othello
COLORS = ("black", "white")


@dataclass(frozen=True)
class Words:
    """How programs write one game."""

    columns: str  # the letters of the columns
    last_action: tuple[str, ...]  # words for the action after those of the cells; the first is written, all are read
    row_1_on_top: bool  # in the boards that user interfaces draw


WORDS: dict[type[Game], Words] = {
    Go: Words(COLUMNS, ("pass",), row_1_on_top=False),
    Othello: Words(COLUMNS, ("pass",), row_1_on_top=False),
    Hex: Words(LETTERS, ("swap-pieces", "swap"), row_1_on_top=True),
}


def board_game(game: Game) -> BoardGame:
    """The same game, known to be one that GTP has words for."""
    if isinstance(game, Go | Hex | Othello):
        return game
    raise LudusError(f"GTP programs play go, hex and othello here, not {game}")


def read_color(text: str) -> Player:
    """0 for black, 1 for white."""
    for player, color in enumerate(COLORS):
        if text.lower() in (color, color[0]):
            return player
    raise UnreadableAction(f"a colour is black or white, not {text!r}")


def pass_action(game: BoardGame) -> Action | None:
    """The pass, in games that have one."""
    return game.size**2 if "pass" in WORDS[type(game)].last_action else None


def write_vertex(game: BoardGame, action: Action) -> str:
    """A point, `pass` or `swap-pieces`."""
    if action == game.size**2:
        return WORDS[type(game)].last_action[0]
    row, column = divmod(action, game.size)
    return f"{WORDS[type(game)].columns[column]}{row + 1}"


def read_vertex(game: BoardGame, text: str) -> Action:
    """The action that a text means, in capitals or not. It need not be legal."""
    word = text.lower()
    if word in WORDS[type(game)].last_action and game.num_actions > game.size**2:
        return game.size**2
    match = re.fullmatch(r"([a-z])([1-9]\d?)", word)
    column = WORDS[type(game)].columns.lower().find(match[1]) if match else -1
    if match and 0 <= column < game.size and int(match[2]) <= game.size:
        return (int(match[2]) - 1) * game.size + column
    raise UnreadableAction(f"{text!r} is no point of this board")


def board_lines(game: BoardGame, cells: Sequence[str]) -> str:
    """One word per cell, as a user interface draws the board: row 1 on top in Hex, else at the bottom."""
    rows = [" ".join(cells[row * game.size : (row + 1) * game.size]) for row in range(game.size)]
    return "\n".join(rows if WORDS[type(game)].row_1_on_top else reversed(rows))


def result(state: NativeState) -> str:
    """B+3.5, W+8, 0 for a draw; B+ in Hex. Go is scored as it stands, by area, all stones alive."""
    counted = state.game.unit is not None
    if not state.over and not isinstance(state.game, Go):
        raise LudusError("cannot score before the end")
    lead = 0.0 if state.over and state.score(0) == 0 else state.margin(0) if counted else state.score(0)
    points = f"{abs(lead):g}" if counted else ""
    return ("B+" if lead > 0 else "W+") + points if lead else "0"


def resized(game: BoardGame, size: int) -> BoardGame:
    """The same game on another board: options that were the usual ones become those of the new size."""
    usual = type(game)(size=game.size)
    names = [f.name for f in fields(game) if f.name != "size" and getattr(game, f.name) != getattr(usual, f.name)]
    return type(game)(size=size, **{name: getattr(game, name) for name in names})
