"""What happened in a match, from which it can be replayed: one JSON line each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ludus.errors import IllegalAction, LudusError
from ludus.game import Action, Game, Player, State, begun_by
from ludus.games import ALL, make
from ludus.system import read_json

RULES = "rules"  # the end of a game that ended as its rules say; else the kind of forfeit …
AGREED, UNFINISHED = "agreed", "unfinished"  # … or, in files of other programs, a result stated before the end, or none


class BadRecord(LudusError):
    """This is not the record of a match."""


@dataclass(frozen=True)
class Turn:
    """One decision. The value is a guess at the score, for the player who made it."""

    player: Player
    action: Action
    seconds: float
    left: float | None = None  # on the player's clock when the move was made, before any increment
    value: float | None = None
    visits: dict[Action, int] = field(default_factory=dict)
    simulations: int = 0
    depth: int | None = None


@dataclass(frozen=True)
class Record:
    """One match. `agents[p]` played for player p; the opening was set before they began."""

    game: dict[str, Any]  # its name and options
    agents: tuple[str, str]
    seed: int
    clock: str | None
    opening: tuple[Action, ...]
    turns: tuple[Turn, ...]
    score: float  # of player 0
    end: str  # "rules"; how it was lost: illegal, exception, crash, rubbish, flag, resign; or "agreed", "unfinished"
    fault: Player | None = None  # who forfeited it
    why: str = ""  # the reason of a forfeit, in a sentence
    number: int = 0  # in a tournament

    @property
    def starter(self) -> Player | None:
        """Who made the first move, if the game lets one choose."""
        starter: Player | None = self.game.get("starter")
        return starter

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions of the game, the opening's and the players'."""
        return self.opening + tuple(turn.action for turn in self.turns)

    def made_game(self) -> Game:
        """The game of the record. Of a game that does not come with Ludus a record knows only the name, so not that."""
        options = {key: value for key, value in self.game.items() if key != "name"}
        if self.game.get("name") not in ALL:
            raise BadRecord(
                f"this record is of {self.game.get('name')!r}, which does not come with Ludus: name its class"
            )
        try:
            return make(self.game["name"], **options)
        except LudusError as error:
            raise BadRecord(f"this record is of a game that cannot be made: {error}") from None

    def replay(self, game: Game) -> Iterator[State]:
        """The states of the match, from the start to the last; says so if the game is another."""
        if self.starter is not None and hasattr(game, "starter"):
            game = begun_by(game, self.starter)
        if game.identity() != self.game:
            raise BadRecord(f"this record is of {self.game}, not of {game.identity()}")
        try:
            yield from game.states(self.actions)
        except IllegalAction as error:
            raise BadRecord(f"the record cannot be replayed: {error}") from None

    def line(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))


def read_record(line: str) -> Record:
    """The record that a line of JSON holds."""
    try:
        row = read_json(line)
        turns = []
        for turn in row.pop("turns"):
            turn["visits"] = {int(action): visits for action, visits in turn["visits"].items()}
            turns.append(Turn(**turn))
        row["agents"], row["opening"] = tuple(row["agents"]), tuple(row["opening"])
        if not isinstance(row["game"], dict) or not isinstance(row["game"].get("name"), str):
            raise ValueError("it does not name a game")
        return Record(**row, turns=tuple(turns))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadRecord(f"this is not the record of a match: {line[:60]!r} ({error})") from None


def read_records(path: Path) -> list[Record]:
    """The records in a file: lines of JSON (.jsonl), or the games of an SGF file (.sgf)."""
    from ludus.play.sgf import read_collection  # which makes records, and so imports this module

    try:
        if path.suffix.lower() == ".sgf":
            return [record for _, record in read_collection(path.read_bytes())]
        if path.suffix.lower() != ".jsonl":
            raise BadRecord("records are read from .jsonl and .sgf files")
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]  # a last line that was cut off is left out
        return [read_record(line) for line in whole if line.strip()]
    except OSError as error:
        raise BadRecord(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except (UnicodeDecodeError, BadRecord) as error:
        raise BadRecord(f"{path}: {error}") from None
