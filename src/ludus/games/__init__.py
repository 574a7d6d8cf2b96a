"""The games by name. One file per game: its options, how people write an action, how a board is drawn."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ludus.errors import BadOption, LudusError, UnknownGame
from ludus.game import Game, PythonGame
from ludus.games.connect_four import ConnectFour
from ludus.games.go import Go
from ludus.games.hex import Hex
from ludus.games.ledge import Ledge
from ludus.games.nim import Nim
from ludus.games.othello import Othello
from ludus.games.tic_tac_toe import TicTacToe

ALL: dict[str, type[Game]] = {g.name: g for g in (Nim, Ledge, TicTacToe, ConnectFour, Othello, Hex, Go)}


def games() -> list[str]:
    """The names of the games that come with Ludus."""
    return list(ALL)


def make(game: str | type, **options: Any) -> Game:
    """A game by its name, by a Python class of states, or by "path/to/file.py:Class" or "module:Class"."""
    if isinstance(game, type):
        return PythonGame(game, options)
    if not isinstance(game, str):
        raise UnknownGame(f"a game is a name or a class, not {game!r}; there are {', '.join(ALL)}")
    if ":" in game:
        return PythonGame(_load_class(game), options)
    kind = find(game)
    names = [f.name for f in fields(kind)]
    for name in options:
        if name not in names:
            raise BadOption(f"{kind.name} has no option {name!r}; it has {', '.join(names)}")
    return kind(**options)


def find(name: str) -> type[Game]:
    """The face of a game, by its name."""
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    if key in ALL:
        return ALL[key]
    from difflib import get_close_matches

    near = get_close_matches(key, ALL, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]}? There are " if near else "there are "
    raise UnknownGame(f"there is no game {name!r}; {hint}{', '.join(ALL)}")


def _load_class(where: str) -> type:
    """The class behind "path/to/file.py:Class" or "module:Class"."""
    import importlib
    import importlib.util
    from pathlib import Path

    place, _, name = where.rpartition(":")
    try:
        if place.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(place).stem, place)
            if spec is None or spec.loader is None:
                raise ImportError(place)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(place)
        kind = getattr(module, name)
    except Exception as error:  # whatever a visitor's file does when it is loaded
        raise UnknownGame(f"cannot load the game {where!r}: {error}") from error
    if not isinstance(kind, type):
        raise LudusError(f"{where} is not a class of states")
    return kind
