"""Clients that misbehave, each in its own way, for as long as they are let."""

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.oht.crowd import LENGTH, Heard, hear, json_round, say, text_login, text_round
from tests.oht.link import Closed, Link


@dataclass(frozen=True)
class Target:
    """Where a misbehaving client connects, and an account that it may use."""

    text: int
    json: int
    context: ssl.SSLContext
    name: str
    password: str
    token: str
    address: str = "127.0.0.1"

    async def link(self, port: int) -> Link:
        return await Link.open(port, self.context, self.address)


async def silent(target: Target) -> None:
    """Connects and never begins the handshake."""
    reader, _ = await asyncio.open_connection("127.0.0.1", target.text, local_addr=(target.address, 0))
    await reader.read(1)


async def mute(target: Target) -> None:
    """Shakes hands and never says its name."""
    await (await target.link(target.text)).drained()


async def slow(target: Target) -> None:
    """Sends one byte a second: of the length of a message that would be long."""
    link = await target.link(target.json)
    for byte in LENGTH.pack(1000) + b'"' + b"x" * 998 + b'"':
        link.send(bytes([byte]))
        await asyncio.sleep(1.0)


async def flood(target: Target) -> None:
    """Logs in and sends answers without end that nobody asked for."""
    link = await target.link(target.json)
    say(link, target.token)
    say(link, False)
    while not link.over:
        link.send(b"\6\0\0\0[0, 0]" * 1600)
        await asyncio.sleep(0.001)


async def shout(target: Target) -> None:
    """Sends megabytes instead of a name."""
    link = await target.link(target.text)
    while not link.over:
        link.send(b"A" * 16384)
        await asyncio.sleep(0.001)


async def deaf(target: Target) -> None:
    """Logs in, answers blindly and reads nothing."""
    link = await target.link(target.json)
    assert link.transport
    link.transport.pause_reading()
    say(link, target.token)
    say(link, False)
    while not link.transport.is_closing():
        say(link, [random.randrange(7), random.randrange(7)])
        await asyncio.sleep(0.05)


async def guess(target: Target) -> None:
    """Tries passwords."""
    await text_login(await target.link(target.text), target.name, "wrong password", False)


async def garble(target: Target) -> None:
    """Sends what is no TLS."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.json, local_addr=(target.address, 0))
    writer.write(random.randbytes(1000))
    await reader.read()
    writer.close()


async def cheat(target: Target) -> None:
    """Plays until its third game, then sends code instead of a move."""
    link = await target.link(target.text)
    await text_login(link, target.name, target.password, False)
    game = asyncio.create_task(text_round(link, Heard(), random.Random()))
    await asyncio.wait([game], timeout=1)
    game.cancel()
    link.send(b"__import__('os').system('exit')")
    await link.drained()


async def vanish(target: Target) -> None:
    """Leaves without a word in the middle of a game."""
    link = await target.link(target.json)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(json_round(link, target.token, False, Heard(), random.Random()), random.random())
    link.cut()


async def boast(target: Target) -> None:
    """Says that two gigabytes follow."""
    link = await target.link(target.json)
    await hear(link)
    link.send(LENGTH.pack(2**31 - 1))
    await link.drained()


WAYS: tuple[Callable[[Target], Awaitable[None]], ...] = (
    silent, mute, slow, flood, shout, deaf, guess, garble, cheat, vanish, boast,
)  # fmt: skip


async def misbehave(way: Callable[[Target], Awaitable[None]], target: Target) -> None:
    """Misbehaves in one way, again and again until it is cancelled."""
    while True:
        with contextlib.suppress(Closed, OSError, ssl.SSLError):
            await way(target)
        await asyncio.sleep(0.1)
