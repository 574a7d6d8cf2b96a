"""The store: all that the tournament remembers. The server and the teacher's commands use it at the same time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

from ludus.errors import LudusError
from ludus.protocols.oht.results import Kind, Played, Round, Series
from ludus.protocols.oht.storage import accounts, rounds, standings
from ludus.protocols.oht.storage.accounts import Account, NewAccount
from ludus.protocols.oht.storage.database import (
    Conflict,
    Database,
    DatabaseTrouble,
    NoTournament,
    first_fact,
    get_fact,
    set_fact,
)
from ludus.protocols.oht.storage.hold import Hold, hold
from ludus.protocols.oht.storage.names import check_name
from ludus.protocols.oht.storage.passwords import USUAL, Cost, check_password, hash_all, hash_password, outdated, verify
from ludus.protocols.oht.storage.standings import Meeting, Result, Standing

__all__ = [
    "Account",
    "DatabaseTrouble",
    "Meeting",
    "NewAccount",
    "NoTournament",
    "Result",
    "Standing",
    "Status",
    "Store",
]

Status = Literal["open", "paused", "closed"]


class Store:
    """Accounts, rounds and games in a database. Every method is one transaction; threads may share a store.

    Mistakes raise LudusError; a database that cannot be used now raises its subclass DatabaseTrouble. Passwords are
    slow to check on purpose (by_password, set_password, add_account): call these in another thread than `record`.
    """

    def __init__(
        self, url: str, create: bool = True, cost: Cost = USUAL, clock: Callable[[], float] = time.time
    ) -> None:
        """Opens a database by its address, and makes its tables if they are missing; `create=False` refuses instead."""
        self._database = Database(url, create)
        self._cost, self._clock = cost, clock
        self.name = self._database.name  # the address without its password

    def close(self) -> None:
        self._database.close()

    def hold(self) -> Hold:
        """Makes this process the one server of the database, until the hold is released or the process ends."""
        return hold(self._database)

    # ----------------------------------------------------------------------------------------- accounts

    def add_account(self, name: str, password: str | None = None, email: str = "", attempts: int = 5) -> Account:
        return self.add_accounts([NewAccount(name, email, password, attempts)])[0]

    def problems(self, new: Sequence[NewAccount]) -> list[tuple[int, str]]:
        """Which of these accounts, by their place in the list, could not be added, and why."""
        with self._database.reading() as connection:
            return accounts.problems(connection, new)

    def add_accounts(
        self, new: Sequence[NewAccount], hashed: Callable[[int], object] = lambda done: None
    ) -> list[Account]:
        """Several accounts, all of them or none. `hashed` is told how many passwords have been hashed so far."""
        wrong = self.problems(new)  # before the slow part
        if wrong:
            raise LudusError("; ".join(why for _, why in wrong))
        hashes = hash_all([one.password for one in new], self._cost, hashed)
        pairs = zip([one.checked() for one in new], hashes, strict=True)
        try:
            with self._database.writing() as connection:
                now = self._clock()
                return [accounts.add(connection, *pair, now) for pair in pairs]
        except Conflict:  # PostgreSQL: another process has added one of them at the same moment
            raise LudusError("one of these names or addresses has just been taken by another account") from None

    def account(self, name: str) -> Account | None:
        """The account of a name; upper case and lower case do not count."""
        with self._database.reading() as connection:
            return accounts.by_name(connection, name)

    def by_password(self, name: str, password: str) -> Account | None:
        """The account, if this is its password. An unknown name takes as long as a wrong password."""
        with self._database.reading() as connection:
            account, stored = accounts.with_hash(connection, name)
        if not verify(password, stored, self._cost) or account is None or stored is None:
            return None
        if outdated(stored, self._cost):
            self.set_password(account.id, password)
        return account

    def by_token(self, token: str) -> Account | None:
        with self._database.reading() as connection:
            return accounts.by_token(connection, token)

    def by_email(self, email: str) -> Account | None:
        with self._database.reading() as connection:
            return accounts.by_email(connection, email)

    def new_token(self, account: int) -> str:
        """A new token, which is stored nowhere but as a hash; the old one is no longer valid."""
        with self._database.writing() as connection:
            return accounts.renew_token(connection, account)

    def set_handle(self, account: int, handle: str) -> None:
        clean = check_name(handle, "handle")
        with self._database.writing() as connection:
            accounts.change(connection, account, handle=clean)

    def set_password(self, account: int, password: str) -> None:
        hashed = hash_password(check_password(password), self._cost)
        with self._database.writing() as connection:
            accounts.change(connection, account, password=hashed)

    def begin_reset(self, email: str) -> str | None:
        """A temporary token, valid once and for an hour, for the account with this address; None if there is none."""
        with self._database.writing() as connection:
            return accounts.begin_reset(connection, email, self._clock())

    def finish_reset(self, temporary: str) -> str | None:
        """A new token for a temporary one; None if that is unknown, used up or too old."""
        with self._database.writing() as connection:
            return accounts.finish_reset(connection, temporary, self._clock())

    # ----------------------------------------------------------------------------------------- rounds

    def attempts_left(self, account: int) -> int:
        """Attempts that were granted, without the official rounds that were begun and not given back."""
        with self._database.reading() as connection:
            return rounds.left(connection, account)

    def begin_official(self, account: int, plan: Sequence[Series]) -> Round | None:
        """The unfinished attempt, which goes on by its own plan; else a new one, which is charged; else None."""
        with self._database.writing() as connection:
            return rounds.begin_official(connection, account, plan, self._clock())

    def unfinished(self, account: int) -> bool:
        """Does an official attempt of this account wait to go on?"""
        with self._database.reading() as connection:
            return rounds.unfinished(connection, account) is not None

    def begin(self, kind: Kind, account: int | None, plan: Sequence[Series]) -> Round:
        """A new round of verification or of the league."""
        if kind == "official":
            raise LudusError("official attempts are counted: they begin with begin_official")
        with self._database.writing() as connection:
            return rounds.add(connection, kind, account, plan, self._clock())

    def record(self, round_id: int, games: Sequence[Played]) -> None:
        """Keeps games of a round, durably when it returns. Games that are there already stay as they are."""
        self.record_all({round_id: games})

    def record_all(self, games: Mapping[int, Sequence[Played]]) -> None:
        """Keeps games of several rounds in one transaction, which is much quicker than one for each."""
        with self._database.writing() as connection:
            now = self._clock()
            for round_id in sorted(games):
                rounds.record(connection, round_id, games[round_id], now)

    def round(self, round_id: int) -> Round:
        with self._database.reading() as connection:
            return rounds.load(connection, round_id)

    def best(self, account: int) -> float | None:
        """The best score, in percent, of the finished official attempts; None without one."""
        with self._database.reading() as connection:
            own = standings.results(connection, account, "official")
        return standings.best_of([one for one in own if one.counts])

    def give_back(self, account: int) -> Round | None:
        """The last official attempt no longer counts, nor does its score; its games stay. None if there is none."""
        with self._database.writing() as connection:
            last = rounds.give_back(connection, account)
            return None if last is None else rounds.load(connection, last)

    # ----------------------------------------------------------------------------------------- the tournament

    def status(self) -> Status:
        with self._database.reading() as connection:
            value = get_fact(connection, "status")
        for status in get_args(Status):
            if value == status:
                return status  # type: ignore[no-any-return]
        raise LudusError(f"the database {self.name} has the unknown status {value!r}")

    def set_status(self, status: Status) -> None:
        if status not in get_args(Status):
            raise LudusError(f"the status is one of {', '.join(get_args(Status))}, not {status!r}")
        with self._database.writing() as connection:
            set_fact(connection, "status", status)

    def pin_game(self, identity: str) -> str:
        """The game that this database is about: the given one, if no round has been begun in another."""
        with self._database.writing() as connection:
            if not rounds.any_begun(connection):
                set_fact(connection, "game", identity)
            return first_fact(connection, "game", identity)

    def standings(self) -> list[Standing]:
        """How all accounts stand, the best official score first."""
        with self._database.reading() as connection:
            return standings.standings(connection)

    def results(self, account: int | None = None) -> list[Result]:
        """How all rounds stand that belong to accounts, or to one account, in the order in which they were begun."""
        with self._database.reading() as connection:
            return standings.results(connection, account)

    def meetings(self) -> list[Meeting]:
        """How the players of the league did against each other."""
        with self._database.reading() as connection:
            return standings.meetings(connection)
