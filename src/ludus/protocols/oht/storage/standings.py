"""Scores, derived from the games in the database: of every round, and of every account."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import CTE, ColumnElement, Connection, Integer, and_, case, cast, func, literal, select, union_all

from ludus.protocols.oht.results import Kind
from ludus.protocols.oht.storage.tables import accounts, games, rounds, series


@dataclass(frozen=True)
class Result:
    """How a round of an account stands."""

    round: int
    account: int
    kind: Kind
    given_back: bool
    begun: float  # seconds since 1970
    games: int  # of its plan
    played: int
    won: int

    @property
    def finished(self) -> bool:
        return self.played == self.games

    @property
    def score(self) -> float:
        """Games won, in percent of all games of the plan."""
        return 100 * self.won / self.games

    @property
    def counts(self) -> bool:
        """Is it an official attempt whose score counts?"""
        return self.kind == "official" and self.finished and not self.given_back


@dataclass(frozen=True)
class Standing:
    """How an account stands."""

    account: int
    name: str
    email: str
    handle: str
    best: float | None  # percent, of the finished official attempts; None without one
    attempts_used: int
    attempts_left: int
    given_back: int  # attempts that were given back
    verification_rounds: int  # that are finished
    verification_best: float | None
    league_games: int
    league_wins: int
    best_games: int = 0  # of the attempt with the best score


@dataclass(frozen=True)
class Meeting:
    """How many games of the league between two accounts had one winner."""

    one: int
    two: int
    winner: int  # 1: the first account, 2: the second, 0: nobody
    games: int


def results(connection: Connection, account: int | None = None, kind: Kind | None = None) -> list[Result]:
    """All rounds that belong to accounts, or to one account, in the order in which they were begun."""
    chosen: list[ColumnElement[bool]] = [rounds.c.account.is_not(None)]
    chosen += [rounds.c.account == account] if account is not None else []
    chosen += [rounds.c.kind == kind] if kind is not None else []
    plan, done = lengths(chosen), tally_of_owners(chosen)
    columns = (rounds.c.id, rounds.c.account, rounds.c.kind, rounds.c.given_back, rounds.c.begun, whole(plan.c.games))
    query = select(*columns, whole(done.c.played), whole(done.c.won)).where(*chosen).order_by(rounds.c.id)
    query = query.join_from(rounds, plan, plan.c.round == rounds.c.id).outerjoin(done, done.c.round == rounds.c.id)
    return [Result(*row) for row in connection.execute(query)]


def lengths(chosen: Sequence[ColumnElement[bool]]) -> CTE:
    """How many games each of some rounds has in its plan."""
    query = select(series.c.round, func.sum(series.c.games).label("games"))
    query = query.join_from(series, rounds, rounds.c.id == series.c.round)
    return query.where(*chosen).group_by(series.c.round).cte("plan")


def tally_of_owners(chosen: Sequence[ColumnElement[bool]]) -> CTE:
    """How many games of each of some rounds were played, and how many its owner has won."""
    tally = tallies(chosen)
    number = case((series.c.one_account == rounds.c.account, 1), else_=2)
    won = func.sum(case((tally.c.winner == number, tally.c.games), else_=0))
    query = select(tally.c.round, func.sum(tally.c.games).label("played"), won.label("won"))
    query = query.join_from(tally, series, and_(series.c.round == tally.c.round, series.c.place == tally.c.series))
    query = query.join(rounds, rounds.c.id == tally.c.round)
    return query.group_by(tally.c.round).cte("done")


def tallies(chosen: Sequence[ColumnElement[bool]]) -> CTE:
    """How many games of each series of some rounds have each winner: a query that reads the index of games alone."""
    groups = (games.c.round, games.c.series, games.c.winner)
    count = select(*groups, func.count().label("games")).join_from(games, rounds, rounds.c.id == games.c.round)
    return count.where(*chosen).group_by(*groups).cte("tally")


def whole(column: ColumnElement[int]) -> ColumnElement[int]:
    """A sum as a whole number (PostgreSQL's are decimals), 0 where there is nothing to add."""
    return cast(func.coalesce(column, 0), Integer)


def league(connection: Connection) -> dict[int, tuple[int, int]]:
    """Games and wins in the league by account."""
    tally = tallies([rounds.c.kind == "league"])
    seats = union_all(
        select(series.c.round, series.c.place, series.c.one_account.label("account"), literal(1).label("number")),
        select(series.c.round, series.c.place, series.c.two_account.label("account"), literal(2).label("number")),
    ).cte("seats")
    won = func.sum(case((tally.c.winner == seats.c.number, tally.c.games), else_=0))
    query = select(seats.c.account, whole(func.sum(tally.c.games)), whole(won)).where(seats.c.account.is_not(None))
    query = query.join_from(tally, seats, and_(seats.c.round == tally.c.round, seats.c.place == tally.c.series))
    return {account: (played, wins) for account, played, wins in connection.execute(query.group_by(seats.c.account))}


def meetings(connection: Connection) -> list[Meeting]:
    """All games of the league, counted by who met whom, in which order, and who won."""
    tally = tallies([rounds.c.kind == "league"])
    groups = (series.c.one_account, series.c.two_account, tally.c.winner)
    query = select(*groups, whole(func.sum(tally.c.games))).group_by(*groups).order_by(*groups)
    query = query.join_from(tally, series, and_(series.c.round == tally.c.round, series.c.place == tally.c.series))
    query = query.where(series.c.one_account.is_not(None), series.c.two_account.is_not(None))
    return [Meeting(*row) for row in connection.execute(query)]


def best_of(scores: Sequence[Result]) -> float | None:
    return max((one.score for one in scores), default=None)


def standings(connection: Connection) -> list[Standing]:
    """All accounts, the best official score first; those without one come last, by name."""
    by_account: defaultdict[int, list[Result]] = defaultdict(list)
    for one in results(connection):
        by_account[one.account].append(one)
    met = league(connection)
    columns = (accounts.c.id, accounts.c.name, accounts.c.email, accounts.c.handle, accounts.c.attempts)
    rows = [standing(*row, by_account[row.id], met.get(row.id, (0, 0))) for row in connection.execute(select(*columns))]
    return sorted(rows, key=lambda row: (row.best is None, -(row.best or 0), row.name.casefold(), row.name))


def standing(
    account: int, name: str, email: str, handle: str, attempts: int, own: list[Result], met: tuple[int, int]
) -> Standing:
    """How one account stands, from its rounds and its games in the league."""
    official = [one for one in own if one.kind == "official"]
    used = sum(not one.given_back for one in official)
    verified = [one for one in own if one.kind == "verification" and one.finished]
    best = max((one for one in official if one.counts), key=lambda one: one.score, default=None)
    return Standing(
        account,
        name,
        email,
        handle,
        None if best is None else best.score,
        used,
        max(0, attempts - used),
        len(official) - used,
        len(verified),
        best_of(verified),
        *met,
        0 if best is None else best.games,
    )
