"""The web application: its pages and addresses. door.py says who may connect, desk.py what pages ask and are told."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from ludus.monitor.answers import routes as watched_at
from ludus.monitor.logs import about, logger
from ludus.web import files
from ludus.web.desk import MOST_PAGES, Desk
from ludus.web.door import Door
from ludus.web.learning import routes as learning
from ludus.web.lessons import routes as lessons
from ludus.web.meters import Counted, checks_of
from ludus.web.site import Site, SiteSettings

LOG = logger("web")
STATIC = Path(__file__).parent / "static"
PAGES = {"/": "index.html", "/review": "review.html", "/learn": "learn.html", "/lessons": "lessons.html"}


def make_app(settings: SiteSettings) -> Starlette:
    """The application, ready for uvicorn."""
    site = Site(settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await site.open()
        try:
            yield
        finally:
            await site.close()

    layers = [Middleware(Counted, meters=site.meters), Middleware(Door, token=settings.token)]
    app = Starlette(routes=routes_of(site), middleware=layers, lifespan=lifespan)
    app.state.site = site
    return app


def routes_of(site: Site) -> list[BaseRoute]:
    """Every address that the server answers."""
    pages: list[BaseRoute] = [Route(path, page(file)) for path, file in PAGES.items()]
    return [
        *pages,
        WebSocketRoute("/ws", desks(site)),
        *files.routes(site),
        *lessons.routes(site),
        *learning.routes(site),
        *watched_at(site.meters.all, checks_of(site)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


def page(file: str) -> Callable[[Request], Any]:
    async def show(request: Request) -> FileResponse:
        return FileResponse(STATIC / file)

    return show


def desks(site: Site) -> Callable[[WebSocket], Any]:
    """A desk for every page that connects, as long as there is room."""
    open_desks = site.meters.desks

    async def connect(socket: WebSocket) -> None:
        if len(open_desks) >= MOST_PAGES:
            await socket.close(4429, "too many pages are open")
            return
        desk = Desk(site, socket)
        open_desks.add(desk)
        site.meters.connections.add()
        LOG.debug("a page has connected", extra=about(pages=len(open_desks)))
        try:
            await desk.serve()
        finally:
            open_desks.discard(desk)

    return connect
