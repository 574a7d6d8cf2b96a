"""Who can sit at a table: levels, networks of the zoo and of trainings, configured programs, and searches by hand.

A page names an opponent by a key from this list. It can name neither a program nor a file: a key that is not in the
list is refused, and a search written by hand is held to its bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from ludus.agents import make_agent
from ludus.agents.levels import levels_of, networks_installed
from ludus.agents.parse import AGENTS
from ludus.errors import BadOption, LudusError
from ludus.game import Game
from ludus.learn import zoo
from ludus.learn.config import game_of
from ludus.text import did_you_mean
from ludus.web.library import Library

WITH_SEARCH = 400  # simulations of a network that searches
MOST = {"seconds": 60.0, "simulations": 10_000_000, "threads": 1, "depth": 40, "games": 10_000}  # of a search by hand


class Opponent(TypedDict):
    """One entry of the list."""

    key: str
    name: str
    about: str
    group: str  # "Levels", "Trained networks", "Your trainings", "Other programs"
    agent: str  # as text, for a terminal


@dataclass(frozen=True)
class Opponents:
    """Finds opponents for games."""

    library: Library
    runs: Path
    programs: dict[str, str]

    def of(self, game: Game) -> list[Opponent]:
        """Everybody who can play a game, the levels first."""
        return [*self.levels(game), *self.networks(game), *self.trainings(game), *self.outside(game)]

    def find(self, game: Game, key: str) -> Opponent:
        """The opponent of a key; refuses a key that is not in the list."""
        if key.startswith("search:"):
            return by_hand(key)
        group = {"level": self.levels, "zoo": self.networks, "run": self.trainings, "program": self.outside}
        listed = group.get(key.partition(":")[0], self.levels)(game)
        found = {one["key"]: one for one in listed}
        if key not in found:
            raise LudusError(f"nobody called {key[:60]!r} plays {game.title} here; {did_you_mean(key, found)}")
        return found[key]

    def name(self, game: Game, key: str) -> str:
        """What people call whoever sits there; an opponent that is gone keeps its key as a name."""
        try:
            return self.find(game, key)["name"]
        except LudusError:
            return key.partition(":")[2] or key

    def levels(self, game: Game) -> list[Opponent]:
        return [
            {
                "key": f"level:{level.key}", "name": level.name, "about": f"{level.about} {level.note}",
                "group": "Levels", "agent": level.agent,
            }
            for level in levels_of(game)
        ]  # fmt: skip

    def networks(self, game: Game) -> list[Opponent]:
        """The networks of the zoo that were trained for this game."""
        if not networks_installed():
            return []
        fitting = [name for name, trained in zoo_games().items() if same_game(trained, game)]
        ways = [both_ways(f"zoo:{name}", f"zoo:{name}", f"Network {name}", "Trained networks") for name in fitting]
        return [entry for both in ways for entry in both]

    def trainings(self, game: Game) -> list[Opponent]:
        """The trainings in the runs folder that are about this game: the best network of each, and every saved one."""
        if not networks_installed():
            return []
        found: list[Opponent] = []
        for folder in self.folders():
            saved = sorted((folder / "checkpoints").glob("*.safetensors"))
            if saved and same_game(self.library.trained(folder), game):
                found += both_ways(f"run:{folder.name}", str(folder), f"{folder.name}, its best", "Your trainings")
                for path in saved:
                    key, about = f"run:{folder.name}/{path.stem}", f"{folder.name} after {int(path.stem)} games"
                    found.append(
                        entry(key, about, "A network of a training, without search.", "Your trainings", str(path))
                    )
        return found

    def folders(self) -> Iterator[Path]:
        if self.runs.is_dir():
            yield from sorted(path.parent for path in self.runs.glob("*/config.toml"))

    def outside(self, game: Game) -> list[Opponent]:
        """The programs that the server was started with. Whether they play this game they say themselves."""
        return [
            entry(f"program:{name}", name, "A program of somebody else.", "Other programs", text)
            for name, text in self.programs.items()
        ]


@cache
def zoo_games() -> dict[str, Game]:
    """The networks of the zoo and their games, which do not change while the server runs."""
    return {name: game_of(zoo.folder_of(name)) for name in zoo.names()}


def entry(key: str, name: str, about: str, group: str, agent: str) -> Opponent:
    return {"key": key, "name": name, "about": about, "group": group, "agent": agent}


def both_ways(key: str, text: str, name: str, group: str) -> list[Opponent]:
    """A network bare, and with a search."""
    searching = f"A network that looks ahead: {WITH_SEARCH} simulations for every move."
    return [
        entry(key, name, "A trained network that plays without looking ahead.", group, text),
        entry(f"{key}+search", f"{name}, searching", searching, group, f"{text},simulations={WITH_SEARCH}"),
    ]


def by_hand(key: str) -> Opponent:
    """A search that somebody described as text, such as search:mcts:seconds=2; its options are bounded."""
    text = key.removeprefix("search:")
    name = text.partition(":")[0].strip()
    if name not in AGENTS:
        raise BadOption(f"a search is one of {', '.join(AGENTS)}, with options after a colon, not {text[:60]!r}")
    agent = make_agent(text)
    for option, most in MOST.items():
        value = getattr(agent, option, None)
        if value is not None and value > most:
            raise BadOption(f"{option} may be at most {most:g} on this page, not {value:g}")
    return entry(key, text, "A search of your own choice.", "Your own", text)


def same_game(trained: Game | None, game: Game) -> bool:
    """Does a network that was trained for one game play another? Who starts does not matter."""
    if trained is None:
        return False
    return {**trained.identity(), "starter": None, "code": None} == {**game.identity(), "starter": None, "code": None}
