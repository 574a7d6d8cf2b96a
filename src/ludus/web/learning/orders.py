"""What a page may order: a training, a TOPP, a tournament. Each is checked here and becomes one of our commands.

A page names games, levels, networks and runs by keys that the server has listed; numbers are held to bounds that one
machine can bear. No text of a page becomes a program or a path.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeVar, get_type_hints

from ludus.errors import LudusError, whole_option
from ludus.game import Game
from ludus.system import cores
from ludus.web.codec import fits
from ludus.web.library import Library
from ludus.web.opponents import Opponents

LARGEST_GAME = 130  # actions: boards up to 11×11; larger ones are trained from the command line
SHAPES = {  # of networks: flags for convolutions, and for the layers of the textbook recipe
    "small": (["--channels", "8", "--blocks", "2"], ["--hidden", "64", "64"]),
    "usual": ([], []),
    "large": (["--channels", "32", "--blocks", "5"], ["--hidden", "256", "256", "256"]),
}
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
RESERVED = ("page",)  # folders of the runs folder that the page itself uses
LOOK_EVERY = 1  # seconds between measurements of a training that a page watches


class BadOrder(LudusError):
    """A page asks for something that it may not have."""


@dataclass(frozen=True)
class TrainOrder:
    """A new training."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    episodes: int = 400
    simulations: int | None = None  # for every move; None: as many as the recipe says
    recipe: Literal["classic", "zero", "textbook"] = "classic"
    network: Literal["small", "usual", "large"] = "usual"
    checkpoints: int = 6
    seed: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        whole_option("the number of games", self.episodes, 10, 100_000)
        whole_option("the number of saved networks", self.checkpoints, 2, 20)
        whole_option("the seed", self.seed, 0, 2**32)
        if self.simulations is not None:
            whole_option("the number of simulations", self.simulations, 2, 800)

    def arguments(self, library: Library, folder: Path) -> list[str]:
        """The command that trains it."""
        game = library.make(self.game, self.options)
        if game.num_actions > LARGEST_GAME:
            raise BadOrder(
                "on this page boards up to 11×11 are trained; larger ones need the command line: ludus train"
            )
        conv, layers = SHAPES[self.network]
        simulations = [] if self.simulations is None else ["--simulations", str(self.simulations)]
        return [
            "train", library.texts[self.game], *game_flags(game), "--recipe", self.recipe,
            "--episodes", str(self.episodes), "--checkpoints", str(self.checkpoints), "--seed", str(self.seed),
            *simulations, *(layers if self.recipe == "textbook" else conv),
            "--run", str(folder), "--every", str(LOOK_EVERY),
        ]  # fmt: skip


@dataclass(frozen=True)
class ResumeOrder:
    """Go on with a training, perhaps further than was planned."""

    episodes: int | None = None

    def arguments(self, folder: Path) -> list[str]:
        more: list[str] = []
        if self.episodes is not None:
            whole_option("the number of games", self.episodes, 10, 100_000)
            more = ["--episodes", str(self.episodes)]
        return ["train", "--resume", str(folder), *more, "--every", str(LOOK_EVERY)]


@dataclass(frozen=True)
class ToppOrder:
    """The saved networks of a training meet each other."""

    games: int = 20  # for every pair
    stages: list[int] = field(default_factory=list)  # written down by the server: the networks that were saved then

    def arguments(self, folder: Path) -> list[str]:
        whole_option("the number of games", self.games, 1, 200)
        return ["topp", str(folder), "--games", str(self.games), "--workers", str(workers())]


@dataclass(frozen=True)
class TournamentOrder:
    """Some opponents of a game meet each other."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    agents: list[str] = field(default_factory=list)  # keys of opponents
    games: int = 10  # for every pair
    seed: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        whole_option("the number of games", self.games, 2, 200)
        whole_option("the seed", self.seed, 0, 2**32)
        if not 2 <= len(set(self.agents)) <= 10:
            raise BadOrder(f"a tournament needs 2 to 10 different players, not {len(set(self.agents))}")

    def players(self, library: Library, opponents: Opponents) -> dict[str, str]:
        """The agents as texts, and what people call each; refuses a key that was not offered."""
        game = library.make(self.game, self.options)
        offered = {one["key"]: one for one in opponents.of(game)}
        if strange := [key for key in self.agents if key not in offered]:
            raise BadOrder(f"nobody called {strange[0][:60]!r} plays this game here")
        return {offered[key]["agent"]: offered[key]["name"] for key in self.agents}

    def arguments(self, library: Library, opponents: Opponents, folder: Path) -> list[str]:
        game = library.make(self.game, self.options)
        return [
            "tournament", *self.players(library, opponents), "--game", library.texts[self.game], *game_flags(game),
            "--games", str(self.games), "--seed", str(self.seed), "--workers", str(workers()), "--out", str(folder),
        ]  # fmt: skip


Order = TypeVar("Order", TrainOrder, ResumeOrder, ToppOrder, TournamentOrder)


def read_order(kind: type[Order], row: object) -> Order:
    """An order from JSON; refuses unknown fields and values of another type."""
    if not isinstance(row, dict):
        raise BadOrder("an order is one JSON object")
    hints = get_type_hints(kind)
    for name, value in row.items():
        if name not in hints:
            raise BadOrder(f"there is no setting {str(name)[:40]!r}; there are {', '.join(hints)}")
        if not fits(value, hints[name]):
            raise BadOrder(f"{name} cannot be {str(value)[:40]!r}")
    for one in fields(kind):
        if one.name not in row and one.default is MISSING and one.default_factory is MISSING:
            raise BadOrder(f"an order needs {one.name}")
    return kind(**row)


def written(order: TrainOrder | ResumeOrder | ToppOrder | TournamentOrder) -> dict[str, Any]:
    """An order as JSON."""
    return asdict(order)


def game_flags(game: Game) -> list[str]:
    """A game's options as flags of the command line."""
    flags: list[str] = []
    for name, value in game.chosen_options().items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            flags.append(flag if value else flag.replace("--", "--no-", 1))
        elif value is not None:
            flags.append(f"{flag}={value}")  # in one word, so that no value is taken for a flag
    return flags


def workers() -> int:
    """How many processes a tournament gets: people who play on the same machine want some cores, too."""
    return max(1, cores() // 2)


def free_name(runs: Path, wanted: str, usual: str) -> str:
    """The name of a new folder: the wanted one, or the usual one with a number behind it that is free."""
    if wanted:
        if not NAME.fullmatch(wanted) or wanted in RESERVED:
            raise BadOrder("a name consists of small letters, digits and hyphens, at most 40, such as my-hex-1")
        if (runs / wanted).exists():
            raise BadOrder(f"there is a run called {wanted} already; choose another name")
        return wanted
    usual = re.sub(r"[^a-z0-9]+", "-", usual.lower()).strip("-")[:30] or "run"
    number, name = 1, usual
    while (runs / name).exists():
        number += 1
        name = f"{usual}-{number}"
    return name
