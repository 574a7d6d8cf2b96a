"""What happened in a match, from which it can be replayed: one JSON line each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from ludus.errors import IllegalAction, LudusError
from ludus.game import Action, Game, Player, State

RULES = "rules"  # the end of a game that ended as its rules say; else the kind of forfeit


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
    end: str  # "rules", or how it was lost: illegal, exception, crash, rubbish (an answer of no use), flag, resign
    fault: Player | None = None  # who lost it so
    why: str = ""  # the reason of a forfeit, in a sentence
    number: int = 0  # in a tournament

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions of the game, the opening's and the players'."""
        return self.opening + tuple(turn.action for turn in self.turns)

    def replay(self, game: Game) -> Iterator[State]:
        """The states of the match, from the start to the last; says so if the game is another."""
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
        row = json.loads(line)
        turns = []
        for turn in row.pop("turns"):
            turn["visits"] = {int(action): visits for action, visits in turn["visits"].items()}
            turns.append(Turn(**turn))
        row["agents"], row["opening"] = tuple(row["agents"]), tuple(row["opening"])
        return Record(**row, turns=tuple(turns))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadRecord(f"this is not the record of a match: {line[:60]!r} ({error})") from None
