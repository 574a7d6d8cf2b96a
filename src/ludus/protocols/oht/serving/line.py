"""A connection to one client, encrypted and with bounds: how long it may take to answer, how much it may say.

It does the encryption itself, on top of a plain asyncio transport, because the text protocol needs one TLS record for
every item: records are made one by one here, and all those that are ready go out in one piece.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections import deque
from dataclasses import dataclass

PIECE = bytearray(16384)  # what is read from any connection goes through here, and on at once

# Bytes that may wait to be sent beyond those at which `send` waits. There are more only if TLS itself answers records
# of a client that does not read: requests for new keys, again and again.
SLACK = 4 * len(PIECE)

# Acknowledges at once what has come. The JSON client of the course sends each answer in two pieces, the second only
# when the first is acknowledged, which a system otherwise puts off for 40 ms.
QUICKLY: int | None = getattr(socket, "TCP_QUICKACK", None)


class Gone(Exception):
    """The connection is lost, or the client does not read what it is sent."""


class Late(Exception):
    """The client has not answered in time."""


class Nonsense(Exception):
    """The client has sent something that is no answer. `said` is what it sent, shortened."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said[:80]


@dataclass(frozen=True)
class Bounds:
    """What one client may do."""

    send_seconds: float = 10.0  # until it has read what it was sent
    close_seconds: float = 2.0  # until it has closed its side, too
    notice_seconds: float = 60.0  # at most, until it has noticed that its session is over
    bytes: int = 1024  # of one answer, and that may wait unread
    unread: int = 65536  # bytes that it was sent, and has not read
    ignored: int = 65536  # bytes that it may still send while it is waited for at the end


