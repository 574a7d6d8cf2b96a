"""The position that `ludus explain` and `ludus solve` look at: after some moves, or from a game file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ludus.cli.options import PLAIN, read
from ludus.cli.parse import parse
from ludus.errors import BadOption, LudusError
from ludus.game import Game, State

Looking = TypeVar("Looking", bound="Position")


@dataclass(frozen=True)
class Position:
    """A position to look at: after moves, or from a game file."""

    position: str = ""  # the moves so far, as people write them: "c3 b2"
    sgf: Path | None = None  # a game file of Go or Hex instead of GAME and its flags
    move: int | None = None  # with --sgf: the position after so many moves; after all of them if not said


def read_position(command: str, kind: type[Looking], arguments: list[str]) -> tuple[Game, State, Looking]:
    """The game, the position and the command's own options; with --sgf all but the options come from the file."""
    if arguments and arguments[0].startswith("-") and any(word.split("=")[0] == "--sgf" for word in arguments):
        options = parse(kind, arguments, f"ludus {command}", config=PLAIN)
        game, state = from_file(options)
        return game, state, options
    game, options = read(command, kind, arguments)
    if options.sgf is not None:
        raise BadOption(f"a game file says which game it is of: ludus {command} --sgf {options.sgf}")
    if options.move is not None:
        raise BadOption("--move counts the moves of a game file: say --sgf FILE, too")
    return game, game.after(options.position), options


def from_file(options: Position) -> tuple[Game, State]:
    """A position of a game file."""
    from ludus.play.sgf import read_sgf

    assert options.sgf is not None
    if options.position:
        raise BadOption("the position comes from the game file: leave out --position, or say --move N")
    try:
        game, record = read_sgf(options.sgf.read_bytes())
    except OSError as error:
        raise BadOption(f"cannot read {options.sgf}: {(error.strerror or str(error)).lower()}") from None
    except LudusError as error:
        raise BadOption(f"{options.sgf}: {error}") from None
    moves = len(record.actions)
    if options.move is not None and not 0 <= options.move <= moves:
        raise BadOption(f"{options.sgf} has {moves} moves, so --move is a number from 0 to {moves}, not {options.move}")
    return game, game.after(record.actions[: options.move])
