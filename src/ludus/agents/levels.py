"""Levels that a beginner understands: for every game a ladder of up to ten agents, from "First steps" to the strongest.

The names, the agents and the measured ratings stand in levels.toml; experiments/levels.py measures them, and
docs/levels.md tells how. As an agent, a level is written `level:3` or `level:casual`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.game import Game
from ludus.games import make
from ludus.text import did_you_mean

FILE = Path(__file__).with_name("levels.toml")


class UnknownLevel(LudusError):
    """A game has no level of this name."""


@dataclass(frozen=True)
class Level:
    """An opponent of known strength. Elo counts from the first level of the ladder, with a 95% interval."""

    number: int  # its place on the ladder, 1 for the weakest
    key: str  # such as first_steps; the same for every game
    name: str  # such as First steps
    about: str  # one sentence for people
    agent: str  # as text, for make_agent
    elo: float | None = None  # None: not measured
    low: float | None = None
    high: float | None = None
    games: int = 0  # that were played to measure it
    measured_on: str | None = None  # the game on which it was measured, such as Hex 7×7
    measured_here: bool = False  # was that the game at hand, or only one like it?

    @property
    def note(self) -> str:
        """How sure its strength is, as a sentence."""
        if self.elo is None:
            return "The strength of this level was not measured."
        if self.measured_here:
            return f"Measured in {self.games} games."
        return f"Measured in {self.games} games of {self.measured_on}; here the steps may be larger or smaller."


@dataclass(frozen=True)
class Ladder:
    """The levels of one game at some sizes, the weakest first."""

    name: str  # a word for folders and tables
    game: str  # its name; any: every game that has no ladder of its own
    steps: list[dict[str, Any]]  # level, agent and what was measured, as in the file
    when: dict[str, Any] = field(default_factory=dict)  # options it is for: a value, or [least, most]
    measured: dict[str, Any] = field(default_factory=dict)  # the options with which it was measured
    measured_on: str | None = None  # the same in words
    games: int = 80  # that each pair of neighbours plays to measure it
    top_games: int = 24  # where an agent thinks for long
    title: str = ""  # of its table in the docs
    remark: str = ""  # a sentence above that table

    def fits(self, game: Game) -> bool:
        """Is it a ladder for this game with these options, on this installation?"""
        if self.game not in (game.name, "any") or (self.needs_networks and not networks_installed()):
            return False
        return all(matches(getattr(game, option), wanted) for option, wanted in self.when.items())

    @property
    def needs_networks(self) -> bool:
        return any(step["agent"].startswith("zoo:") for step in self.steps)

    def measured_with(self, game: Game) -> bool:
        """Was it measured on this very game? Who begins does not matter."""
        if self.game != game.name or self.measured_on is None:
            return False
        chosen, asked = (options_but_starter(g) for g in (make(self.game, **self.measured), game))
        return chosen == asked


def levels_of(game: Game) -> list[Level]:
    """The levels of a game, the weakest first. Small games have fewer than ten."""
    names = {level["key"]: level for level in load()["level"]}
    ladder = ladder_of(game)
    here = ladder.measured_with(game)
    return [level_of(ladder, number, names[step["level"]], here) for number, step in enumerate(ladder.steps, 1)]


def find_level(game: Game, wanted: str) -> Level:
    """The level of a game by its number or key; refuses one that the game does not have."""
    levels = levels_of(game)
    for level in levels:
        if wanted in (str(level.number), level.key):
            return level
    if wanted.lstrip("-").isdecimal():
        raise UnknownLevel(f"{game.title} has the levels 1 to {len(levels)}, not {wanted[:40]}")
    keys = [level.key for level in levels]
    raise UnknownLevel(f"{game.title} has no level {wanted[:40]!r}; {did_you_mean(wanted, keys)}")


def friendly(game: Game) -> Level:
    """The level that a new player meets first: the second one."""
    levels = levels_of(game)
    return levels[min(1, len(levels) - 1)]


# ------------------------------------------------------------------------------------------- the file


@cache
def load() -> dict[str, Any]:
    """What levels.toml says."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def ladders() -> list[Ladder]:
    """All ladders, in the order in which they are tried."""
    return [ladder_in(row) for row in load()["ladder"]]


def ladder_in(row: dict[str, Any]) -> Ladder:
    """A ladder from a table of the file."""
    rest = {key: value for key, value in row.items() if key != "step"}
    return Ladder(steps=row["step"], **rest)


def ladder_of(game: Game) -> Ladder:
    """The first ladder that fits a game; the last one in the file fits every game."""
    return next(ladder for ladder in ladders() if ladder.fits(game))


def level_of(ladder: Ladder, number: int, names: dict[str, str], here: bool) -> Level:
    """One level of a ladder, counted from 1."""
    step = ladder.steps[number - 1]
    measured = {key: step[key] for key in ("elo", "low", "high", "games") if key in step}
    about = step.get("about", names["about"])
    on = ladder.measured_on if measured else None
    return Level(
        number, names["key"], names["name"], about, step["agent"], measured_on=on, measured_here=here, **measured
    )


def matches(value: object, wanted: object) -> bool:
    """Is an option's value the wanted one, or in the wanted range [least, most]?"""
    if isinstance(wanted, list):
        return isinstance(value, int | float) and bool(wanted[0] <= value <= wanted[1])
    return value == wanted


def options_but_starter(game: Game) -> dict[str, Any]:
    return {key: value for key, value in game.identity().items() if key != "starter"}


@cache
def networks_installed() -> bool:
    """Can networks play on this installation? Looks without importing PyTorch, which takes a second."""
    return all(find_spec(module) is not None for module in ("torch", "safetensors"))
