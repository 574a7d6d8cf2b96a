"""The results of many matches: who scored what against whom, how fast, and how many games were forfeited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludus.game import Player, seen_by
from ludus.play.rating import Rating, bradley_terry, score_interval
from ludus.play.record import RULES, Record


@dataclass(frozen=True)
class Tally:
    """Results counted from one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The share of the points; one half if there were no games."""
        return self.points / self.games if self.games else 0.5

    @property
    def lead(self) -> int:
        """Wins minus losses."""
        return self.wins - self.losses

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True)
class Row:
    """The results of one agent."""

    agent: str
    all: Tally
    first: Tally  # of the games in which it had the first move
    second: Tally
    rating: Rating
    mean_seconds: float | None  # per move
    longest_seconds: float | None
    least_left: float | None  # the least time that was ever left on its clock
    forfeits: dict[str, int]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of its score."""
        return score_interval(self.all.points, self.all.games)


@dataclass(frozen=True)
class Standing:
    """A table of agents, the strongest first."""

    rows: list[Row]
    pairs: dict[tuple[str, str], Tally]  # how the first of two agents did against the second
    games: int
    different_games: int

    def __getitem__(self, agent: str) -> Row:
        return next(row for row in self.rows if row.agent == agent)

    def plain(self) -> dict[str, Any]:
        """The same as JSON can hold it."""
        return {
            "games": self.games,
            "different_games": self.different_games,
            "agents": [plain_row(row) for row in self.rows],
            "pairs": [
                {"agent": one, "against": other, "games": tally.games, **asdict(tally), "score": round(tally.score, 4)}
                for (one, other), tally in self.pairs.items()
                if tally.games
            ],
        }


def plain_row(row: Row) -> dict[str, Any]:
    """A row as JSON can hold it."""
    return {
        "agent": row.agent,
        "games": row.all.games,
        **asdict(row.all),
        "score": round(row.all.score, 4),
        "interval": [round(end, 4) for end in row.interval],
        "wins_minus_losses": row.all.lead,
        "as_first": {"games": row.first.games, **asdict(row.first), "score": score_of(row.first)},
        "as_second": {"games": row.second.games, **asdict(row.second), "score": score_of(row.second)},
        "elo": round(row.rating.elo, 1),
        "elo_interval": [round(row.rating.low, 1), round(row.rating.high, 1)],
        "mean_seconds": row.mean_seconds,
        "longest_seconds": row.longest_seconds,
        "least_left": row.least_left,
        "forfeits": row.forfeits,
    }


def score_of(tally: Tally) -> float | None:
    """The score, if there were games."""
    return round(tally.score, 4) if tally.games else None


def standing(agents: Sequence[str], records: Iterable[Record], starter: Player) -> Standing:
    """The table of these agents. `starter` is the player who has the first move of the game."""
    records = list(records)
    zero = Tally()
    pairs = {(one, other): zero for one in agents for other in agents if one != other}
    as_first, as_second = dict.fromkeys(agents, zero), dict.fromkeys(agents, zero)
    for record in records:
        for player, agent in enumerate(record.agents):
            result = tally_of(seen_by(player, 0, record.score))
            pairs[agent, record.agents[1 - player]] += result
            first = starter if record.starter is None else record.starter
            side = as_first if player == first else as_second
            side[agent] += result
    ratings = bradley_terry(points_matrix(agents, pairs))
    rows = [
        Row(agent, as_first[agent] + as_second[agent], as_first[agent], as_second[agent], rating,
            *times_of(agent, records), forfeits_of(agent, records))
        for agent, rating in zip(agents, ratings, strict=True)
    ]  # fmt: skip
    rows.sort(key=lambda row: (-row.rating.elo, agents.index(row.agent)))
    return Standing(rows, pairs, len(records), len({record.actions for record in records}))


def tally_of(score: float) -> Tally:
    return Tally(int(score > 0), int(score == 0), int(score < 0))


def points_matrix(agents: Sequence[str], pairs: dict[tuple[str, str], Tally]) -> list[list[float]]:
    """Points of each against each."""
    return [[pairs[a, b].points if a != b else 0.0 for b in agents] for a in agents]


def times_of(agent: str, records: Sequence[Record]) -> tuple[float | None, float | None, float | None]:
    """The mean and the longest time of a move, and the least that was ever left on the clock."""
    turns = [turn for record in records for turn in record.turns if record.agents[turn.player] == agent]
    seconds = [turn.seconds for turn in turns]
    left = [turn.left for turn in turns if turn.left is not None]
    mean = round(sum(seconds) / len(seconds), 5) if seconds else None
    return mean, max(seconds, default=None), min(left, default=None)


def forfeits_of(agent: str, records: Sequence[Record]) -> dict[str, int]:
    """How many games it forfeited, by kind."""
    return dict(
        Counter(
            record.end
            for record in records
            if record.end != RULES and record.fault is not None and record.agents[record.fault] == agent
        )
    )
