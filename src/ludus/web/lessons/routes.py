"""The lessons: what the page of the theatre may ask the server. The lessons themselves are made in work.py.

    GET  /api/lessons              the games that the page lists
    POST /api/lessons/mcts         a part of a lesson on Monte Carlo tree search
    POST /api/lessons/alphabeta    a lesson on minimax or alpha-beta

A request is a JSON object: the game as pages name it, its options and the moves to the first position; all else is a
field of the task of that lesson. A refusal has the status 400 and one sentence: {"sentence": "…"}.
"""

from __future__ import annotations

import asyncio
from dataclasses import fields
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ludus.errors import BadOption, LudusError
from ludus.games import ALL
from ludus.system import read_json
from ludus.text import did_you_mean
from ludus.web.lessons.work import AlphabetaTask, MctsTask
from ludus.web.searching.pool import Pool, Report
from ludus.web.searching.tasks import Facts, Place, Task
from ludus.web.site import Site

LARGEST = 10_000  # bytes of a request
PATIENCE = 60.0  # seconds for a lesson on a machine that is busy
KINDS: dict[str, type] = {"mcts": MctsTask, "alphabeta": AlphabetaTask}
Offer = tuple[str, str, dict[str, str], int, str]
# The games that the page lists, each with the depth and the moves with which alpha-beta has a tree that can be drawn.
# The address of the page may name any other small game.
OFFERED: list[Offer] = [
    ("Nim, 7 stones", "nim", {"stones": "7"}, 5, ""),
    ("Tic-tac-toe", "tic_tac_toe", {}, 4, "b2.a3.c1.c2.c3"),
    ("Hex 3×3", "hex", {"size": "3"}, 4, "b1.b2.a3.c1"),
    ("Hex 4×4", "hex", {"size": "4"}, 2, ""),
    ("Hex 5×5", "hex", {"size": "5"}, 2, ""),
    ("Connect Four 4×4", "connect_four", {"width": "4", "height": "4"}, 4, ""),
    ("Othello 4×4", "othello", {"size": "4"}, 4, ""),
    ("Ledge, 6 cells", "ledge", {"coins": ".c.cGc"}, 5, ""),
]
VISITORS_DEPTH = 2  # of alpha-beta, for games that nobody here knows


def routes(site: Site) -> list[BaseRoute]:
    """The addresses of the lessons."""

    async def listed(request: Request) -> Response:
        visitors: list[Offer] = [(name, name, {}, VISITORS_DEPTH, "") for name in site.library.texts if name not in ALL]
        games = [
            {"title": title, "game": name, "options": options, "alphabeta": {"depth": depth, "moves": moves}}
            for title, name, options, depth, moves in [*OFFERED, *visitors]
        ]
        return JSONResponse({"games": games})

    async def lesson(request: Request) -> Response:
        try:
            task = task_of(site, request.path_params["kind"], await body_of(request))
            facts = await result_of(site.pool, task)
        except LudusError as error:
            return JSONResponse({"sentence": str(error)}, 400)
        return JSONResponse(facts)

    return [Route("/api/lessons", listed), Route("/api/lessons/{kind}", lesson, methods=["POST"])]


async def body_of(request: Request) -> dict[str, Any]:
    """The object that a page sent; refuses what is large or something else."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            raise BadOption(f"a request for a lesson has at most {LARGEST} bytes")
    try:
        wanted = read_json(body)
    except ValueError:
        wanted = None
    if not isinstance(wanted, dict):
        raise BadOption("a request for a lesson is a JSON object")
    return wanted


def task_of(site: Site, kind: str, wanted: dict[str, Any]) -> Task:
    """The task that a page asks for; every field is checked by the task itself."""
    if kind not in KINDS:
        raise BadOption(f"there is no lesson {kind[:40]!r}; there are {', '.join(KINDS)}")
    known = [f.name for f in fields(KINDS[kind]) if f.init and f.name != "place"]
    name, options = wanted.pop("game", None), wanted.pop("options", {})
    for key in wanted:
        if key not in known:
            raise BadOption(f"a lesson has no setting {key[:40]!r}; {did_you_mean(key[:40], known)}")
    task: Task = KINDS[kind](place_of(site, name, options), **wanted)
    return task


def place_of(site: Site, name: object, options: object) -> Place:
    """The game by the name that pages use, with options as texts: a page can name no file."""
    if not isinstance(name, str) or name not in site.library.texts:
        raise BadOption(f"there is no game {str(name)[:40]!r}; {did_you_mean(str(name)[:40], site.library.texts)}")
    if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
        raise BadOption("the options of a game are texts by their names")
    return Place(site.library.texts[name], site.library.read_options(name, options))


async def result_of(pool: Pool, task: Task) -> Facts:
    """What a worker makes of a task; whatever goes wrong is one sentence."""
    future: asyncio.Future[Report] = asyncio.get_running_loop().create_future()

    def hear(report: Report) -> None:
        if report.done and not future.done():
            future.set_result(report)

    job = pool.start(task, hear)
    try:
        report = await asyncio.wait_for(future, PATIENCE)
    except TimeoutError:
        raise LudusError("this lesson takes too long; choose a smaller game or fewer simulations") from None
    finally:
        job.cancel()
    if report.failed:
        raise LudusError(str(report.facts["sentence"]))
    return report.facts
