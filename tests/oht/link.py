"""A TLS connection of a client that keeps the records apart."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import deque
from typing import Any


class Closed(Exception):
    """The server has closed the connection, or it was lost."""


def trusting(certificate: Any) -> ssl.SSLContext:
    """What a client uses: it trusts this certificate and no other, and does not look at the name of the host."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(certificate)
    return context


class Link(asyncio.Protocol):
    """A TLS connection that keeps the records apart, as one recv() of a blocking socket does."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing)
        self.records: deque[bytes] = deque()
        self.over = self.ready = False
        self.transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._rest = b""

    @classmethod
    async def open(cls, port: int, context: ssl.SSLContext, address: str = "127.0.0.1") -> Link:
        """Connects and shakes hands. `address` is where the client comes from; every 127.x.y.z is this machine."""
        loop = asyncio.get_running_loop()
        _, link = await loop.create_connection(lambda: cls(context), "127.0.0.1", port, local_addr=(address, 0))
        link._step()
        while not link.ready:
            await link._wait()
        return link

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        # As the clients of the course: what is small waits until what was sent before is acknowledged.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)

    def data_received(self, data: bytes) -> None:
        self.incoming.write(data)
        self._step()
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        self.over = True
        self._wake()

    def _step(self) -> None:
        """Goes on with the handshake, then reads records."""
        try:
            if not self.ready:
                self.tls.do_handshake()
                self.ready = True
            while record := self.tls.read(1024):
                self.records.append(record)
            self.over = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:
            self.over = True
        self._flush()

    def _flush(self) -> None:
        if self.transport and (data := self.outgoing.read()):
            self.transport.write(data)

    def _wake(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)

    async def _wait(self) -> None:
        if self.over:
            raise Closed
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    async def record(self) -> bytes:
        """The next TLS record; raises Closed at the end of the connection."""
        while not self.records:
            await self._wait()
        return self.records.popleft()

    async def exactly(self, count: int) -> bytes:
        """The next bytes, from however many records."""
        while len(self._rest) < count:
            self._rest += await self.record()
        part, self._rest = self._rest[:count], self._rest[count:]
        return part

    async def drained(self) -> list[bytes]:
        """All records up to the end of the connection."""
        read: list[bytes] = []
        try:
            while True:
                read.append(await self.record())
        except Closed:
            return read

    def send(self, data: bytes) -> None:
        """One TLS record."""
        self.tls.write(data)
        self._flush()

    def cut(self) -> None:
        """Ends the connection without a word of TLS."""
        assert self.transport
        self.transport.abort()
