"""How a player fared in a round of the tournament: the results of its series, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludus.play.rating import score_interval


@dataclass
class SeriesResult:
    """How one series went, as far as it was played."""

    opponent: Any  # its unique id
    player: int  # which player of the series we are, 1 or 2
    games: int  # planned
    played: int = 0  # of them
    wins: int = 0
    losses: int = 0
    answers: int = 0
    seconds: float = 0.0  # of all answers
    over: bool = False

    @property
    def done(self) -> int:
        """Games that count: those that were played, and in the league those against a player who has left."""
        return max(self.played, self.wins + self.losses)

    @property
    def draws(self) -> int:
        return self.done - self.wins - self.losses

    @property
    def mean_seconds(self) -> float | None:
        """The average time of an answer."""
        return self.seconds / self.answers if self.answers else None

    def plain(self) -> dict[str, Any]:
        """The same as JSON can hold it."""
        mean = None if self.mean_seconds is None else round(self.mean_seconds, 4)
        names = ("opponent", "player", "games", "wins", "losses", *(["draws"] if self.draws else []))
        return {name: getattr(self, name) for name in names} | {"seconds_per_answer": mean}


@dataclass
class RoundResult:
    """How a round (an official one, a verification or one of the league) went."""

    series: list[SeriesResult] = field(default_factory=list)
    score: float | None = None  # the server's, in percent; None until the tournament is over
    league: bool = False  # there, games against a player who has left are not played
    game: str = "Hex"  # its title

    @property
    def finished(self) -> bool:
        """Has it come to its end, with all its games? A server may also end it early: an answer came too late."""
        return self.score is not None and (self.league or all(one.played >= one.games for one in self.series))

    @property
    def counts_more(self) -> bool:
        """Does the score count more than these series? It does if an attempt went on that had been interrupted."""
        total = self.total()
        return self.score is not None and abs(self.score * total.done - 100 * total.wins) > 0.01 * total.done

    def total(self) -> SeriesResult:
        """All series as one."""
        names = ("games", "wins", "losses", "answers", "seconds")
        sums = {name: sum(getattr(one, name) for one in self.series) for name in names}
        return SeriesResult(None, 0, played=sum(one.done for one in self.series), **sums)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share of games that were won."""
        total = self.total()
        return score_interval(total.wins, total.done)

    def plain(self) -> dict[str, Any]:
        """The same as JSON can hold it."""
        total, all_series = self.total().plain(), [series.plain() for series in self.series]
        del total["opponent"], total["player"]
        interval = [round(end, 4) for end in self.interval] if self.total().done else None
        return {"finished": self.finished, "score": self.score, **total} | {
            "interval": interval,
            "series": all_series,
        }
