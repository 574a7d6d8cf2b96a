"""The planner: which settings a training of some minutes should have on this machine, and what to expect of it.

It knows the trainings behind the law (law.py). What it expects of a training that has begun is kept in its folder, so
that its end can say how far that was off.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ludus.game import Game
from ludus.games import make
from ludus.learn.config import settings_from
from ludus.learn.law import Forecast, Line
from ludus.learn.settings import TrainSettings
from ludus.play.talk import title_of
from ludus.system import read_json, write_whole

USUAL: dict[str, Any] = {"recipe": "zero"}  # settings where there is no run to learn from
FILE = "forecast.json"  # in the folder of a training


@dataclass(frozen=True)
class Plan:
    """How to train, and what to expect."""

    settings: dict[str, Any]  # as in a TOML file
    forecast: Forecast | None  # of the truth meter at the end
    why: str  # where this comes from


def make_plan(game: Game, minutes: float, speed: float, law: Sequence[Line]) -> Plan:
    """The course that the law expects most of. `speed`: multiply-adds a second of this machine in self-play."""
    effort, size = speed * minutes * 60, size_of(game)
    lines = [line for line in law if line.game == game.name] if is_usual(game) else []
    such = title_of(game) if is_usual(game) else f"{title_of(game)} with these options"
    unknown = f"No runs of {such} lie behind this plan, so how strong it will be is not known"
    if not lines:
        return Plan(USUAL, None, f"{unknown}; the settings are the usual ones.")
    nearest = min((known for line in lines for known in line.sizes), key=lambda known: (abs(known - size), known))
    lines = [line for line in lines if nearest in line.sizes]
    best = max(lines, key=lambda line: line.forecast(nearest, effort).expected)
    if nearest != size:
        return Plan(best.settings, None, f"{unknown}; the settings are the best ones for size {nearest}.")
    forecast = best.forecast(size, effort)
    why = f"Of {len(lines)} courses in the runs behind this plan, {best.course} is expected to do best."
    if len(lines) == 1:
        why = f"All runs behind this plan are of one course, {best.course}."
    if forecast.far:
        why += " No run was nearly as long, or as short, so the range may be too narrow."
    return Plan(best.settings, forecast, why)


def size_of(game: Game) -> int:
    """The size of a board; 0 where the game has none."""
    size = getattr(game, "size", 0)
    return size if isinstance(size, int) else 0


def is_usual(game: Game) -> bool:
    """Has a game the usual options but for its size? Only such games lie behind the law."""
    size = size_of(game)
    try:
        return game == (make(game.name, size=size) if size else make(game.name))
    except ValueError:  # a game of a user's file, which has no name of ours
        return False


# ------------------------------------------------------------------------------------------- trainings under way


def course_of(game: Game, settings: TrainSettings, law: Sequence[Line]) -> Line | None:
    """The line of the law that a training follows; None if its settings or its board are not those of any run."""
    known = [line for line in law if line.game == game.name and size_of(game) in line.sizes]
    same = [line for line in known if same_course(settings, settings_from(line.settings))]
    return same[0] if same and is_usual(game) else None


def same_course(one: TrainSettings, other: TrainSettings) -> bool:
    """Do two trainings learn in the same way, for whatever time?"""
    apart = ("episodes", "minutes", "checkpoints", "spacing", "seed")  # how long, what is saved, and chance
    parts = [f.name for f in fields(TrainSettings) if f.name not in apart]
    return all(getattr(one, part) == getattr(other, part) for part in parts)


def note_forecast(folder: Path, forecast: Forecast) -> None:
    """Keeps what is expected of a training in its folder."""
    write_whole(folder / FILE, json.dumps(asdict(forecast)) + "\n")


def compared(folder: Path, kept: float) -> str | None:
    """How far the forecast of a finished training was off, in a sentence; None if there was none."""
    try:
        forecast = Forecast(**read_json((folder / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return f"The plan expected {forecast.text}; it is {kept:.1%}."
