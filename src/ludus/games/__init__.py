"""The games by name. One file per game: its options, how people write an action, how a board is drawn."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ludus.errors import BadOption, UnknownGame
from ludus.game import Game
from ludus.games.connect_four import ConnectFour
from ludus.games.go import Go
from ludus.games.hex import Hex
from ludus.games.ledge import Ledge
from ludus.games.nim import Nim
from ludus.games.othello import Othello
from ludus.games.python import PythonGame
from ludus.games.tic_tac_toe import TicTacToe
from ludus.load import load_class, load_higher
from ludus.text import did_you_mean

ALL: dict[str, type[Game]] = {g.name: g for g in (Nim, Ledge, TicTacToe, ConnectFour, Othello, Hex, Go)}


def games() -> list[str]:
    """The names of the games that come with Ludus."""
    return list(ALL)


def make(game: str | type, /, **options: Any) -> Game:
    """A game by its name, a Python class of states, "path/to/file.py:Class", "module:Class" or "openspiel:name"."""
    if isinstance(game, type):
        return PythonGame(game, options)
    if not isinstance(game, str):
        raise UnknownGame(f"a game is a name or a class, not {game!r}; there are {', '.join(ALL)}")
    place, _, rest = game.partition(":")
    if place == "openspiel":
        loaded: Game = load_higher("game openspiel")(rest, **options)
        return loaded
    if ":" in game:
        return PythonGame(class_of(game), options)
    kind = find(game)
    names = [f.name for f in fields(kind)]
    for name in options:
        if name not in names:
            raise BadOption(f"{kind.name} has no option {name!r}; it has {', '.join(names)}")
    return kind(**options)


def find(name: str) -> type[Game]:
    """The class of a game, by its name."""
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    if key in ALL:
        return ALL[key]
    raise UnknownGame(f"there is no game {name!r}; {did_you_mean(key, ALL)}")


def class_of(text: str) -> type:
    """The class of a visitor's game: "path/to/file.py:Class" or "module:Class"."""
    return load_class(text, "the game", UnknownGame)
