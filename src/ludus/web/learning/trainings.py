"""The trainings in the runs folder, read from their files: curves, the map of openings, games, how far they are.

PyTorch is not imported here, and no network is loaded. Processes are in chores.py, sentences in words.py.
"""

from __future__ import annotations

import math
import secrets
import threading
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ludus.errors import LudusError
from ludus.game import Action, Game, begun_by
from ludus.learn.config import BadRun, read_toml
from ludus.system import read_json
from ludus.web.learning.chores import Chore, Chores, Hold
from ludus.web.learning.watched import Lines, Watched, changed_at, objects
from ludus.web.library import Library

State = Literal["running", "stopping", "stopped", "finished", "failed"]
Row = dict[str, Any]  # a measurement: numbers by their names, and the believed values of first moves in percent
NUMBERS = (
    "episode", "seconds", "actor_loss", "critic_loss", "entropy", "length", "different", "truth", "truth_opening",
    "truth_middle", "truth_end", "truth_openings", "against_last", "against_games", "games_per_second",
    "positions_per_second", "seconds_left",
)  # fmt: skip


@dataclass(frozen=True)
class Truth:
    """What the truth meter of a training knows."""

    positions: dict[str, int]  # on which each share is measured: truth, truth_opening, truth_middle, truth_end
    openings: dict[Action, int]  # the true value of every first move, for the player who makes it

    @property
    def problems(self) -> int:
        """All positions."""
        return self.positions["truth"]


@dataclass(frozen=True)
class PlayedGame:
    """A game of self-play; the first `opening` actions were random."""

    game: Game
    actions: list[Action]
    opening: int


class Training:
    """One training on disk. Look at it before reading anything else."""

    def __init__(self, folder: Path, library: Library, chores: Chores) -> None:
        self.folder, self.library, self.chores = folder, library, chores
        self.chore = Chore(folder, "train")
        self.rows: list[Row] = []
        self.names: list[str] = []  # of the first moves whose values the rows hold
        self.mutex = threading.Lock()
        self._config = Watched(folder / "config.toml", read_toml)
        self._truth = Watched(folder / "truth.json", read_truth)
        self._verdict = Watched(folder / "verdict.txt", lambda path: path.read_text(encoding="utf-8")[:2000].strip())
        self._metrics, self._games = Lines(folder / "metrics.jsonl"), Lines(folder / "games.jsonl")
        self._hold = Hold(folder / "lock")
        self._game: tuple[float, Game | None] = (-1.0, None)
        self._generation, self._token = 0, secrets.token_hex(4)

    @property
    def name(self) -> str:
        return self.folder.name

    def look(self) -> None:
        """Reads what is new in its files."""
        with self.mutex:
            new = self._metrics.new()
            if self._metrics.generation != self._generation:
                self._generation, self.rows = self._metrics.generation, []
            self.rows += [row for row in map(self._row, objects(new)) if row is not None]
            self._games.new()

    def _row(self, row: dict[str, Any]) -> Row | None:
        """A measurement with what curves and maps need; None for a line that is none."""
        kept: Row = {name: row[name] for name in NUMBERS if is_number(row.get(name))}
        believed = row.get("believed")
        if isinstance(believed, dict) and all(map(is_number, believed.values())):
            self.names = self.names or list(believed)
            if list(believed) == self.names:
                kept["believed"] = array("b", [round(100 * max(-1.0, min(1.0, v))) for v in believed.values()])
        return kept if {"episode", "seconds"} <= set(kept) else None

    @property
    def mark(self) -> str:
        """Changes when rows that were read before are void."""
        return f"{self._token}-{self._generation}"

    # ------------------------------------------------------------------------------ what it is about

    @property
    def config(self) -> dict[str, Any]:
        """Its settings; those that the page asked for, as long as it has not begun."""
        return self._config.value() or {}

    @property
    def order(self) -> dict[str, Any]:
        return self.chore.order or {}

    @property
    def game(self) -> Game | None:
        """Its game; None if that cannot be made or is none of this server's games."""
        self._config.value()
        if self._game[0] != self._config.changed:
            self._game = (self._config.changed, self._make_game())
        return self._game[1]

    def _make_game(self) -> Game | None:
        text = self.config.get("game", {}).get("name")
        try:
            if text is None:
                return self.library.make(self.order["game"], self.order["options"]) if self.order else None
            return self.library.trained(self.folder)
        except (LudusError, LookupError, TypeError):
            return None

    @property
    def truth(self) -> Truth | None:
        return self._truth.value()

    @property
    def about_mark(self) -> str:
        """Changes when anything but rows and games has changed."""
        self._config.value(), self._truth.value()
        return f"{self._config.changed}-{self._truth.changed}-{len(self.names)}"

    @property
    def verdict(self) -> str:
        """What came out, in a sentence of the training itself."""
        return self._verdict.value() or ""

    # ------------------------------------------------------------------------------ how far it is

    @property
    def saved(self) -> list[int]:
        """The episodes after which its network was saved."""
        paths = (self.folder / "checkpoints").glob("*.safetensors")
        return sorted(int(path.stem) for path in paths if path.stem.isdecimal())

    @property
    def episode(self) -> int:
        """How many games it has finished."""
        return max(self.games, self.rows[-1]["episode"] if self.rows else 0)

    @property
    def episodes(self) -> int:
        """How many games it is to play; with a limit of time alone, as many as fit at the speed so far."""
        planned = self.config.get("episodes", self.order.get("episodes", 0))
        if isinstance(planned, int) and planned > 0:
            return planned
        return round(self.episode / self._time_share) if self._time_share > 0 else 0

    @property
    def minutes(self) -> float | None:
        """How long it is to train, if that was said."""
        minutes = self.config.get("minutes", 0)
        return float(minutes) if is_number(minutes) and minutes > 0 else None

    @property
    def _time_share(self) -> float:
        """The share of its time that it has had; 0 without a limit of time."""
        if self.minutes is None or not self.rows:
            return 0.0
        seconds = float(self.rows[-1]["seconds"]) + 0.01  # because they are rounded
        return min(1.0, seconds / (60 * self.minutes))

    @property
    def progress(self) -> float:
        """How far it is, from 0 to 1."""
        by_games = self.episode / self.episodes if self.episodes > 0 else 0.0
        return min(1.0, max(by_games, self._time_share))

    @property
    def games(self) -> int:
        return len(self._games)

    @property
    def state(self) -> State:
        if self.chores.stopping(self.chore):
            return "stopping"
        if self.chore.running or self._hold.held():
            return "running"
        if self.complaint:
            return "failed"
        return "finished" if self.progress >= 1 else "stopped"

    @property
    def complaint(self) -> str:
        """The sentence with which its last process failed; empty if it has gone on since."""
        failed_before = changed_at(self.chore.path("log")) < changed_at(self.folder / "metrics.jsonl")
        return "" if failed_before else self.chore.complaint()

    @property
    def changed(self) -> float:
        """When it last went on."""
        files = ("metrics.jsonl", "games.jsonl", "config.toml", "page-train.json")
        return max(changed_at(self.folder / name) for name in files)

    # ------------------------------------------------------------------------------ games

    def played(self, number: int) -> PlayedGame:
        """One of its games, counted from 0."""
        game = self.game
        if game is None:
            raise LudusError(f"the game of {self.name} is none of the games of this server, so it cannot be shown")
        if self.games == 0:
            raise LudusError(f"the run {self.name} has not finished a game yet")
        if not 0 <= number < self.games:
            raise LudusError(f"the run {self.name} has games 1 to {self.games}, not {number + 1}")
        try:
            row = read_json(self._games.line(number))
            begun = game if row.get("starter") is None else begun_by(game, row["starter"])
            return PlayedGame(begun, [*row["opening"], *row["actions"]], len(row["opening"]))
        except (OSError, ValueError, LookupError, TypeError):
            raise LudusError(f"game {number + 1} of {self.name} cannot be read") from None


