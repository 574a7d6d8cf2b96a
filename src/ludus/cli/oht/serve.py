"""`ludus oht serve`: the server of the online Hex tournament."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import ssl
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ludus.cli.logs import LogOptions
from ludus.cli.oht.options import DatabaseUrl
from ludus.cli.oht.storage import check_extra, open_store, parse_quietly
from ludus.errors import BadOption, whole_option
from ludus.monitor.logs import about, hide
from ludus.play.talk import title_of
from ludus.protocols.oht.settings import LeagueSettings, PageSettings, Protocol, TournamentSettings
from ludus.protocols.oht.table import fits_a_record
from ludus.system import cores

if TYPE_CHECKING:
    from ludus.protocols.oht.storage.store import Store

Door = Protocol | Literal["api"]
Doors = dict[Door, socket.socket]
FILES = 4096  # open files and connections that we would like to be allowed


@dataclass(frozen=True)
class Serve:
    """Runs the tournament: players log in, play official and verification rounds, and meet in the league.

    The first start makes a certificate; hand the file `server.crt` out to the players. A port that is given as `None`
    is not opened.
    """

    host: str = "127.0.0.1"  # this machine only; 0.0.0.0 lets others connect
    port: int | None = 33000  # of the text protocol of 2020 and 2021, whose client knows no other port
    json_port: int | None = 33001  # of the JSON protocol of 2022 to 2024
    league_port: int | None = 30000  # of the JSON protocol for the league
    api_port: int | None = 32000  # of the standings page and the REST interface, by https
    tournament: TournamentSettings = field(default_factory=TournamentSettings)
    league: LeagueSettings = field(default_factory=LeagueSettings)
    page: PageSettings = field(default_factory=PageSettings)
    database: DatabaseUrl = ""
    """sqlite:///FILE or postgresql://USER@HOST/NAME; else $LUDUS_OHT_DATABASE, else sqlite:///oht.db"""
    certificate: Path = Path("server.crt")  # made on the first start
    key: Path = Path("server.key")  # made on the first start; keep it secret
    workers: int | None = None  # processes in which the opponents think; one for every core, if not given
    logs: LogOptions = field(default_factory=LogOptions)

    def __post_init__(self) -> None:
        for name in ("port", "json_port", "league_port", "api_port"):
            if getattr(self, name) is not None:
                whole_option(name.replace("_", "-"), getattr(self, name), 0, 65535)
        if self.port is self.json_port is self.league_port is self.api_port is None:
            raise BadOption("a server needs a port, but all of them are None")
        if self.workers is not None:
            whole_option("workers", self.workers, 1, 256)


def main(command: str, arguments: list[str]) -> None:
    options = parse_quietly(Serve, arguments, "ludus oht serve")
    check_extra()
    options.logs.begin()
    page = options.page
    page = replace(page, metrics_token=page.metrics_token or os.environ.get("LUDUS_METRICS_TOKEN", ""))
    hide(page.metrics_token)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # ratings are small matrices; the cores are for the opponents
    serve(replace(options, page=page))
    print("The server has stopped. Finished games are stored; interrupted attempts go on at the next login.")


def serve(options: Serve) -> None:
    """Serves until Ctrl-C. What could be wrong is looked at before a certificate or a database is made."""
    game = options.tournament.make_game()
    if options.port is not None and not fits_a_record(game):
        raise BadOption("states of a board this large do not fit into a record of the text protocol; say --port None")
    with contextlib.ExitStack() as stack:
        doors = open_doors(options, stack)
        allow_many_files()
        context = certify(options)
        store = stack.enter_context(contextlib.closing(open_store(options.database, create=True)))
        stack.callback(store.hold().release)
        pin(store, json.dumps(game.identity(), sort_keys=True))
        asyncio.run(run(options, store, context, doors))


def certify(options: Serve) -> ssl.SSLContext:
    from ludus.protocols.oht.serving.certificate import server_context

    return server_context(options.certificate, options.key, options.host)


async def run(options: Serve, store: Store, context: ssl.SSLContext, doors: Doors) -> None:
    """Serves until Ctrl-C or the end of the process."""
    from ludus.protocols.oht.page.api import serve_api
    from ludus.protocols.oht.serving.archive import Archive
    from ludus.protocols.oht.serving.house import House
    from ludus.protocols.oht.serving.server import Server

    archive, house = Archive(store), House(options.workers or cores())
    server = Server(options.tournament, options.league, archive, house, context)
    task = asyncio.current_task()
    assert task is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows, where Ctrl-C cancels the task all the same
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    print(greeting(options, doors, store, title_of(server.qualifiers.game)), flush=True)
    ports = {name: door.getsockname()[1] for name, door in doors.items()}
    server.log.info("the server has begun", extra=about(host=options.host, ports=ports, database=store.name))
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(server.run({name: door for name, door in doors.items() if name != "api"}))
            if "api" in doors:
                group.create_task(serve_api(server, doors["api"], options.page))
    except asyncio.CancelledError:
        pass
    finally:
        house.close()
        archive.close()
        server.log.info("the server has stopped")


def open_doors(options: Serve, stack: contextlib.ExitStack) -> Doors:
    """A socket for every port that is wanted, closed with the stack."""
    from ludus.protocols.oht.serving.server import listen

    ports: dict[Door, int | None] = {
        "text": options.port,
        "json": options.json_port,
        "league": options.league_port,
        "api": options.api_port,
    }
    doors = {name: listen(options.host, port) for name, port in ports.items() if port is not None}
    for door in doors.values():
        stack.callback(door.close)
    return doors


def pin(store: Store, game: str) -> None:
    """Refuses to go on with another game than the one that the stored results are about."""
    pinned = store.pin_game(game)
    if pinned != game:
        about = json.loads(pinned)
        size = f", size {about['size']}" if "size" in about else ""
        raise BadOption(
            f"the results in {store.name} are about another game ({about['name']}{size}); "
            "use another --database for this one"
        )


def allow_many_files() -> None:
    """A class needs more open connections than many systems allow a program at first."""
    try:
        import resource
    except ImportError:  # not on this system, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def greeting(options: Serve, doors: Doors, store: Store, title: str) -> str:
    """What the teacher reads when the server has started."""
    ports = {name: door.getsockname()[1] for name, door in doors.items()}
    what = {
        "text": "the text protocol of 2020 and 2021 (BasicClientActor)",
        "json": "the JSON protocol of 2022 to 2024 (ActorClient)",
        "league": "the league, in the JSON protocol",
        "api": f"standings: https://{in_address(options.host)}:{ports.get('api')}/",
    }
    lines = [f"  port {port:>5}  {what[name]}" for name, port in ports.items()]
    return "\n".join(
        [
            f"The tournament in {title} is {store.status()}. Listening on {options.host}:",
            *lines,
            f"Opponents, with the ids by which clients know them: {opponents_of(options.tournament)}.",
            f"Results are in {store.name}. Hand {options.certificate} out to the players. Ctrl-C stops the server.",
        ]
    )


def in_address(host: str) -> str:
    """A host as addresses of pages have it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def opponents_of(tournament: TournamentSettings) -> str:
    """The agents of the house, each with its id."""
    from ludus.protocols.oht.results import Seat

    agents = dict.fromkeys((*tournament.opponents, *tournament.verification))
    return ", ".join(f"{agent} is {Seat(agent).unique_id}" for agent in agents)
