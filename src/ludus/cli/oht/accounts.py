"""The teacher's commands about accounts: players, classes, tokens, passwords."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from ludus.cli.oht.options import AddClass, AddPlayer, NewPassword, NewToken, Secret
from ludus.cli.oht.storage import attempts_in_words, open_store, tell
from ludus.errors import LudusError

if TYPE_CHECKING:
    from ludus.protocols.oht.storage.store import Account, NewAccount, Store


def problems(database: str, new: Sequence[NewAccount]) -> list[tuple[int, str]]:
    """Which of these accounts could not be added, and why. Where there is no database yet, none is begun for it."""
    from ludus.protocols.oht.storage import accounts
    from ludus.protocols.oht.storage.store import NoTournament

    try:
        with closing(open_store(database, create=False)) as store:
            return store.problems(new)
    except NoTournament:
        return accounts.problems(None, new)


def add_player(options: AddPlayer) -> None:
    from ludus.protocols.oht.storage.passwords import new_token
    from ludus.protocols.oht.storage.store import NewAccount

    new = NewAccount(options.name, options.email, None, options.attempts, new_token()).checked()
    if wrong := problems(options.database, [new]):
        raise LudusError(wrong[0][1])  # before a password is asked for
    password = read_password(options)
    with closing(open_store(options.database, create=True)) as store:
        account = store.add_accounts([replace(new, password=password)])[0]
    shown = {"name": account.name} | ({"password": password} if options.generate else {}) | {"token": new.token}
    tell(options, shown, f"{account.name} is in the tournament, with {attempts_in_words(account.attempts)}.")


def add_class(options: AddClass) -> None:
    from ludus.protocols.oht.storage.passwords import new_password, new_token
    from ludus.protocols.oht.storage.sheets import in_one_sentence, read_class, write_secrets

    lines = read_class(options.file, options.attempts)
    if not lines:
        raise LudusError(f"{options.file} has no players: a class list has one in every line after the first")
    found = problems(options.database, [line.new for line in lines])
    if wrong := [f"line {lines[place].number}: {why}" for place, why in found]:
        raise LudusError(f"{options.file}, {in_one_sentence(wrong)}; nothing was added")
    made_up = [line.new.password is None for line in lines]
    new = [replace(x.new, password=x.new.password or new_password(), token=new_token()) for x in lines]
    write_secrets(options.output, new, made_up)
    try:
        with closing(open_store(options.database, create=True)) as store:
            store.add_accounts(new, progress(len(new), options.json))
    except BaseException:
        options.output.unlink()  # its secrets open nothing
        raise
    shown = {"added": len(new), "output": str(options.output)}
    players = "1 player" if len(new) == 1 else f"{len(new)} players"
    tell(options, shown, f"{players} added; their secrets are in {options.output}, which only you can read.", ())


def new_token(store: Store, options: NewToken) -> None:
    account = find(store, options.name)
    shown = {"name": account.name, "token": store.new_token(account.id)}
    tell(options, shown, f"{account.name} has a new token; the old one is no longer valid.")


def new_password(store: Store, options: NewPassword) -> None:
    account = find(store, options.name)
    password = read_password(options)
    store.set_password(account.id, password)
    shown = {"name": account.name} | ({"password": password} if options.generate else {})
    tell(options, shown, f"{account.name} has a new password.")


def find(store: Store, name: str) -> Account:
    """The account of a name."""
    from ludus.text import did_you_mean

    account = store.account(name)
    if account is None:
        known = [row.name for row in store.standings()]
        hint = did_you_mean(name, known) if len(known) <= 12 else "`ludus oht players` lists them"
        raise LudusError(f"there is no account {name!r}; {hint if known else 'there are no accounts yet'}")
    return account


def read_password(options: Secret) -> str:
    """A password that was made up, read or asked for."""
    from getpass import getpass

    from ludus.protocols.oht.storage.passwords import check_password, new_password

    if options.generate and options.password_stdin:
        raise LudusError("--generate makes up a password and --password-stdin reads one: choose one of them")
    if options.generate:
        return new_password()
    if options.password_stdin:
        return check_password(sys.stdin.readline().rstrip("\r\n"))
    if not sys.stdin.isatty():
        raise LudusError("there is no terminal to ask for a password: say --generate or --password-stdin")
    try:
        password = check_password(getpass("password: "))
        if getpass("the same again: ") != password:
            raise LudusError("these were two different passwords; nothing was changed")
    except EOFError:
        raise LudusError("no password was given; nothing was changed") from None
    return password


def progress(total: int, quiet: bool) -> Callable[[int], None]:
    """Says how many of the passwords are hashed, on standard error: this is slow on purpose."""

    def say(done: int) -> None:
        if not quiet and sys.stderr.isatty():
            print(f"\rhashing passwords: {done} of {total}", end="\n" if done == total else "", file=sys.stderr)

    return say
