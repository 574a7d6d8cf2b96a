"""What commands about one game share: `ludus COMMAND GAME --flags`, the game's own options among the flags."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, make_dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import tyro

from ludus.cli.parse import parse
from ludus.errors import BadOption, BrokenGame, LudusError
from ludus.game import Game, State
from ludus.games import ALL, class_of, find, make
from ludus.games.python import PythonGame, game_with, options_type

Options = TypeVar("Options")
Looking = TypeVar("Looking", bound="Position")


@dataclass(frozen=True)
class Position:
    """A position to look at: after moves, or from a game file."""

    position: str = ""  # the moves so far, as people write them: "c3 b2"
    sgf: Path | None = None  # a game file of Go or Hex instead of GAME and its flags
    move: int | None = None  # with --sgf: the position after this many moves; after all of them if not given


def read_position(command: str, kind: type[Looking], arguments: list[str]) -> tuple[Game, State, Looking]:
    """The game, the position and the command's own options; with --sgf all but the options come from the file."""
    if arguments and arguments[0].startswith("-") and any(word.split("=")[0] == "--sgf" for word in arguments):
        options = parse(kind, arguments, f"ludus {command}")
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
    """The game and the command's own options. `usual` is the game whose options are the defaults of the flags."""
    if not arguments or arguments[0].startswith("-"):
        help_without_game(f"ludus {command} GAME", kind, arguments)
        raise BadOption(f"say which game: ludus {command} GAME …, where GAME is one of {', '.join(ALL)}")
    return read_both(f"ludus {command} {arguments[0]}", kind, arguments[0], arguments[1:], usual)


def read_both(
    prog: str, kind: type[Options], name: str, arguments: list[str], usual: Game | None = None
) -> tuple[Game, Options]:
    """The game of a name and the command's own options, both from flags."""
    if name.startswith("openspiel:"):
        return make(name), parse(kind, arguments, prog)
    if ":" in name:
        return read_python_game(prog, kind, name, arguments, usual)
    game_type = find(name)
    chosen = parse_both(prog, kind, game_type, usual, arguments)
    return chosen.game, chosen.options


def read_python_game(
    prog: str, kind: type[Options], name: str, arguments: list[str], usual: Game | None = None
) -> tuple[Game, Options]:
    """A game written in Python and the command's own options; the parameters of its constructor are flags as well."""
    state_type = class_of(name)
    game_type = options_type(state_type, names_in(kind))
    given, known = usual.options if isinstance(usual, PythonGame) else {}, {f.name for f in fields(game_type)}
    others = {key: value for key, value in given.items() if key not in known}  # options that cannot be flags
    default = None if usual is None else game_type(**{key: value for key, value in given.items() if key in known})
    chosen = parse_both(prog, kind, game_type, default, arguments)
    try:
        return game_with(state_type, chosen.game, others), chosen.options
    except LudusError:
        raise
    except Exception as error:  # whatever a visitor's class raises when its first state is made
        raise BadOption(f"the game {name} cannot be made: {type(error).__name__}: {error}") from error


def parse_both(prog: str, kind: type[Any], game_type: type[Any], usual: Any, arguments: list[str]) -> Any:
    """The command's options and a game's, from one list of flags."""
    untitled = Annotated[kind, tyro.conf.arg(name="")]  # type: ignore[valid-type]
    game_field: Any = ("game", game_type) if usual is None else ("game", game_type, field(default=usual))
    both: Any = make_dataclass("Both", [("options", untitled), game_field])
    both.__doc__ = kind.__doc__
    return parse(both, arguments, prog)


def names_in(kind: type) -> set[str]:
    """The names of all fields of a dataclass, and of those inside them."""
    names = set()
    for name, hint in get_type_hints(kind).items():
        names |= {name} | (names_in(hint) if is_dataclass(hint) and isinstance(hint, type) else set())
    return names


def help_without_game(prog: str, kind: type, arguments: list[str]) -> None:
    """If help is wanted, all flags of a command, and what a game adds to them; prints and leaves."""
    if any(flag in arguments for flag in ("-h", "--help")):
        about = f"{(kind.__doc__ or '').strip()}\n\n{about_games()}"
        parse(kind, ["--help"], prog, description=about)


def about_games() -> str:
    """The games, and the flags that each of them adds."""
    lines = ["GAME is a class of yours (my_game.py:MyState), openspiel:NAME, or one of these, with flags of its own:"]
    for name, game_type in ALL.items():
        flags = ", ".join(f"--{f.name.replace('_', '-')}" for f in fields(game_type)) or "no flags"
        lines.append(f"  {name:<13} {flags}")
    return "\n".join(lines)


@contextlib.contextmanager
def told_in_a_sentence(game: Game) -> Iterator[None]:
    """What a game written in Python raises becomes a sentence."""
    try:
        yield
    except (LudusError, OSError):
        raise
    except Exception as error:
        if not isinstance(game, PythonGame):
            raise  # a mistake of ours, not of the user
        raise BrokenGame(
            f"{game} raised {type(error).__name__}: {error}; `ludus check` finds out in which of its members"
        ) from error


# ------------------------------------------------------------------------------------------- writing flags


def flags_of(settings: dict[str, Any]) -> list[str]:
    """Settings, as a TOML file has them, as flags of the command line."""
    flags: list[str] = []
    for name, value in settings.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, dict):
            flags += flags_of(value)
        elif isinstance(value, bool):
            flags.append(flag if value else flag.replace("--", "--no-", 1))
        else:
            flags += [flag, *map(str, value if isinstance(value, list) else [value])]
    return flags


def game_in_flags(game: Game, name: str = "") -> str:
    """A game with its size and the options that differ from the usual ones, as on the command line: hex --size 7.

    A game of a user's file needs the name by which it was called.
    """
    chosen = {key: value for key, value in game.chosen_options().items() if value is not None}
    if ":" in name:
        return " ".join([name, *flags_of(chosen)])
    size = {"size": chosen["size"]} if "size" in chosen else {}
    usual = make(game.name, **size).chosen_options()
    told = size | {key: value for key, value in chosen.items() if value != usual[key]}
    return " ".join([game.name, *flags_of(told)])
