"""What is fetched once over HTTP: the games and opponents to choose from, kept games, game files in and out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ludus.errors import LudusError
from ludus.game import Game, begun_by
from ludus.play import talk
from ludus.play.record import Record, read_record
from ludus.play.sgf import read_sgf, write_sgf
from ludus.system import read_json
from ludus.web import words
from ludus.web.door import LOOPBACK
from ludus.web.link import Linked
from ludus.web.site import Site
from ludus.web.table import PERSON, Table, fold
from ludus.web.tables import Kept
from ludus.web.telling import seats_of

LARGEST_FILE = 1 << 20  # bytes of a game file


def routes(site: Site) -> list[BaseRoute]:
    """The addresses under /api that are about games."""

    def answer(work: Callable[[Site, Request], Any]) -> Callable[[Request], Any]:
        async def respond(request: Request) -> Response:
            try:
                made = work(site, request)
                made = await made if hasattr(made, "__await__") else made
            except LudusError as error:
                return JSONResponse({"sentence": words.sentence_from(error)}, 400)
            return made if isinstance(made, Response) else JSONResponse(made)

        return respond

    return [
        Route("/api/games", answer(list_games)),
        Route("/api/opponents", answer(list_opponents)),
        Route("/api/tables", answer(list_tables), methods=["GET"]),
        Route("/api/tables", answer(load_file), methods=["POST"]),
        Route("/api/tables/{key}.{kind}", answer(save_file)),
    ]


def list_games(site: Site, request: Request) -> list[dict[str, Any]]:
    """Every game with its options, for the form of a new game."""
    rows = []
    for name in site.library.texts:
        game = site.library.usual(name)
        board = game.board(game.start())
        rows.append({
            "name": name, "title": game.spoken_name, "aim": words.aim_of(game, board, None),
            "choices": site.library.choices(name), "players": words.players_of(board), "colors": words.colors_of(board),
        })  # fmt: skip
    return rows


def list_opponents(site: Site, request: Request) -> list[Any]:
    """Who plays a game: ?game=hex&options={"size":5}"""
    try:
        options = read_json(request.query_params.get("options", "{}"))
    except ValueError:
        raise LudusError("the options of a game are one JSON object") from None
    if not isinstance(options, dict):
        raise LudusError("the options of a game are one JSON object")
    game = site.library.make(request.query_params.get("game", ""), options)
    return [*site.opponents.of(game)]


async def list_tables(site: Site, request: Request) -> list[dict[str, Any]]:
    """The kept games; where others can connect, only those of the visitor who asks."""
    own = request.query_params.get("visitor", "") if site.settings.host not in LOOPBACK else None
    return await to_thread.run_sync(rows_of, site, own)  # they are read and replayed, which takes a moment


def rows_of(site: Site, visitor: str | None) -> list[dict[str, Any]]:
    rows = [row_of(site, kept) for kept in site.tables.listed(visitor)]
    return [row for row in rows if row is not None]


def row_of(site: Site, kept: Kept) -> dict[str, Any] | None:
    """A kept game as a row of a list; None if it cannot be read any more."""
    try:
        begin = kept.events[0]
        table = fold(kept.table, site.library.make(begin["game"], begin["options"]), kept.events)
    except (LudusError, LookupError, TypeError):
        return None
    names = [seat["name"] for seat in seats_of(site, table)]
    over = table.over(table.head)
    board = table.game.board(table.node(table.head).state) if over else None
    return {
        "table": kept.table, "title": talk.title_of(table.game), "names": names, "made": table.made,
        "changed": kept.changed, "moves": len(table.path(table.head)), "over": over,
        "sentence": words.result_of(table, table.head, board, (names[0], names[1])) if over else "Not finished.",
    }  # fmt: skip


# ------------------------------------------------------------------------------------------- game files


def save_file(site: Site, request: Request) -> Response:
    """The game through a node (?node=7, else the head) as a file: our JSON record, or SGF for Go and Hex."""
    table = site.tables.get(request.path_params["key"])
    kind, node = request.path_params["kind"], request.query_params.get("node", "")
    known = node.isdecimal() and len(node) <= 6 and int(node) < len(table.nodes)
    line = table.line(int(node) if known else table.head)
    record = table.record(line[-1] if line else 0)
    if kind == "sgf":
        text, media = write_sgf(record, table.game), "application/x-go-sgf"
    elif kind == "json":
        text, media = record.line() + "\n", "application/json"
    else:
        raise LudusError(f"a game is saved as sgf or json, not as {kind!r}")
    name = f'attachment; filename="{table.name}-{table.key}.{kind}"'
    return Response(text, media_type=media, headers={"content-disposition": name})


async def load_file(site: Site, request: Request) -> dict[str, str]:
    """A game file in the body of a request becomes a table."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_FILE:
            raise LudusError(f"a game file may have {LARGEST_FILE >> 20} MB")
    game, record = read_file(site, body)
    linked = Linked(site.library.name_of(game), game, record.actions, len(record.actions))
    table = site.tables.from_link(linked, [PERSON, PERSON], request.query_params.get("visitor", ""))
    keep_end(site, table, record)
    return {"table": table.key}


def keep_end(site: Site, table: Table, record: Record) -> None:
    """A game that was resigned, or lost on time, ends so here, too."""
    if record.fault is not None and not table.over(table.head):
        site.tables.add(
            table, {"event": "end", "node": table.head, "end": record.end, "fault": record.fault, "why": record.why}
        )


def read_file(site: Site, body: bytes) -> tuple[Game, Record]:
    """The game in a file: SGF of Go and Hex, or the first of our JSON records."""
    text = body.decode("utf-8", errors="replace").strip()
    if text.startswith("("):
        return read_sgf(body)
    if not text.startswith("{"):
        raise LudusError("this is no game file: it can be SGF (Go, Hex) or a JSON record of Ludus")
    record = read_record(text.splitlines()[0])
    options = {key: value for key, value in record.game.items() if key not in ("name", "code")}
    game = site.library.make(site.library.known_as(str(record.game.get("name"))), options)
    if record.starter is not None and hasattr(game, "starter"):
        game = begun_by(game, record.starter)
    *_, _last = record.replay(game)  # refuses a record that cannot be replayed
    return game, record
