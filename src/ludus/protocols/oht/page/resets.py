"""Requests for a new token. The temporary token goes to the address of the account by mail, and nowhere else.

Without a mail program the teacher reads in the server's terminal who asks, and makes a new token by hand. What the
visitor hears never depends on whether there is such an account, nor does the time it takes.
"""

from __future__ import annotations

import asyncio
import logging
import shlex
import subprocess
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default

from ludus.errors import LudusError
from ludus.protocols.oht.serving.archive import Archive
from ludus.protocols.oht.serving.pace import Pace
from ludus.protocols.oht.settings import PageSettings
from ludus.protocols.oht.storage.accounts import Account

WAITING = 200  # requests that are worked on at once, at most
MAIL_SECONDS = 60.0
MAILERS = 4  # mail programs that run at once
EACH_HOUR = 3  # messages to one account
MAILED = "If there is an account with this address, a temporary token is on its way to it. It is valid for an hour."
TOLD = "If there is an account with this address, your teacher has been told that you need a new token."


class Resets:
    """Works on requests in the background."""

    def __init__(self, archive: Archive, settings: PageSettings, log: logging.Logger) -> None:
        self.archive, self.log = archive, log
        self.command = settings.mail_words
        self.answer = MAILED if self.command else TOLD
        self._often = Pace(EACH_HOUR / 3600, EACH_HOUR)
        self._mailers = asyncio.Semaphore(MAILERS)
        self._tasks: set[asyncio.Task[None]] = set()

    def request(self, email: str) -> bool:
        """Begins to work on a request; False if there are too many."""
        if len(self._tasks) >= WAITING:
            return False
        task = asyncio.create_task(self._serve(email))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _serve(self, email: str) -> None:
        try:
            account = await self.archive.ask(self.archive.store.by_email, email)
            if account is None or self._often.take(account.id):
                return
            if not self.command:
                self.log.warning(
                    f"{account.name} asks for a new token: ludus oht new-token {shlex.quote(account.name)}"
                )
                return
            token = await self.archive.ask(self.archive.store.begin_reset, email)
            if token is not None:
                async with self._mailers:
                    await self._mail(account, message_to(account, token))
        except LudusError as error:
            self.log.warning(f"a request for a new token failed: {error}")

    async def _mail(self, account: Account, message: bytes) -> None:
        """Gives a message to the mail program. Nothing that the program says is shown: it could repeat the token."""
        try:
            program = await asyncio.create_subprocess_exec(
                *self.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise LudusError(f"the mail program cannot be started: {(error.strerror or str(error)).lower()}") from None
        try:
            await asyncio.wait_for(program.communicate(message), MAIL_SECONDS)
        except TimeoutError:
            raise LudusError(f"the mail program took more than {MAIL_SECONDS:g} seconds for {account.name}") from None
        finally:
            if program.returncode is None:
                program.kill()
                await program.wait()
        if program.returncode:
            raise LudusError(f"the mail program ended with status {program.returncode} for {account.name}")

    async def close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def message_to(account: Account, token: str) -> bytes:
    """The message with the temporary token. It goes to the address that was stored, not to the one that was typed."""
    message = EmailMessage(default.clone(utf8=True, max_line_length=900))  # no line is broken
    message["Subject"] = "Your temporary token for the tournament"
    try:
        message["To"] = Address(addr_spec=account.email)
    except (MessageError, ValueError, IndexError):
        raise LudusError(f"no mail can be sent to the address of {account.name}") from None
    message.set_content(
        f"Somebody, probably you, has asked for a new token for the account {account.name}.\n\n"
        f"Temporary token: {token}\n\n"
        "It is valid once, and for an hour. The client of the course turns it into a new token:\n"
        f"    python3 ActorClient.py reset-token --temp-token {token}\n\n"
        "If you have not asked for it, do nothing: your token remains as it is.\n"
    )
    return message.as_bytes()
