"""What the tournament knows about rounds and games, as values. Nothing is stored or sent here.

A round is what a player enters: an official attempt, a verification round, or a round of the league. It is planned
whole before its first game, so that after a crash the games that are missing can be told from those that were played.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["official", "verification", "league"]
Number = Literal[1, 2]  # the number of a player in a series: what the course calls the series id


@dataclass(frozen=True)
class Seat:
    """Who sits on one side of a series: an account, or an agent of the house."""

    name: str  # the nickname of a player, or an agent as it is written on the command line
    account: int | None = None  # None: an agent of the house

    @property
    def unique_id(self) -> int:
        """The id by which the protocols call it: the account's; agents of the house have negative ones, below -1000."""
        return self.account if self.account is not None else -1001 - zlib.crc32(self.name.encode()) % 10**6


@dataclass(frozen=True)
class Series:
    """Several games between the same two. Player 1 begins the first, player 2 the second, and so on."""

    one: Seat
    two: Seat
    games: int

    def seat(self, number: Number) -> Seat:
        return self.one if number == 1 else self.two

    def number_of(self, account: int) -> Number:
        """Which player of the series an account is."""
        return 1 if self.one.account == account else 2


@dataclass(frozen=True)
class Planned:
    """One game of a round that is to be played."""

    number: int  # in the round, from 0
    series: int  # which series of the plan
    starter: Number


@dataclass(frozen=True)
class Played:
    """One game that is over."""

    number: int  # in its round, from 0
    winner: Literal[0, 1, 2]  # 0: a draw, which Hex does not know
    moves: tuple[tuple[int, int], ...]  # row and column, in the order of play
    ended: Literal["rules", "illegal", "time", "gone"] = "rules"  # how; the last three are forfeits of the loser


@dataclass(frozen=True)
class Round:
    """A round as it is stored: its plan, and the games that were played so far."""

    id: int
    kind: Kind
    account: int | None  # whose round it is; None: the league's
    plan: tuple[Series, ...]
    played: tuple[Played, ...] = ()

    @property
    def games(self) -> int:
        """How many games it has in all."""
        return sum(series.games for series in self.plan)

    @property
    def finished(self) -> bool:
        return len(self.played) == self.games

    def planned(self) -> list[Planned]:
        """All its games in order, those that were played and those that were not."""
        games: list[Planned] = []
        for index, series in enumerate(self.plan):
            games += [Planned(len(games) + k, index, 1 if k % 2 == 0 else 2) for k in range(series.games)]
        return games

    def missing(self) -> list[Planned]:
        """The games that are still to be played."""
        done = {game.number for game in self.played}
        return [game for game in self.planned() if game.number not in done]

    def won_by(self, account: int, played: Sequence[Played]) -> int:
        """How many of these games of the round an account has won."""
        series_of = {game.number: self.plan[game.series] for game in self.planned()}
        return sum(game.winner == series_of[game.number].number_of(account) for game in played)


def percent(won: int, games: int) -> float:
    """A share in percent, with two digits, as the clients are told it."""
    return round(100 * won / games, 2) if games else 0.0
