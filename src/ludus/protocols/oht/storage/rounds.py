"""Rounds in the database: their plans, written before the first game, and their games, added as they end."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from ludus.errors import LudusError
from ludus.protocols.oht.results import Kind, Played, Round, Seat, Series
from ludus.protocols.oht.storage.database import new_row
from ludus.protocols.oht.storage.tables import accounts, games, rounds, series


def add(connection: Connection, kind: Kind, account: int | None, plan: Sequence[Series], now: float) -> Round:
    """A new round with its plan."""
    check_plan(kind, account, plan)
    row = {"kind": kind, "account": account, "given_back": False, "begun": now}
    key = connection.execute(insert(rounds).values(row)).inserted_primary_key
    assert key is not None
    connection.execute(insert(series), [series_row(key[0], place, one) for place, one in enumerate(plan)])
    return Round(key[0], kind, account, tuple(plan))


def any_begun(connection: Connection) -> bool:
    """Has any round been begun, of any account?"""
    return connection.execute(select(rounds.c.id).limit(1)).first() is not None


def check_plan(kind: Kind, account: int | None, plan: Sequence[Series]) -> None:
    """Refuses plans that could not be scored."""
    if not plan or any(one.games < 1 for one in plan):
        raise LudusError("a round has at least one series, and every series at least one game")
    if account is None and kind != "league":
        raise LudusError(f"a round of the kind {kind!r} belongs to an account")
    for one in plan:
        seats = (one.one.account, one.two.account)
        if seats[0] is not None and seats[0] == seats[1]:
            raise LudusError("an account does not play against itself")
        if account is not None and account not in seats:
            raise LudusError("an account plays in every series of its own round")


def series_row(round_id: int, place: int, one: Series) -> dict[str, Any]:
    return {
        "round": round_id,
        "place": place,
        "one_name": one.one.name,
        "one_account": one.one.account,
        "two_name": one.two.name,
        "two_account": one.two.account,
        "games": one.games,
    }


def load(connection: Connection, round_id: int) -> Round:
    """A round with its plan and its games so far."""
    head = connection.execute(select(rounds.c.kind, rounds.c.account).where(rounds.c.id == round_id)).first()
    if head is None:
        raise LudusError(f"there is no round {round_id}")
    plan = connection.execute(select(series).where(series.c.round == round_id).order_by(series.c.place))
    played = connection.execute(select(games).where(games.c.round == round_id).order_by(games.c.number))
    return Round(
        round_id,
        head.kind,
        head.account,
        tuple(
            Series(Seat(row.one_name, row.one_account), Seat(row.two_name, row.two_account), row.games) for row in plan
        ),
        tuple(Played(row.number, row.winner, read_moves(row.moves), row.ended) for row in played),
    )


# --------------------------------------------------------------------------------------------- official attempts


def begin_official(connection: Connection, account: int, plan: Sequence[Series], now: float) -> Round | None:
    """The unfinished attempt of an account, else a new one, else None when no attempt is left.

    The row of the account is locked first, so that two logins at the same moment get the same attempt.
    """
    granted = connection.execute(select(accounts.c.attempts).where(accounts.c.id == account).with_for_update()).scalar()
    if granted is None:
        raise LudusError(f"there is no account with the number {account}")
    going_on = unfinished(connection, account)
    if going_on is not None:
        return load(connection, going_on)
    return add(connection, "official", account, plan, now) if used(connection, account) < granted else None


def used(connection: Connection, account: int) -> int:
    """How many official attempts count against an account."""
    counted = (rounds.c.account == account, rounds.c.kind == "official", rounds.c.given_back.is_(False))
    return int(connection.execute(select(func.count()).select_from(rounds).where(*counted)).scalar_one())


def left(connection: Connection, account: int) -> int:
    granted: int | None = connection.execute(select(accounts.c.attempts).where(accounts.c.id == account)).scalar()
    if granted is None:
        raise LudusError(f"there is no account with the number {account}")
    return max(0, granted - used(connection, account))


def unfinished(connection: Connection, account: int) -> int | None:
    """The official attempt of an account in which games are missing."""
    planned = select(func.sum(series.c.games)).where(series.c.round == rounds.c.id).scalar_subquery()
    played = select(func.count()).select_from(games).where(games.c.round == rounds.c.id).scalar_subquery()
    found = select(rounds.c.id).where(
        rounds.c.account == account, rounds.c.kind == "official", rounds.c.given_back.is_(False), played < planned
    )
    return connection.execute(found.order_by(rounds.c.id).limit(1)).scalar()


def give_back(connection: Connection, account: int) -> int | None:
    """Marks the last official attempt that counts, so that it no longer does; None if there is none."""
    connection.execute(select(accounts.c.id).where(accounts.c.id == account).with_for_update())
    counted = (rounds.c.account == account, rounds.c.kind == "official", rounds.c.given_back.is_(False))
    last = connection.execute(select(func.max(rounds.c.id)).where(*counted)).scalar()
    if last is not None:
        connection.execute(update(rounds).where(rounds.c.id == last).values(given_back=True))
    return last


# --------------------------------------------------------------------------------------------- games


def record(connection: Connection, round_id: int, played: Sequence[Played], now: float) -> None:
    """Adds games to a round. Games that are there already stay as they are."""
    lengths = select(series.c.games).where(series.c.round == round_id).order_by(series.c.place)
    ends = list(itertools.accumulate(connection.execute(lengths).scalars()))
    if not ends:
        raise LudusError(f"there is no round {round_id}")
    for game in played:
        if not 0 <= game.number < ends[-1]:
            raise LudusError(f"round {round_id} has the games 0 to {ends[-1] - 1}, not {game.number}")
    rows = [
        game_row(round_id, bisect_right(ends, game.number), game, now)
        for game in sorted(played, key=lambda game: game.number)  # in one order, so that two writers do not deadlock
    ]
    if rows:
        connection.execute(new_row(connection, games).on_conflict_do_nothing(index_elements=["round", "number"]), rows)


def game_row(round_id: int, place: int, game: Played, now: float) -> dict[str, Any]:
    return {
        "round": round_id,
        "number": game.number,
        "series": place,
        "winner": game.winner,
        "ended": game.ended,
        "moves": write_moves(game.moves),
        "played": now,
    }


def write_moves(moves: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{row},{column}" for row, column in moves)


def read_moves(text: str) -> tuple[tuple[int, int], ...]:
    pairs = (pair.split(",") for pair in text.split())
    return tuple((int(row), int(column)) for row, column in pairs)
