"""The addresses by which machines watch a server: /metrics, /health and /ready."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from ludus.monitor.metrics import CONTENT_TYPE, Metrics

PATIENCE = 5.0  # seconds that a check may take
FRESH = {"cache-control": "no-store"}

Checks = dict[str, Callable[[], Awaitable[bool]]]  # by name, what the server needs to serve; an error counts as False


def routes(
    metrics: Metrics, checks: Checks, may_read: Callable[[Request], bool] = lambda request: True
) -> list[BaseRoute]:
    """`may_read` says who may see the numbers."""

    async def numbers(request: Request) -> Response:
        if not may_read(request):
            refused = "the numbers are for this machine, or for whoever brings the token: Authorization: Bearer …\n"
            return PlainTextResponse(refused, 401, FRESH | {"www-authenticate": "Bearer"})
        return Response(metrics.text(), 200, FRESH | {"content-type": CONTENT_TYPE})

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "alive"}, 200, FRESH)

    async def ready(request: Request) -> Response:
        found = dict(zip(checks, await asyncio.gather(*map(passes, checks.values())), strict=True))
        told = {name: "well" if well else "failing" for name, well in found.items()}
        status = "ready" if all(found.values()) else "not ready"
        return JSONResponse({"status": status, **told}, 200 if all(found.values()) else 503, FRESH)

    return [Route("/metrics", numbers), Route("/health", health), Route("/ready", ready)]


async def passes(check: Callable[[], Awaitable[bool]]) -> bool:
    try:
        return await asyncio.wait_for(check(), PATIENCE)
    except Exception:  # whatever is wrong, the server is not ready
        return False


def bearer(request: Request) -> str:
    """The token that a request brings in its header, if it brings one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
