"""Watching things learn: the addresses under /api/learn. Everything is asked for again and again, so answers are small.

What pages see is in look.py, what they start and stop in order.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ludus.errors import LudusError
from ludus.system import read_json
from ludus.web.learning.look import Json, Looking
from ludus.web.learning.order import Ordering

if TYPE_CHECKING:
    from ludus.web.site import Site
from ludus.web.words import sentence_from

LARGEST_ORDER = 16 << 10  # bytes


def routes(site: Site) -> list[BaseRoute]:
    """The addresses under /api/learn."""
    looking = Looking(site)
    ordering = Ordering(site, looking)

    def answer(work: Callable[[Json], Json]) -> Callable[[Request], Any]:
        async def respond(request: Request) -> Response:
            try:
                asked = {**request.query_params, **request.path_params}
                if request.method == "POST":
                    asked["body"] = await body_of(request)
                    looking.forget()
                return JSONResponse(await to_thread.run_sync(work, asked))
            except LudusError as error:
                return JSONResponse({"sentence": sentence_from(error)}, 400)

        return respond

    run, key = "/api/learn/runs/{name}", "/api/learn/tournaments/{key:path}"
    gets: list[BaseRoute] = [
        Route("/api/learn", answer(looking.cards)),
        Route(f"{run}/games/{{number}}", answer(looking.training_game)),
        Route(f"{run}/log", answer(looking.log)),
        Route(run, answer(looking.training), methods=["GET"]),
        Route(f"{key}/games/{{number}}", answer(looking.contest_game)),
        Route(key, answer(looking.contest), methods=["GET"]),
    ]
    posts: list[BaseRoute] = [
        Route("/api/learn/runs", answer(ordering.start_training), methods=["POST"]),
        Route(f"{run}/stop", answer(ordering.stop_training), methods=["POST"]),
        Route(f"{run}/resume", answer(ordering.resume_training), methods=["POST"]),
        Route(f"{run}/topp", answer(ordering.start_topp), methods=["POST"]),
        Route("/api/learn/tournaments", answer(ordering.start_contest), methods=["POST"]),
        Route(f"{key}/stop", answer(ordering.stop_contest), methods=["POST"]),
        Route(f"{key}/resume", answer(ordering.resume_contest), methods=["POST"]),
    ]
    return [*gets, *posts]


async def body_of(request: Request) -> Json:
    """The JSON object in the body of a request; an empty one if there is none."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_ORDER:
            raise LudusError(f"an order may have {LARGEST_ORDER} bytes")
    try:
        row = read_json(body or b"{}")
    except ValueError:
        raise LudusError("an order is one JSON object") from None
    if not isinstance(row, dict):
        raise LudusError("an order is one JSON object")
    return row
