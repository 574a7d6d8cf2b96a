"""How a client logs in and says what it wants to play, in each of the two protocols."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from ludus.errors import LudusError
from ludus.monitor.logs import about
from ludus.monitor.metrics import Counter
from ludus.protocols.oht.results import Kind
from ludus.protocols.oht.serving.archive import Archive
from ludus.protocols.oht.serving.doorkeeper import Doorkeeper, Visit
from ludus.protocols.oht.serving.json_wire import JsonWire
from ludus.protocols.oht.serving.text_wire import ASK_NAME, ASK_NICKNAME, ASK_PASSWORD, REFUSED, TextWire
from ludus.protocols.oht.storage.accounts import Account
from ludus.protocols.oht.storage.names import check_name, key_of

CROWDED = "this account has too many connections already; close one of them"
PAUSED = "the tournament is paused; try again later"
CLOSED = "the time for official attempts is over; answer n to play a verification round"


class Refused(Exception):
    """The client may not come in, or may not play what it asks for. The message says why, in a sentence."""


@dataclass(frozen=True)
class Guest:
    """A client that is logged in: its account and the nickname of this session."""

    account: Account
    nickname: str


class Login:
    """The dialogues of both protocols."""

    def __init__(self, archive: Archive, door: Doorkeeper, log: logging.Logger) -> None:
        self.archive, self.door, self.store, self.log = archive, door, archive.store, log
        self.logins = Counter("protocol", "result")

    async def by_text(self, wire: TextWire, visit: Visit) -> Guest:
        """Username, password and nickname by prompts. Raises Refused when the client has been told to leave."""
        seconds = self.door.bound.login_seconds
        name = (await wire.question(ASK_NAME, seconds))[:64]
        password = await wire.question(ASK_PASSWORD, seconds)
        key = key_of(name)  # in whatever spelling: it is the same account
        async with self.door.slowly(visit.address, key, wire.line.stay):
            account = await self.archive.check(self.store.by_password, name, password)
        if account is None:
            self._note("text", visit, None)
            await self.door.failed(visit.address, key, wire.line.stay)
            await wire.say(REFUSED)
            raise Refused("a wrong name or password")
        self.door.right(visit.address, key)
        if not self.door.admit(visit, account.id):
            await wire.refuse(CROWDED)
            raise Refused(CROWDED)
        self._note("text", visit, account)
        nickname = nickname_of(await wire.question(ASK_NICKNAME, seconds), account)
        if nickname != account.handle:  # the standings show the nickname that was chosen last
            await self.archive.ask(self.store.set_handle, account.id, nickname)
        return Guest(account, nickname)

    async def by_token(self, wire: JsonWire, visit: Visit) -> Guest:
        """The token of a JSON client; its nickname is the handle that it has set through the REST API.

        No token can be guessed, so a right one never waits for the wrong ones of others.
        """
        token = await wire.authenticate(self.door.bound.login_seconds)
        account = await self.archive.ask(self.store.by_token, token)
        if account is None:
            self._note("json", visit, None)
            await self.door.failed(visit.address, "token", wire.line.stay)
            await wire.refuse("this token is not valid; ask your teacher for a new one")
            raise Refused("a wrong token")
        if not self.door.admit(visit, account.id):
            await wire.refuse(CROWDED)
            raise Refused(CROWDED)
        self._note("json", visit, account)
        return Guest(account, account.handle)

    def _note(self, protocol: str, visit: Visit, account: Account | None) -> None:
        """Counts a login. What was typed is not written down: it may be a password in the wrong place."""
        self.logins.add(protocol, "right" if account else "wrong")
        if account is None:
            self.log.info("a login was wrong", extra=about(protocol=protocol, address=visit.address))
        else:
            self.log.info("a player has logged in", extra=about(protocol=protocol, account=account.id))

    async def wish_by_text(self, wire: TextWire, guest: Guest) -> Kind:
        """Official attempt or verification round? Asked with the word `qualify`, by which the client knows it."""
        prompt = f"{await self._question(guest)}Type one of the two: "
        answer = await wire.question(prompt, self.door.bound.login_seconds)
        return await self._allowed("official" if answer.strip().lower() in ("y", "yes", "") else "verification")

    async def wish_by_json(self, wire: JsonWire, guest: Guest) -> Kind:
        answer = await wire.question("qualify", await self._question(guest), self.door.bound.login_seconds)
        return await self._allowed("official" if answer else "verification")

    async def _question(self, guest: Guest) -> str:
        left = await self.archive.ask(self.store.attempts_left, guest.account.id)
        unfinished = await self.archive.ask(self.store.unfinished, guest.account.id)
        goes_on = " Your last attempt was interrupted: it goes on where it stopped, at no charge." if unfinished else ""
        return (
            f"Do you want to play an official round to qualify? You have {left} remaining "
            f"attempt{'s' if left != 1 else ''}.{goes_on} (Y/n) "
        )

    async def _allowed(self, kind: Kind) -> Kind:
        status = await self.archive.ask(self.store.status)
        if status == "paused":
            raise Refused(PAUSED)
        if status == "closed" and kind == "official":
            raise Refused(CLOSED)
        return kind


def nickname_of(text: str, account: Account) -> str:
    """The nickname that a player has chosen. One that cannot be printed, or the username, which clients send for want
    of another, is no choice: the handle stays as it is."""
    try:
        chosen = check_name(text)
    except LudusError:
        return account.handle
    return account.handle if key_of(chosen) == key_of(account.name) else chosen
