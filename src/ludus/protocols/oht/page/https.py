"""HTTPS within bounds: connections are counted before they are encrypted, and none may take for ever."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from ludus.monitor.metrics import Counter
from ludus.protocols.oht.serving.doorkeeper import Doorkeeper, Visit, neighbourhood
from ludus.protocols.oht.serving.pace import Pace
from ludus.protocols.oht.serving.server import settle
from ludus.protocols.oht.settings import Bound

# A class behind one address, each with a few connections of its browser.
BOUND = Bound(connections=1000, waiting=1000, waiting_of_one=700, handshake_seconds=10.0)
CONNECTS_PER_SECOND, CONNECTS_AT_ONCE = 50, 700  # from one address
EXCHANGE_SECONDS = 60.0  # for a request and its answer, from the first byte to the last; also to the first request
IDLE_SECONDS = 10  # that a connection is kept for the next request
HEADER_BYTES = 16_384
LEAVE_SECONDS = 1.0  # for answers that are being sent when the server stops
SILENT = logging.Logger("silent")  # uvicorn would print a traceback for every request that ends with the server
SILENT.addHandler(logging.NullHandler())


class Exchange(H11Protocol):
    """One connection. Whoever is too slow, in asking or in reading the answer, is cut off."""

    def __init__(self, config: uvicorn.Config, state: ServerState) -> None:
        super().__init__(config=config, server_state=state, app_state={}, _loop=asyncio.get_running_loop())
        self.logger = SILENT
        self.begun, self.closed = False, asyncio.Event()
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin_anew()

    def on_response_complete(self) -> None:
        self._begin_anew()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline:
            self._deadline.cancel()
        self.closed.set()
        super().connection_lost(exc)

    def _begin_anew(self) -> None:
        if self._deadline:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(EXCHANGE_SECONDS, self.cut)

    def cut(self) -> None:
        if self.transport is not None:
            self.transport.abort()


class Https:
    """Serves an application on an open socket."""

    def __init__(self, app: ASGIApp, door: socket.socket, context: ssl.SSLContext, connected: Counter) -> None:
        self.door, self.context, self.connected = door, context, connected
        self.config = uvicorn.Config(
            app,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",  # what a visitor does wrong is not worth a line
            access_log=False,  # addresses hold temporary tokens
            server_header=False,
            timeout_keep_alive=IDLE_SECONDS,
            h11_max_incomplete_event_size=HEADER_BYTES,
        )
        self.config.load()
        self.state = ServerState()
        self.keeper = Doorkeeper(BOUND)
        self.pace = Pace(CONNECTS_PER_SECOND, CONNECTS_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serves until it is cancelled."""
        loop = asyncio.get_running_loop()
        self.door.setblocking(False)
        try:
            while True:
                await asyncio.sleep(0)  # sock_accept alone does not let others run as long as connections wait
                try:
                    connection, where = await loop.sock_accept(self.door)
                except OSError:  # out of file descriptors, or the visitor has left again
                    await asyncio.sleep(0.1)
                    continue
                self._receive(connection, neighbourhood(str(where[0])))
        finally:
            await self._close()

    def _receive(self, connection: socket.socket, address: str) -> None:
        """One connection that is too many is closed before it costs anything."""
        visit = None if self.pace.take(address) else self.keeper.enter(address)
        if visit is None:
            connection.close()
            return
        self.connected.add("api")
        exchange = Exchange(self.config, self.state)
        task = asyncio.create_task(self._serve(connection, exchange))
        visit.end = task.cancel
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._part(task, connection, exchange, visit))

    async def _serve(self, connection: socket.socket, exchange: Exchange) -> None:
        exchange.begun = True
        with contextlib.suppress(OSError, ssl.SSLError, TimeoutError):  # no handshake
            settle(connection)
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: exchange,
                connection,
                ssl=self.context,
                ssl_handshake_timeout=BOUND.handshake_seconds,
                ssl_shutdown_timeout=LEAVE_SECONDS,
            )
            await exchange.closed.wait()

    def _part(self, task: asyncio.Task[None], connection: socket.socket, exchange: Exchange, visit: Visit) -> None:
        """A connection has ended, or had to, perhaps before its handshake or even before its task had begun."""
        self._tasks.discard(task)
        self.keeper.leave(visit)
        exchange.cut()
        with contextlib.suppress(OSError):  # a transport in its handshake sees the end and closes the socket
            connection.shutdown(socket.SHUT_RDWR)
        if not exchange.begun:
            connection.close()

    async def _close(self) -> None:
        """Lets answers be sent that are on their way, for a moment."""
        exchanges = [one for one in self.state.connections if isinstance(one, Exchange)]
        for one in exchanges:
            one.shutdown()
        if self.state.tasks:
            await asyncio.wait(self.state.tasks, timeout=LEAVE_SECONDS)
        for one in exchanges:
            one.cut()
        tasks = [*self.state.tasks, *self._tasks]
        for task in tasks:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)
