"""The games that pages may name: ours by their names, and those of visitors that the server was started with."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Literal, TypedDict, Union, get_args, get_origin

from ludus.agents.parse import hints_of, read_value
from ludus.errors import BadOption, LudusError, UnknownGame
from ludus.game import Game
from ludus.games import ALL, make
from ludus.games.python import PythonGame, options_type
from ludus.learn.config import found_anywhere, game_of, read_toml
from ludus.text import did_you_mean


class Choice(TypedDict):
    """An option of a game, for a form: its kind says which field it gets."""

    name: str
    kind: Literal["number", "decimal", "switch", "word", "text"]
    usual: bool | int | float | str | None
    words: list[str]  # to choose from, if the kind is "word"


class Library:
    """Makes games from names and options that come from outside."""

    def __init__(self, visitors: Iterable[str] = ()) -> None:
        self.texts = {name: name for name in ALL}  # how `make` knows each game
        for text in visitors:
            self.texts[page_name(make(text))] = text

    def make(self, name: str, options: dict[str, Any] | None = None) -> Game:
        """A game by the name that pages use; whatever is wrong with it is one sentence."""
        if name not in self.texts:
            raise UnknownGame(f"there is no game {name!r}; {did_you_mean(name, self.texts)}")
        try:
            return make(self.texts[name], **(options or {}))
        except LudusError:
            raise
        except Exception as error:  # a visitor's class may do anything
            raise BadOption(f"{name} cannot be made with these options: {error}") from error

    def usual(self, name: str) -> Game:
        """The game with its usual options."""
        return self.make(name)

    def trained(self, folder: Path) -> Game | None:
        """The game of a training; None if it is none of this server's games, whose code alone may be loaded."""
        try:
            text = read_toml(folder / "config.toml").get("game", {}).get("name")
            allowed = {found_anywhere(known) for known in self.texts.values()}
            return game_of(folder) if text in allowed else None
        except (LudusError, OSError, LookupError, TypeError):
            return None

    def name_of(self, game: Game) -> str:
        """The name under which pages know a game."""
        text = page_name(game)
        if text not in self.texts:
            raise UnknownGame(f"{text} is not among the games of this server: {', '.join(self.texts)}")
        return text

    def known_as(self, name: str) -> str:
        """The name that pages use for a game of a record, which may be called as `make` knows it."""
        return next((known for known, text in self.texts.items() if text == name), name)

    def changed(self, game: Game) -> dict[str, Any]:
        """The options that are needed to make a game; the others have their usual values, or follow from these."""
        name = self.name_of(game)
        needed = game.chosen_options()
        for key in list(needed):
            fewer = {k: v for k, v in needed.items() if k != key}
            with contextlib.suppress(LudusError):
                if self.make(name, fewer).chosen_options() == game.chosen_options():
                    needed = fewer
        return needed

    def read_options(self, name: str, texts: dict[str, str]) -> dict[str, Any]:
        """Options as texts, such as those of an address, turned into what the game wants."""
        kinds = self.kinds(name)
        for key in texts:
            if key not in kinds:
                raise BadOption(f"{name} has no option {key!r}; it has {', '.join(kinds) or 'none'}")
        return {key: read_value(f"{key} of {name}", text, kinds[key]) for key, text in texts.items()}

    def kinds(self, name: str) -> dict[str, Any]:
        """The types of a game's options, by their names."""
        game = self.usual(name)
        kind = options_type(game.state_type) if isinstance(game, PythonGame) else type(game)
        hints = hints_of(kind)
        asked = {f.name for f in fields(kind)} if isinstance(game, PythonGame) else set(game.chosen_options())
        return {f.name: hints[f.name] for f in fields(kind) if f.name in asked}

    def choices(self, name: str) -> list[Choice]:
        """The options of a game, for a form."""
        game = self.usual(name)
        usual = game.chosen_options()
        if isinstance(game, PythonGame):
            usual = {f.name: f.default for f in fields(options_type(game.state_type)) if f.default is not MISSING}
        return [choice(key, hint, usual.get(key)) for key, hint in self.kinds(name).items()]


def page_name(game: Game) -> str:
    """The name of a game for pages: its own, or for one of OpenSpiel its name there."""
    if game.name in ALL:
        return game.name
    place, _, name = str(game).partition(":")
    name = name if place == game.name else game.title
    return f"{place}_{name}" if name in ALL else name.replace(" ", "_")


def choice(name: str, hint: Any, usual: Any) -> Choice:
    """How a form asks for an option of this type."""
    if get_origin(hint) in (types.UnionType, Union):
        hint = next(kind for kind in get_args(hint) if kind is not type(None))
    words = [str(word) for word in get_args(hint)] if get_origin(hint) is Literal else []
    simple: dict[Any, Literal["number", "decimal", "switch", "text"]] = {
        bool: "switch", int: "number", float: "decimal", str: "text",
    }  # fmt: skip
    return {"name": name, "kind": "word" if words else simple.get(hint, "text"), "usual": usual, "words": words}
