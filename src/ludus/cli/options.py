"""What commands about one game share: `ludus COMMAND GAME --flags`, the game's own options among the flags."""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Any, TypeVar

import tyro

from ludus.cli.parse import parse
from ludus.errors import BadOption
from ludus.game import Game
from ludus.games import ALL, find, make

Options = TypeVar("Options")


def read(command: str, kind: type[Options], arguments: list[str]) -> tuple[Game, Options]:
    """The game and the command's own options."""
    if not arguments or arguments[0].startswith("-"):
        if any(flag in arguments for flag in ("-h", "--help")):
            print(f"usage: ludus {command} GAME …\n\n{(kind.__doc__ or '').strip()}\n")
            print(f"GAME is one of {', '.join(ALL)}, or a class of yours: my_game.py:MyState")
            print(f"`ludus {command} hex --help` lists the flags.")
            raise SystemExit(0)
        raise BadOption(f"say which game: ludus {command} GAME …, where GAME is one of {', '.join(ALL)}")
    name, rest = arguments[0], arguments[1:]
    if ":" in name:
        return make(name), parse(kind, rest, f"ludus {command} {name}")
    face = find(name)
    both: Any = make_dataclass("Both", [("game", face), ("options", kind)])
    both.__doc__ = kind.__doc__
    config = (tyro.conf.OmitArgPrefixes,)
    chosen = parse(both, rest, f"ludus {command} {face.name}", config=config)
    return chosen.game, chosen.options