class Trainings:
    """All trainings in a runs folder."""

    def __init__(self, runs: Path, library: Library, chores: Chores) -> None:
        self.runs, self.library, self.chores = runs, library, chores
        self._known: dict[str, Training] = {}

    def all(self) -> list[Training]:
        """Every training, looked at; the one that went on last comes first."""
        self._scan()
        known = list(self._known.values())
        for training in known:
            training.look()
        return sorted(known, key=lambda training: -training.changed)

    def find(self, name: str) -> Training:
        """A training by the name of its folder; refuses any other text, such as a path."""
        if name not in self._known or not self._known[name].folder.is_dir():
            self._scan()
        if name not in self._known:
            raise BadRun(f"there is no training called {name[:60]!r}")
        training = self._known[name]
        training.look()
        return training

    def _scan(self) -> None:
        """Learns which trainings there are."""
        found = {path.parent.name: path.parent for name in ("config.toml", "page-train.json")
                 for path in self.runs.glob(f"*/{name}")}  # fmt: skip
        known = self._known
        self._known = {
            name: known[name] if name in known else Training(folder, self.library, self.chores)
            for name, folder in found.items()
        }


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def read_truth(path: Path) -> Truth:
    """What the file of a truth meter says."""
    kept = read_json(path.read_text(encoding="utf-8"))
    phases = [problem[3] for problem in kept["problems"]]
    shares = ("truth_opening", "truth_middle", "truth_end")
    positions = {"truth": len(phases)} | {share: phases.count(phase) for phase, share in enumerate(shares)}
    return Truth(positions, {int(action): int(value) for action, value in kept["openings"]})
