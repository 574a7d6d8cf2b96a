"""A server of the tournament with all its ports, in a thread, for tests of the standings and the REST interface."""

import asyncio
import io
import ssl
import threading

import httpx2

from ludus.protocols.oht.page.api import serve_api
from ludus.protocols.oht.results import Played, Seat, Series
from ludus.protocols.oht.serving.archive import Archive
from ludus.protocols.oht.serving.certificate import server_context
from ludus.protocols.oht.serving.house import House
from ludus.protocols.oht.serving.server import Server, listen
from ludus.protocols.oht.settings import LeagueSettings, PageSettings, TournamentSettings
from ludus.protocols.oht.storage.store import Store
from tests.oht.logged import logger_to
from tests.oht.rounds import CHEAP

SMALL = TournamentSettings(
    3, opponents=("random",), games=4, verification=("random",), verification_games=4, move_seconds=300
)
PORTS = ("text", "json", "league", "api")


class Tournament:
    """A running server. The test may use `store` at the same time, as the teacher's commands do."""

    def __init__(self, folder, page=None, league=None, tournament=SMALL):
        self.page, self.settings = page or PageSettings(), (tournament, league or LeagueSettings())
        self.database, self.certificate = str(folder / "oht.db"), folder / "server.crt"
        self.store, self.log = Store(self.database, cost=CHEAP), io.StringIO()
        self.context = server_context(self.certificate, folder / "server.key", "127.0.0.1")
        self.doors = {name: listen("127.0.0.1", 0) for name in PORTS}
        self.ports = {name: door.getsockname()[1] for name, door in self.doors.items()}
        self.address = f"https://localhost:{self.ports['api']}"
        self.client = httpx2.Client(base_url=self.address, verify=ssl.create_default_context(cafile=self.certificate))
        self.client.timeout = 100
        ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._run(ready)))
        self.thread.start()
        assert ready.wait(100)

    async def _run(self, ready):
        self.loop, self.task = asyncio.get_running_loop(), asyncio.current_task()
        archive, house = Archive(Store(self.database, cost=CHEAP)), House(1)
        self.server = Server(*self.settings, archive, house, self.context, log=logger_to(self.log))
        ready.set()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.server.run({name: self.doors[name] for name in PORTS[:-1]}))
                group.create_task(serve_api(self.server, self.doors["api"], self.page))
        except asyncio.CancelledError:
            pass
        finally:
            house.close()
            archive.close()

    def ask(self, method, path, token=None, **rest):
        """One request, by a client that trusts the certificate and nothing else."""
        headers = rest.pop("headers", {}) | ({} if token is None else {"X-Api-Token": token})
        return self.client.request(method, path, headers=headers, **rest)

    def standings(self):
        return self.ask("GET", "/standings.json").json()

    def stop(self):
        self.loop.call_soon_threadsafe(self.task.cancel)
        self.thread.join(100)
        assert not self.thread.is_alive(), "the server did not stop"

    def close(self):
        if self.thread.is_alive():
            self.stop()
        self.client.close()
        self.store.close()
        for door in self.doors.values():
            door.close()


def add_player(store, name, handle="", email=""):
    """An account, and its token."""
    account = store.add_account(name, email=email)
    if handle:
        store.set_handle(account.id, handle)
    return account, store.new_token(account.id)


def play_official(store, account, won, games):
    """An official attempt in which so many games were won."""
    round = store.begin_official(account.id, [Series(Seat(account.name, account.id), Seat("random"), games)])
    store.record(round.id, [Played(k, 1 if k < won else 2, ((0, 0),)) for k in range(games)])


def play_league(store, one, two, won, games):
    """Games of the league, of which the first account has won so many."""
    round = store.begin("league", None, [Series(Seat(one.name, one.id), Seat(two.name, two.id), games)])
    store.record(round.id, [Played(k, 1 if k < won else 2, ((0, 0),)) for k in range(games)])
