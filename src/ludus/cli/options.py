"""What commands about one game share: `ludus COMMAND GAME --flags`, the game's own options among the flags."""

from __future__ import annotations

from dataclasses import field, make_dataclass
from typing import Any, TypeVar

import tyro

from ludus.cli.parse import parse
from ludus.errors import BadOption
from ludus.game import Game
from ludus.games import ALL, find, make

Options = TypeVar("Options")


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
