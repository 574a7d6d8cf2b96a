"""Accounts in the database: who they are, and the secrets by which they log in. Only hashes of secrets are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from ludus.errors import LudusError
from ludus.protocols.oht.storage.names import check_attempts, check_email, check_name, email_key, key_of, name_key
from ludus.protocols.oht.storage.passwords import check_password, fingerprint, new_token
from ludus.protocols.oht.storage.tables import accounts, resets

RESET_LIFE = 3600.0  # seconds that a temporary token is valid
MOST_RESETS = 5  # temporary tokens of one account that are valid at once


@dataclass(frozen=True)
class Account:
    """One player."""

    id: int
    name: str
    email: str
    handle: str  # the nickname, by which others see the player
    attempts: int  # official attempts that were granted, not those that are left


@dataclass(frozen=True)
class NewAccount:
    """An account that is to be made."""

    name: str
    email: str = ""
    password: str | None = None  # None: the account logs in with its token only
    attempts: int = 5
    token: str | None = None  # None: it gets one later

    def checked(self) -> NewAccount:
        """The same in its one spelling; what we do not accept is refused."""
        if self.password is not None:
            check_password(self.password)
        return replace(
            self,
            name=check_name(self.name),
            email=check_email(self.email),
            attempts=check_attempts(self.attempts),
        )


COLUMNS = (accounts.c.id, accounts.c.name, accounts.c.email, accounts.c.handle, accounts.c.attempts)


def add(connection: Connection, new: NewAccount, hashed: str | None, now: float) -> Account:
    """A new account, of checked values; its handle is its name until it chooses another."""
    refuse_taken(connection, new)
    row = {
        "name": new.name,
        "name_key": key_of(new.name),
        "email": new.email,
        "email_key": email_key(new.email),
        "handle": new.name,
        "attempts": new.attempts,
        "password": hashed,
        "token": None if new.token is None else fingerprint(new.token),
        "made": now,
    }
    key = connection.execute(insert(accounts).values(row)).inserted_primary_key
    assert key is not None
    return Account(key[0], new.name, new.email, new.name, new.attempts)


def problems(connection: Connection | None, new: Sequence[NewAccount]) -> list[tuple[int, str]]:
    """Which of these accounts, by their place in the list, cannot be made, and why. Without a database nobody is
    in it."""
    found: list[tuple[int, str]] = []
    seen: dict[tuple[str, str], NewAccount] = {}
    for place, one in enumerate(new):
        try:
            one = one.checked()
            if connection is not None:
                refuse_taken(connection, one)
            for kind, what in (("name", one.name), ("email", one.email)):
                if what and seen.setdefault((kind, key_of(what)), one) is not one:
                    raise LudusError(f"{what!r} is in the list twice")
        except LudusError as error:
            found.append((place, str(error)))
    return found


def refuse_taken(connection: Connection, new: NewAccount) -> None:
    """Refuses a name or an address that another account has."""
    if by_key(connection, key_of(new.name)) is not None:
        raise LudusError(f"there is an account {new.name!r} already")
    taken = select(accounts.c.name).where(accounts.c.email_key == key_of(new.email))
    if new.email and (owner := connection.execute(taken).scalar()) is not None:
        raise LudusError(f"the address {new.email!r} belongs to the account {owner!r} already")


def account_of(row: Any) -> Account | None:
    return None if row is None else Account(*row)


def by_key(connection: Connection, key: str) -> Account | None:
    return account_of(connection.execute(select(*COLUMNS).where(accounts.c.name_key == key)).first())


def by_name(connection: Connection, name: str) -> Account | None:
    key = name_key(name)
    return None if key is None else by_key(connection, key)


def by_token(connection: Connection, token: str) -> Account | None:
    return account_of(connection.execute(select(*COLUMNS).where(accounts.c.token == fingerprint(token))).first())


def by_email(connection: Connection, email: str) -> Account | None:
    key = email_key(email)
    found = select(*COLUMNS).where(accounts.c.email_key == key)
    return None if key is None else account_of(connection.execute(found).first())


def with_hash(connection: Connection, name: str) -> tuple[Account | None, str | None]:
    """The account of a name, and the hash of its password."""
    account = by_name(connection, name)
    if account is None:
        return None, None
    return account, connection.execute(select(accounts.c.password).where(accounts.c.id == account.id)).scalar()


def change(connection: Connection, account: int, **values: str) -> None:
    """Changes columns of an account."""
    if connection.execute(update(accounts).where(accounts.c.id == account).values(values)).rowcount == 0:
        raise LudusError(f"there is no account with the number {account}")


def renew_token(connection: Connection, account: int) -> str:
    """A new token. The old one, and temporary ones that were sent out, are no longer valid."""
    token = new_token()
    change(connection, account, token=fingerprint(token))
    connection.execute(delete(resets).where(resets.c.account == account))
    return token


def begin_reset(connection: Connection, email: str, now: float) -> str | None:
    """A temporary token for the account with this address; None if there is none."""
    key = email_key(email)
    owner = select(accounts.c.id).where(accounts.c.email_key == key).with_for_update()
    account = None if key is None else connection.execute(owner).scalar()
    if account is None:
        return None
    latest = select(resets.c.temporary).where(resets.c.account == account, resets.c.expires > now)
    latest = latest.order_by(resets.c.expires.desc()).limit(MOST_RESETS - 1)
    kept = list(connection.execute(latest).scalars())
    connection.execute(delete(resets).where(resets.c.account == account, resets.c.temporary.not_in(kept)))
    token = new_token()
    row = {"temporary": fingerprint(token), "account": account, "expires": now + RESET_LIFE}
    connection.execute(insert(resets).values(row))
    return token


def finish_reset(connection: Connection, temporary: str, now: float) -> str | None:
    """A new token for a temporary one, which is used up; None if that one is unknown or too old."""
    valid = (resets.c.temporary == fingerprint(temporary), resets.c.expires > now)
    account = connection.execute(select(resets.c.account).where(*valid)).scalar()
    if account is None:
        return None
    # The account is locked before its temporary tokens, here as elsewhere, so that two requests do not deadlock.
    connection.execute(select(accounts.c.id).where(accounts.c.id == account).with_for_update())
    used_up = connection.execute(delete(resets).where(*valid)).rowcount == 1
    return renew_token(connection, account) if used_up else None
