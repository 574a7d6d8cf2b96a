"""What commands about one game share: `ludus COMMAND GAME --flags`, the game's own options among the flags."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Any, TypeVar

import tyro

from ludus.cli.parse import parse
from ludus.errors import BadOption, LudusError
from ludus.game import Game, State
from ludus.games import ALL, find, make

Options = TypeVar("Options")
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
        options = parse(kind, arguments, f"ludus {command}", config=(tyro.conf.OmitArgPrefixes,))
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


def read(command: str, kind: type[Options], arguments: list[str], usual: Game | None = None) -> tuple[Game, Options]:
    """The game and the command's own options. `usual` is the game whose options stand where no flag says otherwise."""
    if not arguments or arguments[0].startswith("-"):
        if any(flag in arguments for flag in ("-h", "--help")):
            print(f"usage: ludus {command} GAME …\n\n{(kind.__doc__ or '').strip()}\n")
            print(f"GAME is one of {', '.join(ALL)}, a class of yours (my_game.py:MyState) or openspiel:NAME")
            print(f"`ludus {command} hex --help` lists the flags.")
            raise SystemExit(0)
        raise BadOption(f"say which game: ludus {command} GAME …, where GAME is one of {', '.join(ALL)}")
    name, rest = arguments[0], arguments[1:]
    config = (tyro.conf.OmitArgPrefixes,)
    if ":" in name:
        return make(name), parse(kind, rest, f"ludus {command} {name}", config=config)
    face = find(name)
    game_field: Any = ("game", face) if usual is None else ("game", face, field(default=usual))
    both: Any = make_dataclass("Both", [("options", kind), game_field])
    both.__doc__ = kind.__doc__
    chosen = parse(both, rest, f"ludus {command} {face.name}", config=config)
    return chosen.game, chosen.options
