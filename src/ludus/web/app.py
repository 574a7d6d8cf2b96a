"""The web application: pages, static files, and who may connect. What pages ask and are told is in desk.py."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import FileResponse
from starlette.requests import Request
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.web.site import Site, SiteSettings

STATIC = Path(__file__).parent / "static"
PAGES = {"/": "index.html", "/review": "review.html", "/learn": "learn.html", "/lessons": "lessons.html"}
HEADERS = {  # nothing is loaded from elsewhere, and no other site may show our pages inside its own
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
COOKIE = "ludus_token"


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

    app = Starlette(routes=routes_of(site), middleware=[Middleware(Door, settings=settings)], lifespan=lifespan)
    app.state.site = site
    return app


def routes_of(site: Site) -> list[BaseRoute]:
    """Every address that the server answers."""
    pages: list[BaseRoute] = [Route(path, page(file)) for path, file in PAGES.items()]
    return [*pages, Mount("/static", StaticFiles(directory=STATIC))]


def page(file: str):  # type: ignore[no-untyped-def]
    async def show(request: Request) -> FileResponse:
        return FileResponse(STATIC / file)

    return show
