"""What commands about one game share: `ludus COMMAND GAME --flags`, the game's own options among the flags."""

from __future__ import annotations

from dataclasses import field, fields, is_dataclass, make_dataclass
from typing import Any, TypeVar, get_type_hints

import tyro

from ludus.cli.parse import parse
from ludus.errors import BadOption
from ludus.game import Game
from ludus.games import ALL, class_of, find, make
from ludus.games.python import PythonGame, game_with, options_type

Options = TypeVar("Options")
PLAIN = (tyro.conf.OmitArgPrefixes,)  # flags without the names of the dataclasses they stand in


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
    config = PLAIN
    if name.startswith("openspiel:"):
        return make(name), parse(kind, rest, f"ludus {command} {name}", config=config)
    if ":" in name:
        return read_visitors(name, kind, rest, f"ludus {command} {name}", usual)
    face = find(name)
    game_field: Any = ("game", face) if usual is None else ("game", face, field(default=usual))
    both: Any = make_dataclass("Both", [("options", kind), game_field])
    both.__doc__ = kind.__doc__
    chosen = parse(both, rest, f"ludus {command} {face.name}", config=config)
    return chosen.game, chosen.options


def read_visitors(
    name: str, kind: type[Options], arguments: list[str], prog: str, usual: Game | None = None
) -> tuple[Game, Options]:
    """A game written in Python and the command's own options; the parameters of its constructor are flags as well."""
    state_type = class_of(name)
    face = options_type(state_type, names_in(kind))
    given, known = usual.options if isinstance(usual, PythonGame) else {}, {f.name for f in fields(face)}
    others = {key: value for key, value in given.items() if key not in known}  # options that cannot be flags
    game_field: Any = ("game", face)
    if usual is not None:
        game_field = ("game", face, field(default=face(**{key: given[key] for key in given if key in known})))
    both: Any = make_dataclass("Both", [("options", kind), game_field])
    both.__doc__ = kind.__doc__
    chosen = parse(both, arguments, prog, config=PLAIN)
    return game_with(state_type, chosen.game, others), chosen.options


def names_in(kind: type) -> set[str]:
    """The names of all fields of a dataclass, and of those inside them."""
    names = set()
    for name, hint in get_type_hints(kind).items():
        names |= {name} | (names_in(hint) if is_dataclass(hint) and isinstance(hint, type) else set())
    return names
