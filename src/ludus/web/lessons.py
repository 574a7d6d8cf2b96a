"""The lessons: what the page of the theatre may ask the server. The lessons themselves are made in lessons_work.py.

    GET  /api/lessons              the games that the page lists
    POST /api/lessons/mcts         a part of a lesson on Monte Carlo tree search
    POST /api/lessons/alphabeta    a lesson on minimax or alpha-beta

A request is a JSON object: game, options and moves for the position; then rule, c, epsilon, k, priors, seed, first and
simulations, or depth, pruning and ordering. A refusal has the status 400 and one sentence: {"error": "…"}.
"""

from __future__ import annotations

import json
from typing import Any

import anyio
import anyio.to_process
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ludus.errors import LudusError
from ludus.web.lessons_stage import offered
from ludus.web.lessons_work import work
from ludus.web.site import Site

LARGEST = 10_000  # bytes of a request
PATIENCE = 20.0  # seconds for a lesson, with the wait for a free process
PROCESSES = 2  # lessons that are made at the same time
STARTED = ("mcts", {"game": "nim", "simulations": 1}, ())  # what a process is started with, so that it is warm


def routes(site: Site) -> list[BaseRoute]:
    """The addresses of the lessons."""
    visitors = tuple(site.settings.games)
    room = anyio.CapacityLimiter(PROCESSES)

    async def listed(request: Request) -> Response:
        warm = BackgroundTask(anyio.to_process.run_sync, work, *STARTED, limiter=room)
        return JSONResponse({"games": offered(visitors)}, background=warm)

    async def lesson(request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in ("mcts", "alphabeta"):
            return refusal("there is no such lesson; there are mcts and alphabeta", 404)
        try:
            wanted = await read_json(request)
        except LudusError as error:
            return refusal(str(error))
        with anyio.move_on_after(PATIENCE):
            status, body = await anyio.to_process.run_sync(work, kind, wanted, visitors, cancellable=True, limiter=room)
            return Response(body, status, media_type="application/json")
        return refusal("this lesson takes too long; choose a smaller game or fewer simulations", 503)

    return [
        Route("/api/lessons", listed),
        Route("/api/lessons/{kind}", lesson, methods=["POST"]),
    ]


def refusal(sentence: str, status: int = 400) -> Response:
    return JSONResponse({"error": sentence}, status)


async def read_json(request: Request) -> dict[str, Any]:
    """The object that a page sent; refuses what is large or something else."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            raise LudusError(f"a request for a lesson has at most {LARGEST} bytes")
    try:
        wanted = json.loads(body)
    except ValueError:
        wanted = None
    if not isinstance(wanted, dict):
        raise LudusError("a request for a lesson is a JSON object")
    return wanted
