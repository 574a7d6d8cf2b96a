"""What commands about one game share: `ludus COMMAND GAME --flags`, the game's own options among the flags."""

from __future__ import annotations

from dataclasses import field, fields, make_dataclass
from typing import Annotated, Any, TypeVar

import tyro

from ludus.cli.parse import parse
from ludus.errors import BadOption, LudusError
from ludus.game import Game
from ludus.games import ALL, find, make

Options = TypeVar("Options")


def read(command: str, kind: type[Options], arguments: list[str], usual: Game | None = None) -> tuple[Game, Options]:
    """The game and the command's own options. `usual` is the game whose options stand where no flag says otherwise."""
    if not arguments or arguments[0].startswith("-"):
        help_without_game(f"ludus {command} GAME", kind, arguments)
        raise BadOption(f"say which game: ludus {command} GAME …, where GAME is one of {', '.join(ALL)}")
    return read_both(f"ludus {command} {arguments[0]}", kind, arguments[0], arguments[1:], usual)


def read_both(
    prog: str, kind: type[Options], name: str, arguments: list[str], usual: Game | None = None
) -> tuple[Game, Options]:
    """The game of a name and the command's own options, both from flags."""
    if ":" in name:
        return make_theirs(name), parse(kind, arguments, prog)
    face = find(name)
    untitled = Annotated[kind, tyro.conf.arg(name="")]  # type: ignore[valid-type]
    game_field: Any = ("game", face) if usual is None else ("game", face, field(default=usual))
    both: Any = make_dataclass("Both", [("options", untitled), game_field])
    both.__doc__ = kind.__doc__
    chosen = parse(both, arguments, prog)
    return chosen.game, chosen.options


def make_theirs(name: str) -> Game:
    """A visitor's game or one of OpenSpiel's; what its own code raises is told in a sentence."""
    try:
        return make(name)
    except LudusError:
        raise
    except Exception as error:
        raise BadOption(f"the game {name} cannot be made: {type(error).__name__}: {error}") from error


def help_without_game(prog: str, kind: type, arguments: list[str]) -> None:
    """If help is wanted, all flags of a command, and what a game adds to them; prints and leaves."""
    if any(flag in arguments for flag in ("-h", "--help")):
        about = f"{(kind.__doc__ or '').strip()}\n\n{about_games()}"
        parse(kind, ["--help"], prog, description=about)


def about_games() -> str:
    """The games, and the flags that each of them adds."""
    lines = ["GAME is a class of yours (my_game.py:MyState), openspiel:NAME, or one of these, with flags of its own:"]
    for name, face in ALL.items():
        flags = ", ".join(f"--{f.name.replace('_', '-')}" for f in fields(face)) or "no flags"
        lines.append(f"  {name:<13} {flags}")
    return "\n".join(lines)
