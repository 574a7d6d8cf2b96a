"""The teacher's commands of the tournament: accounts, attempts, pauses, grades. They work while the server runs."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ludus.cli.oht import accounts
from ludus.cli.oht.options import (
    AddClass,
    AddPlayer,
    Close,
    Command,
    Export,
    GiveBack,
    NewPassword,
    NewToken,
    Open,
    Pause,
    Players,
)
from ludus.cli.oht.storage import attempts_in_words, check_extra, open_store, parse_quietly, tell
from ludus.errors import LudusError

if TYPE_CHECKING:
    from ludus.protocols.oht.storage.store import Standing, Status, Store


def main(command: str, arguments: list[str]) -> None:
    kind, run = (BEGINNING | COMMANDS)[command]
    options = parse_quietly(kind, arguments, f"ludus oht {command}")
    check_extra()
    if command in BEGINNING:
        run(options)
        return
    with contextlib.closing(open_store(options.database, create=False)) as store:
        run(store, options)


def players(store: Store, options: Players) -> None:
    rows = store.standings()
    if options.json:
        print(json.dumps({"status": store.status(), "players": [asdict(row) for row in rows]}, indent=1))
        return
    count = {0: "no accounts", 1: "1 account"}.get(len(rows), f"{len(rows)} accounts")
    print(f"The tournament is {store.status()}; {count} in {store.name}.")
    if rows:
        from ludus.cli.tables import print_tables, screen_width

        print_tables(table_of(rows, screen_width()))


def table_of(rows: list[Standing], width: int) -> Any:
    """The standings as a table for the terminal. Where that is narrow, the least important columns are left out."""
    from rich.table import Table

    columns = {title: [cells(row)[title] for row in rows] for title in cells(rows[0])}
    for title in ("email", "league", "verified", "handle"):
        if sum(3 + max(len(title), *map(len, cells)) for title, cells in columns.items()) >= width:
            del columns[title]
    table = Table()
    for title in columns:
        words = title in ("name", "handle", "email")
        table.add_column(title, justify="left" if words else "right", overflow="fold", no_wrap=not words)
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


def cells(row: Standing) -> dict[str, str]:
    """What the table shows of an account."""
    best, verified = ("–" if score is None else f"{score:.1f}" for score in (row.best, row.verification_best))
    return {
        "name": row.name,
        "handle": row.handle,
        "email": row.email,
        "best": best,
        "attempts": f"{row.attempts_used} of {row.attempts_used + row.attempts_left}",
        "verified": f"{verified} ({row.verification_rounds})" if row.verification_rounds else "–",
        "league": f"{row.league_wins} of {row.league_games}" if row.league_games else "–",
    }


def give_back(store: Store, options: GiveBack) -> None:
    account = accounts.find(store, options.name)
    given = store.give_back(account.id)
    if given is None:
        raise LudusError(f"{account.name} has no attempt that counts, so there is none to give back")
    left = store.attempts_left(account.id)
    shown = {"name": account.name, "round": given.id, "played": len(given.played), "left": left}
    what = f"the one with {len(given.played)} of {given.games} games played no longer counts"
    tell(options, shown, f"{account.name} has {attempts_in_words(left)} left: {what}.", ())


def set_status(status: Status, words: str) -> Callable[[Store, Command], None]:
    def run(store: Store, options: Command) -> None:
        store.set_status(status)
        tell(options, {"status": status}, words, ())

    return run


def export(store: Store, options: Export) -> None:
    from ludus.protocols.oht.storage.sheets import grades, write_private

    rows, results = store.standings(), store.results()
    text = grades(rows, results)
    if options.json:
        attempts = [asdict(one) | {"score": one.score, "finished": one.finished} for one in results]
        text = json.dumps({"players": [asdict(row) for row in rows], "rounds": attempts}, indent=1) + "\n"
    if options.output is None:
        print(text, end="")
        return
    write_private(options.output, text)
    print(f"{len(rows)} accounts in {options.output}, which only you can read", file=sys.stderr)


BEGINNING: dict[str, tuple[type[Command], Callable[..., None]]] = {  # these may begin a new database
    "add-player": (AddPlayer, accounts.add_player),
    "add-class": (AddClass, accounts.add_class),
}
COMMANDS: dict[str, tuple[type[Command], Callable[..., None]]] = {
    "players": (Players, players),
    "new-token": (NewToken, accounts.new_token),
    "new-password": (NewPassword, accounts.new_password),
    "give-back": (GiveBack, give_back),
    "pause": (Pause, set_status("paused", "The tournament is paused: no new rounds; games being played go on.")),
    "open": (Open, set_status("open", "The tournament is open: players may begin rounds.")),
    "close": (Close, set_status("closed", "The tournament is closed: no more official attempts; the rest goes on.")),
    "export": (Export, export),
}
