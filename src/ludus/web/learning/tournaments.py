"""The tournaments in the runs folder, read from their files: matches, tournaments, and TOPPs inside trainings.

Their standings are those of play/standing.py, made anew when games have been added. Nothing is played here.
"""

from __future__ import annotations

import glob
import json
import re
import secrets
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from ludus.agents.levels import levels_of
from ludus.errors import LudusError
from ludus.game import Game
from ludus.games import ALL, make
from ludus.learn.stages import Stages, stage_name
from ludus.play.record import Record, Turn, read_record
from ludus.play.standing import Standing, standing
from ludus.play.tables import short_names
from ludus.play.tournament import names_of
from ludus.web.learning.chores import Chore, Chores, Hold
from ludus.web.learning.watched import Lines, Watched, changed_at, read_object
from ludus.web.library import Library

State = Literal["running", "stopping", "stopped", "finished", "failed"]
NOBODY = Standing([], {}, 0, 0)
STAGE = re.compile(r"(?:^|/)checkpoints/(\d+)\.safetensors(?::|,|$)")


class Contest:
    """One tournament on disk. Look at it before reading anything else."""

    def __init__(self, runs: Path, folder: Path, library: Library, chores: Chores) -> None:
        self.folder, self.library, self.chores = folder, library, chores
        self.key = folder.relative_to(runs).as_posix()
        inside = folder.parent != runs
        self.chore = Chore(folder.parent, "topp") if inside else Chore(folder, "tournament")
        self.is_topp = folder.name.startswith("topp-")
        self.records: list[Record] = []
        self.mutex = threading.Lock()
        self._settings = Watched(folder / "settings.json", read_object)
        self._results = Watched(folder / "results.json", read_object)
        self._lines = Lines(folder / "games.jsonl")
        self._hold = Hold(folder / "games.jsonl", folder / "settings.json")
        self._made: tuple[int, str, Standing] | None = None  # the last standing, and of how many games it is
        self._generation, self._token = 0, secrets.token_hex(4)

    def look(self) -> None:
        """Reads the games that are new."""
        with self.mutex:
            new = self._lines.new()
            if self._lines.generation != self._generation:
                self._generation, self.records = self._lines.generation, []
            self.records += [record for record in map(light_record, new) if record is not None]

    @property
    def mark(self) -> str:
        """Changes when games that were read before are void."""
        return f"{self._token}-{self._generation}"

    # ------------------------------------------------------------------------------ who plays what

    @property
    def order(self) -> dict[str, Any] | None:
        """What the page asked for, if a page has started it."""
        order = self.chore.order
        if order is None or not self.is_topp:
            return order
        return order if order.get("stages") == list(self.stages.episodes.values()) else None

    @property
    def agents(self) -> list[str]:
        """The agents as texts; as long as it has not begun, those that the page asked for."""
        listed = (self._settings.value() or {}).get("agents")
        if listed is None and not self.is_topp:
            listed = list((self.order or {}).get("players", {}))
        return [text for text in listed if isinstance(text, str)] if isinstance(listed, list) else []

    @property
    def names(self) -> list[str]:
        """The names under which they play."""
        known = list(self.stages.episodes) if self.is_topp else names_of(self.agents)
        strange = {agent: None for record in self.records for agent in record.agents if agent not in known}
        return [*known, *strange]

    @property
    def stages(self) -> Stages:
        """The networks of a TOPP, by the games they have seen."""
        found = [STAGE.search(text) for text in self.agents]
        return Stages({stage_name(int(one[1])): int(one[1]) for one in found if one is not None})

    @property
    def labels(self) -> dict[str, str]:
        """What people call each of them."""
        if self.is_topp:
            episodes = self.stages.episodes
            return {name: called(episodes[name]) if name in episodes else name for name in self.names}
        known = (self.order or {}).get("players", {})
        game = self.game
        levels = {level.agent: level.name for level in levels_of(game)} if game is not None else {}
        short = dict(zip(self.names, short_names(self.names), strict=True))
        return {name: str(known.get(name) or levels.get(name) or short[name]) for name in self.names}

    @property
    def game(self) -> Game | None:
        """Its game; None if it is none of this server's games."""
        options = dict((self._settings.value() or {}).get("game", {}))
        name = options.pop("name", None)
        try:
            if name in ALL:
                return make(str(name), **options)
            return self.library.make(self.order["game"], self.order["options"]) if self.order else None
        except (LudusError, LookupError, TypeError):
            return None

    # ------------------------------------------------------------------------------ how far it is

    @property
    def total(self) -> int | None:
        """How many games it will have; None if nobody has told us."""
        if self.state == "finished":
            return len(self.records)
        if self.order is None or len(self.agents) < 2:
            return None
        pairs = len(self.agents) * (len(self.agents) - 1) // 2
        return max(pairs * int(self.order["games"]), len(self.records))

    @property
    def state(self) -> State:
        by_page = self.order is not None
        if by_page and self.chores.stopping(self.chore):
            return "stopping"
        if (by_page and self.chore.running) or self._hold.held():
            return "running"
        if (self._results.value() or {}).get("games") == len(self.records) > 0:
            return "finished"
        return "failed" if by_page and self.chore.complaint() else "stopped"

    @property
    def changed(self) -> float:
        return max(changed_at(self.folder / name) for name in ("games.jsonl", "settings.json", "page-tournament.json"))

    def standing(self) -> Standing:
        """The table so far."""
        with self.mutex:
            count, mark = len(self.records), self.mark
            if self._made is None or self._made[:2] != (count, mark) or not self._made[2].rows:
                game = self.game
                starter = game.start().player if game is not None else 0
                names = self.names
                self._made = (count, mark, standing(names, self.records, starter) if names else NOBODY)
            return self._made[2]

    def record(self, number: int) -> Record:
        """A game by its number."""
        for record in self.records:
            if record.number == number:
                return record
        raise LudusError(f"the tournament {self.key} has no finished game {number}")