class Line(asyncio.BufferedProtocol):
    """Sends and receives bytes. Everything handed to `send` becomes a TLS record of its own."""

    def __init__(self, context: ssl.SSLContext, bounds: Bounds) -> None:
        self.bounds = bounds
        self.gone = ""  # why the connection is lost, once it is
        self._loop = asyncio.get_running_loop()
        self._coming, self._going = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._coming, self._going, server_side=True)
        self._records: deque[bytes] = deque()  # what the client has said and nobody has asked for yet
        self._waiting = 0  # bytes in them
        self._ignored: int | None = None  # bytes that were thrown away, since they no longer matter
        self._encrypted = self._full = self._paused = self._flushing = False
        self._waiters: list[asyncio.Future[None]] = []
        self._over = asyncio.Event()
        self._transport: asyncio.Transport

    @classmethod
    async def open(cls, connection: socket.socket, context: ssl.SSLContext, bounds: Bounds, seconds: float) -> Line:
        """The line on a connection that was accepted, after the handshake; raises Gone or Late."""
        line = cls(context, bounds)
        await line._loop.connect_accepted_socket(lambda: line, connection)
        try:
            until = line._loop.time() + seconds
            while not line._encrypted:
                await line._wait(until)
        except BaseException:
            line._transport.abort()
            raise
        return line

    # --------------------------------------------------------------------------------- what the server does

    @property
    def lost(self) -> bool:
        """Is the connection known to be lost?"""
        return bool(self.gone)

    async def send(self, *records: bytes) -> None:
        """Sends each of these in a TLS record of its own; waits while too much of what was sent before is unread."""
        try:
            for record in records if not self.gone else ():
                self._tls.write(record)
            self._flush_soon()
            until = self._loop.time() + self.bounds.send_seconds
            while self._full:
                await self._wait(until)
        except Late:
            raise Gone("the client does not read") from None
        except ssl.SSLError as error:
            self._end(str(error))
        if self.gone:
            raise Gone(self.gone)

    async def receive(self, seconds: float) -> bytes:
        """What the client sends next, in one record; at most one byte more than is allowed."""
        if not self._records:
            until = self._loop.time() + seconds
            while not self._records:
                await self._wait(until)
        record = self._records.popleft()
        self._taken(len(record))
        return record

    async def receive_exactly(self, count: int, seconds: float) -> bytes:
        """The next `count` bytes, from however many records; `count` is no more than is allowed."""
        until = self._loop.time() + seconds
        while self._waiting < count:
            await self._wait(until)
        said = b"".join(self._records)
        self._records = deque([said[count:]] if len(said) > count else ())
        self._taken(count)
        return said[:count]

    async def lasts(self, seconds: float) -> bool:
        """Waits for some time, or until the connection is lost; is it still there?"""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)
        return not self.gone

    async def stay(self, seconds: float) -> None:
        """Waits for some time; raises Gone as soon as the connection is lost."""
        if not await self.lasts(seconds):
            raise Gone(self.gone)

    def drop(self) -> None:
        """Ends the connection; whoever waits for it sees that it is gone."""
        self._close_tls()
        self._transport.close()
        self._end("the connection was closed")

    async def close(self) -> None:
        """Closes the connection in good order; by force if the client does not close its side soon."""
        self._close_tls()
        await self.linger(self.bounds.close_seconds)
        self.abort()

    def abort(self) -> None:
        """Ends the connection at once, without closing TLS in good order."""
        self._transport.abort()
        self._end("the connection was ended")

    async def linger(self, seconds: float) -> None:
        """Throws away what comes, for some time or until the client closes.

        If we closed first, a client that is still sending its last answer would get an error instead of our last words.
        """
        self._flush()
        self._ignored = self._ignored or 0
        self._records.clear()
        self._taken(self._waiting)
        await self.lasts(seconds)

    # --------------------------------------------------------------------------------- what the transport tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._socket: socket.socket = transport.get_extra_info("socket")
        transport.set_write_buffer_limits(high=self.bounds.unread)

    def get_buffer(self, sizehint: int) -> bytearray:
        return PIECE

    def buffer_updated(self, nbytes: int) -> None:
        if QUICKLY is not None:  # the system forgets it, so it is said again every time
            self._socket.setsockopt(socket.IPPROTO_TCP, QUICKLY, 1)
        if not self.gone:
            self._coming.write(memoryview(PIECE)[:nbytes])
            self._read()

    def eof_received(self) -> None:
        self._coming.write_eof()
        self._read()

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        self._end(str(error or "the client has closed the connection"))

    # --------------------------------------------------------------------------------- in between

    def _read(self) -> None:
        """Goes on with the handshake, or takes records until as many bytes wait as are allowed."""
        try:
            if not self._encrypted:
                self._tls.do_handshake()
                self._encrypted = True
            while self._waiting <= self.bounds.bytes:
                record = self._tls.read(self.bounds.bytes + 1)
                if not record:
                    self._end("the client has closed the connection")
                    break
                self._heard(record)
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError as error:
            self._end(error.reason or str(error))
        self._flush()
        if self._transport.get_write_buffer_size() > self.bounds.unread + SLACK:
            self._end("the client does not read")
            self._transport.abort()
        self._pause_if(bool(self.gone) or self._waiting > self.bounds.bytes)
        self._wake()

    def _heard(self, record: bytes) -> None:
        if self._ignored is None:
            self._records.append(record)
            self._waiting += len(record)
            return
        self._ignored += len(record)
        if self._ignored > self.bounds.ignored:
            self._end("the client does not stop talking")
            self._transport.abort()

    def _taken(self, count: int) -> None:
        """The server has used some of what the client said: there is room for more."""
        self._waiting -= count
        if self._paused and not self.gone:
            self._read()

    def _pause_if(self, much: bool) -> None:
        if much != self._paused and not self._transport.is_closing():
            self._paused = much
            self._transport.pause_reading() if much else self._transport.resume_reading()

    def _flush_soon(self) -> None:
        """Writes in the next turn of the event loop, so that what is sent until then goes out in one piece.

        It writes at once if the piece gets long.
        """
        if self._going.pending > len(PIECE):
            self._flush()
        elif not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        if (data := self._going.read()) and not self._transport.is_closing():
            self._transport.write(data)

    def _close_tls(self) -> None:
        """Tells the client that nothing more follows (TLS's close_notify); it need not answer."""
        if self._encrypted and not self.gone:
            with contextlib.suppress(ssl.SSLError):
                self._tls.unwrap()
        self._flush()

    async def _wait(self, until: float) -> None:
        """Waits until anything happens on the connection; raises Late when it is too late, Gone when it is lost."""
        if self.gone:
            raise Gone(self.gone)
        waiter = self._loop.create_future()
        self._waiters.append(waiter)
        timer = self._loop.call_at(until, expire, waiter)
        try:
            await waiter
        finally:
            timer.cancel()

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _end(self, why: str) -> None:
        self.gone = self.gone or why
        self._over.set()
        self._pause_if(True)  # nothing more is read
        self._wake()


def expire(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_exception(Late())
