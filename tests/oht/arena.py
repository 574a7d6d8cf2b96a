"""A server inside the event loop of a test, with small bounds, so that tests of what goes wrong are quick.

It has much time for its clients, so that a busy machine is no mistake; a test about time takes it away (`hurry`) when
those who are to be in time have done their part.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import inspect
import io
import os
import random
import time
from dataclasses import replace

from ludus.protocols.oht.results import Played
from ludus.protocols.oht.serving.archive import Archive
from ludus.protocols.oht.serving.certificate import server_context
from ludus.protocols.oht.serving.house import House
from ludus.protocols.oht.serving.line import Bounds
from ludus.protocols.oht.serving.server import Server, listen
from ludus.protocols.oht.settings import Bound, LeagueSettings, TournamentSettings
from ludus.protocols.oht.storage.store import Store
from tests.oht.crowd import Heard, hear, play_json, play_text, say, text_login
from tests.oht.link import Link, trusting
from tests.oht.logged import logger_to
from tests.oht.rounds import CHEAP

PASSWORD = "password of a test"
LONG = 100.0  # seconds, of which no test needs more than a few
SETTINGS = TournamentSettings(
    board=3, opponents=("random",), games=4, verification=("random",), verification_games=6, move_seconds=LONG
)
BOUND = Bound(connections=30, waiting=20, waiting_of_one=12, of_account=3, login_seconds=LONG, handshake_seconds=LONG)
BOUNDS = Bounds(send_seconds=LONG, close_seconds=0.3, notice_seconds=0.3)


class Arena:
    """A running server and some accounts: player0, player1, …"""

    def __init__(self, folder, settings, bound, bounds, league, players, attempts, log):
        self.folder = folder
        self.store = Store(str(folder / "oht.db"), cost=CHEAP)
        self.accounts = [self.store.add_account(f"player{n}", PASSWORD, attempts=attempts) for n in range(players)]
        self.tokens = [self.store.new_token(account.id) for account in self.accounts]
        context = server_context(folder / "server.crt", folder / "server.key", "127.0.0.1")
        self.context = trusting(folder / "server.crt")
        self.doors = {name: listen("127.0.0.1", 0) for name in ("text", "json", "league")}
        self.ports = {name: door.getsockname()[1] for name, door in self.doors.items()}
        self.log = log
        self.archive, self.house = Archive(Store(str(folder / "oht.db"), cost=CHEAP)), House(1)
        self.server = Server(settings, league, self.archive, self.house, context, bound, logger_to(log))
        self.server.bounds = bounds
        self.running = asyncio.create_task(self.server.run(self.doors))

    # --------------------------------------------------------------------------------- clients

    async def text(self, player=0, official=False, seed=0, **rest) -> Heard:
        """A client of the text protocol that plays a whole round."""
        name = self.accounts[player].name
        return await play_text(self.ports["text"], self.context, name, PASSWORD, official, seed, **rest)

    async def json(self, player=0, official=False, seed=0, door="json", **rest) -> Heard:
        return await play_json(self.ports[door], self.context, self.tokens[player], official, seed, **rest)

    async def link(self, door, address="127.0.0.1") -> Link:
        return await Link.open(self.ports[door], self.context, address)

    async def in_a_game(self, door, player=0, official=False) -> tuple[Link, list[int]]:
        """A client that has just been asked for its first move, and the state."""
        link = await self.link(door)
        if door == "text":
            await text_login(link, self.accounts[player].name, PASSWORD, official)
            while not (record := await link.record()).startswith(b"("):
                pass
            return link, [int(word) for word in record.decode().strip("()").split(",")]
        while (message := await hear(link))["topic"] != "request_action":
            if message["topic"] in ("authentication", "question"):
                say(link, self.tokens[player] if message["topic"] == "authentication" else official)
        return link, message["state"]

    @contextlib.asynccontextmanager
    async def others(self, *players: int):
        """While the block runs, these play verification rounds in both protocols, and must get all their games."""
        rounds = {
            asyncio.create_task(play(player, seed=player, pause=0.005, heard=heard)): heard
            for player in players or (6, 7)
            for play, heard in ((self.text, Heard()), (self.json, Heard()))
        }
        while not all(heard.planned or task.done() for task, heard in rounds.items()):
            await asyncio.sleep(0.001)
        yield
        async with asyncio.timeout(LONG):
            for heard in await asyncio.gather(*rounds):
                planned = self.server.qualifiers.settings.verification_games
                assert (heard.refused, len(heard.winners), sum(heard.planned)) == ("", planned, planned)
                assert heard.score == round(100 * sum(heard.won) / planned, 2)

    def hurry(self, move_seconds=LONG, **bound) -> None:
        """From now on those who log in or begin a round have little time."""
        qualifiers, server = self.server.qualifiers, self.server
        qualifiers.settings = replace(qualifiers.settings, move_seconds=move_seconds)
        server.bound = server.door.bound = replace(server.bound, **bound)

    def played(self, player=0) -> list[Played]:
        """All games of an account, in the order of its rounds."""
        rounds = [self.store.round(one.round) for one in self.store.results(self.accounts[player].id)]
        return [game for round in rounds for game in round.played]

    # --------------------------------------------------------------------------------- what is left behind

    async def calm(self) -> None:
        """Waits until every connection has ended; then nothing of them may be left."""
        door = self.server.door
        async with asyncio.timeout(LONG):
            while self.server._tasks or door.connections:
                await asyncio.sleep(0.01)
        assert (dict(door.inside), door.waiting, door.names.lines, door.checks.lines) == ({}, {}, {}, {})
        assert not self.server.qualifiers.playing and not self.server.qualifiers.progress.players
        assert not self.server.league.players

    async def end(self) -> None:
        self.running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.running
        self.house.close()
        self.archive.close()
        self.store.close()
        for door in self.doors.values():
            door.close()


def in_arena(settings=None, bound=None, bounds=None, league=None, players=8, attempts=5, calm=True, quiet=True):
    """Runs a test, a coroutine that gets an arena, in a loop of its own; afterwards nothing may be left behind."""

    def decorate(test):
        async def run(folder, **values):
            tasks, files = len(asyncio.all_tasks()), open_files()
            log = io.StringIO()
            arena = Arena(
                folder,
                replace(SETTINGS, **(settings or {})),
                replace(BOUND, **(bound or {})),
                replace(BOUNDS, **(bounds or {})),
                LeagueSettings(**(league or {})),
                players,
                attempts,
                log,
            )
            try:
                async with asyncio.timeout(3 * LONG):
                    await test(arena, **values)
                    if calm:
                        await arena.calm()
            finally:
                await arena.end()
            end = time.monotonic() + LONG
            while (len(asyncio.all_tasks()), open_files()) != (tasks, files) and time.monotonic() < end:
                await asyncio.sleep(0.01)  # a connection that was cut closes its socket a moment later
                gc.collect()
            assert (len(asyncio.all_tasks()), open_files()) == (tasks, files)
            assert not quiet or log.getvalue() == "", "a client should not be able to write into the log"

        @functools.wraps(test)
        def wrapper(tmp_path, **values):
            random.seed(1)
            asyncio.run(run(tmp_path, **values))

        parameters = list(inspect.signature(test).parameters.values())[1:]
        first = inspect.Parameter("tmp_path", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        wrapper.__signature__ = inspect.Signature([first, *parameters])
        return wrapper

    return decorate


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))
