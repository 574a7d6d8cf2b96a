"""What the page's server tells Prometheus, and when it is ready. Numbers that belong to a part are kept there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from anyio import to_thread
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.monitor.answers import Checks
from ludus.monitor.metrics import Counter, Metrics
from ludus.monitor.process import add_process

if TYPE_CHECKING:
    from ludus.web.desk import Desk
    from ludus.web.site import Site


class Meters:
    """The numbers of pages and answers."""

    def __init__(self, site: Site) -> None:
        self.connections, self.errors, self.responses = Counter(), Counter("where"), Counter("status")
        self.desks: set[Desk] = set()  # pages that are open
        self.all = Metrics()
        pool, tables, add = site.pool, site.tables, self.all.add
        add_process(self.all)
        add("ludus_connections_total", "Pages that have connected.", self.connections)
        self.all.gauge("ludus_connections", "Pages that are open.", lambda: len(self.desks))
        add("ludus_games_begun_total", "Games that were begun, also from links and files.", tables.begun)
        add("ludus_games_finished_total", "Games that came to an end, by how they ended.", tables.finished)
        add("ludus_moves_total", "Moves that were made.", tables.moves)
        add("ludus_answer_seconds", "From a question to the searching processes until its last answer.", pool.answers)
        self.all.gauge("ludus_searches", "Searches that are under way.", lambda: pool.searching)
        self.all.gauge("ludus_workers", "Processes that search and are alive.", lambda: pool.alive)
        self.all.gauge("ludus_workers_wanted", "Processes that should be.", lambda: len(pool.workers))
        add("ludus_workers_lost_total", "Processes that ended although nobody had asked for it.", pool.lost)
        add("ludus_responses_total", "Answers by HTTP, by kind of status.", self.responses)
        add("ludus_errors_total", "Errors of the server itself.", self.errors)
        for where in ("message", "request"):
            self.errors.add(where, amount=0)


class Counted:
    """A layer around the application that counts its answers and its errors."""

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self.app, self.meters = app, meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.meters.responses.add(f"{message['status'] // 100}xx")
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception:
            self.meters.errors.add("request")
            raise


def checks_of(site: Site) -> Checks:
    """What the server needs to serve: processes that search, and a folder in which games are kept."""

    async def workers() -> bool:
        return site.pool.alive == len(site.pool.workers)

    async def folder() -> bool:
        return await to_thread.run_sync(lambda: writable(site))

    return {"workers": workers, "folder": folder}


def writable(site: Site) -> bool:
    """Can games be written down? Tried, because permissions say nothing to an administrator, and disks get full."""
    folder = site.tables.folder
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f".ready-{os.getpid()}"
    try:
        path.write_text("ready\n")
    finally:
        path.unlink(missing_ok=True)
    return True