class Contests:
    """All tournaments in a runs folder."""

    def __init__(self, runs: Path, library: Library, chores: Chores) -> None:
        self.runs, self.library, self.chores = runs, library, chores
        self._known: dict[str, Contest] = {}

    def all(self) -> list[Contest]:
        """Every tournament, looked at; the one that went on last comes first."""
        self._scan()
        return self._looked_at(self._known)

    def find(self, key: str) -> Contest:
        """A tournament by its key; refuses any other text, such as a path."""
        if key not in self._known or not self._known[key].folder.is_dir():
            self._scan()
        if key not in self._known:
            raise LudusError(f"there is no tournament called {key[:80]!r}")
        return self._looked_at([key])[0]

    def of_run(self, name: str) -> list[Contest]:
        """The TOPPs of a training, the last one first."""
        self._scan(f"{glob.escape(name)}/topp-*/settings.json")
        return self._looked_at([key for key in self._known if key.startswith(f"{name}/topp-")])

    def _scan(self, *patterns: str) -> None:
        """Learns which tournaments there are: all of them, or more of those in some places."""
        everywhere = ("*/settings.json", "*/page-tournament.json", "*/topp-*/settings.json")
        found = {path.parent.relative_to(self.runs).as_posix(): path.parent
                 for pattern in patterns or everywhere for path in self.runs.glob(pattern)}  # fmt: skip
        kept = self._known if patterns else {key: one for key, one in self._known.items() if key in found}
        new = {key: folder for key, folder in found.items() if key not in kept}
        self._known = kept | {key: Contest(self.runs, new[key], self.library, self.chores) for key in new}

    def _looked_at(self, keys: Iterable[str]) -> list[Contest]:
        contests = [self._known[key] for key in keys]
        for contest in contests:
            contest.look()
        return sorted(contests, key=lambda contest: -contest.changed)


def light_record(line: bytes) -> Record | None:
    """A record without what searches saw, which can be large; None for a line that is none."""
    try:
        record = read_record(line.decode())
    except (LudusError, UnicodeDecodeError, json.JSONDecodeError):
        return None
    turns = tuple(Turn(turn.player, turn.action, turn.seconds, turn.left) for turn in record.turns)
    return replace(record, turns=turns)


def called(episode: int) -> str:
    """What people call a saved network."""
    return f"stage {episode}" if episode else "untrained"
