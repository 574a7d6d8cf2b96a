"""The server: one event loop that listens on a port for each protocol and has a task for every connection."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable

from ludus.errors import BadOption
from ludus.monitor.logs import about
from ludus.monitor.metrics import Counter
from ludus.protocols.oht.serving.archive import Archive
from ludus.protocols.oht.serving.doorkeeper import Doorkeeper, Visit, neighbourhood
from ludus.protocols.oht.serving.house import House
from ludus.protocols.oht.serving.league import LOG, League
from ludus.protocols.oht.serving.line import Bounds, Gone, Late, Line, Nonsense
from ludus.protocols.oht.serving.login import Login, Refused
from ludus.protocols.oht.serving.pace import Pace
from ludus.protocols.oht.serving.qualifiers import Qualifiers
from ludus.protocols.oht.serving.session import Session
from ludus.protocols.oht.settings import Bound, LeagueSettings, Protocol, TournamentSettings
from ludus.system import keep_alive

Talk = Callable[[Session], Awaitable[None]]
CONNECTS_PER_SECOND, CONNECTS_AT_ONCE = 50, 700  # from one address, which a class may share
TALKS: dict[Protocol, Talk] = {"text": Session.text, "json": Session.json, "league": Session.join_league}


class Server:
    """Everything that runs while the tournament is open."""

    def __init__(
        self,
        settings: TournamentSettings,
        league: LeagueSettings,
        archive: Archive,
        house: House,
        context: ssl.SSLContext,
        bound: Bound | None = None,
        log: logging.Logger = LOG,
    ) -> None:
        game = settings.make_game()
        self.bound, self.context, self.log = bound or Bound(), context, log
        self.archive, self.house = archive, house
        self.door = Doorkeeper(self.bound)
        self.login = Login(archive, self.door, log)
        self.qualifiers = Qualifiers(settings, game, archive, house)
        self.league = League(league, game, archive, log)
        self.bounds = Bounds()
        self.pace = Pace(CONNECTS_PER_SECOND, CONNECTS_AT_ONCE)
        self.connected, self.turned_away, self.errors = Counter("door"), Counter("door"), Counter("where")
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def agents(self) -> list[str]:
        """The agents of the house that players meet."""
        settings = self.qualifiers.settings
        return [*settings.opponents, *settings.verification]

    async def run(self, doors: dict[Protocol, socket.socket]) -> None:
        """Serves until it is cancelled. Games that are being played then were not played: they begin anew."""
        self.house.expect(self.agents)
        try:
            async with asyncio.TaskGroup() as group:
                for protocol, door in doors.items():
                    group.create_task(self._listen(door, protocol))
                group.create_task(self.league.run())
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self, door: socket.socket, protocol: Protocol) -> None:
        """Accepts connections. One that is too many is closed before it costs anything."""
        loop = asyncio.get_running_loop()
        door.setblocking(False)
        while True:
            await asyncio.sleep(0)  # sock_accept alone does not let others run as long as connections wait
            try:
                connection, where = await loop.sock_accept(door)
            except OSError:  # out of file descriptors, or the client has left again
                await asyncio.sleep(0.1)
                continue
            address = neighbourhood(str(where[0]))
            visit = None if self.pace.take(address) else self.door.enter(address)
            if visit is None:
                self.turned_away.add(protocol)
                connection.close()
                continue
            self.connected.add(protocol)
            self.log.debug("a connection", extra=about(door=protocol, address=address))
            task = asyncio.create_task(self._serve(connection, visit, TALKS[protocol]))
            visit.end = task.cancel
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, connection: socket.socket, visit: Visit, talk: Talk) -> None:
        """One connection, from the handshake to the end. Whatever goes wrong ends this connection only."""
        line = None
        try:
            settle(connection)
            line = await Line.open(connection, self.context, self.bounds, self.bound.handshake_seconds)
            await talk(Session(line, visit, self.login, self.qualifiers, self.league))
        except (Gone, Late, Nonsense, Refused, OSError, ssl.SSLError, TimeoutError):
            pass  # the client has left, or was told to
        except Exception as error:
            self.errors.add("connection")
            self.log.error(f"a connection ended by an error: {type(error).__name__}: {error}", exc_info=True)
        finally:
            await self._part(line, connection, visit)

    async def _part(self, line: Line | None, connection: socket.socket, visit: Visit) -> None:
        """Closes a connection, and only then gives its place away."""
        try:
            if line and not visit.put_out:
                await line.close()
        finally:
            line.abort() if line else connection.close()
            self.door.leave(visit)


def listen(host: str, port: int) -> socket.socket:
    """An open socket on exactly this port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
        door.listen(512)
    except (OSError, UnicodeError) as error:  # a name that no host can have is one of the latter
        door.close()
        why = getattr(error, "strerror", None) or "this is not the name of a host"
        raise BadOption(f"cannot listen on {host}, port {port}: {why.lower()}") from None
    return door


def settle(connection: socket.socket) -> None:
    """Sets up an accepted connection: small messages go at once, and clients that are gone are noticed."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)  # else one that does not read fills megabytes
    keep_alive(connection)
