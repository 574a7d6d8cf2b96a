"""Around the application: the pace of requests, headers that every answer has, and errors as one sentence of JSON."""

from __future__ import annotations

import asyncio
import logging
from email.utils import formatdate
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.errors import LudusError
from ludus.monitor.metrics import Counter
from ludus.protocols.oht.serving.doorkeeper import neighbourhood
from ludus.protocols.oht.serving.pace import Pace
from ludus.protocols.oht.storage.store import DatabaseTrouble
from ludus.system import read_json

REQUESTS_PER_SECOND, REQUESTS_AT_ONCE = 200, 400  # from one address: two for every watcher of a class of 200
PATIENCE = 10.0  # seconds that a request waits for its turn
LARGEST, SECONDS = 4096, 10.0  # bytes of a request's body, and how long it may take to come
HEADERS = {  # nothing is loaded from elsewhere, and no other site may show our page inside its own
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class Refusal(HTTPException):
    """A request that is not served: the status, and one sentence that says why."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(status, sentence, {name.replace("_", "-"): value for name, value in headers.items()})


class Tally:
    """How many requests were answered, by kind of status, and how many met an error of the server."""

    def __init__(self) -> None:
        self.answers, self.errors = Counter("status"), Counter()


class Guard:
    """A layer around the application. Requests that come too fast wait, and with them those behind them."""

    def __init__(self, app: ASGIApp, log: logging.Logger, tally: Tally) -> None:
        self.app, self.log, self.tally = app, log, tally
        self.pace = Pace(REQUESTS_PER_SECOND, REQUESTS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        wait = self.pace.take(address_of(scope), PATIENCE)
        await asyncio.sleep(min(wait, PATIENCE))
        app = self.app if wait <= PATIENCE else too_many(wait)
        try:
            await app(scope, receive, with_headers(self.counted(send)))
        except ClientDisconnect:
            pass
        except Exception as error:  # the visitor has been answered by `failed`
            self.tally.errors.add()
            self.log.error(f"a request ended by an error: {type(error).__name__}: {error}", exc_info=True)

    def counted(self, send: Send) -> Send:
        """Counts answers by their kind: 2xx, 3xx, 4xx, 5xx."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.tally.answers.add(f"{message['status'] // 100}xx")
            await send(message)

        return sending


def address_of(scope: Scope) -> str:
    """The address of a visitor, by which requests and failures are counted."""
    return neighbourhood(scope["client"][0]) if scope.get("client") else ""


def with_headers(send: Send) -> Send:
    """Adds the headers that every answer has."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in (HEADERS | {"date": formatdate(usegmt=True), "cache-control": "no-store"}).items():
                headers.setdefault(name, value)
        await send(message)

    return sending


# --------------------------------------------------------------------------------------------- errors


def answer(status: int, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """An error as the course's client prints it: code, name, data."""
    said = sentence[:1].upper() + sentence[1:].rstrip(".") + "."
    return JSONResponse({"code": status, "name": HTTPStatus(status).phrase, "data": said}, status, headers)


def too_many(wait: float) -> JSONResponse:
    return answer(429, "too many requests; wait a little", {"retry-after": str(round(wait + 1))})


async def refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if isinstance(error, Refusal):
        return answer(error.status_code, error.detail, headers)
    sentences = {404: "there is nothing at this address", 405: f"{request.method} is not what this address answers to"}
    return answer(error.status_code, sentences.get(error.status_code, error.detail), headers)


async def mistaken(request: Request, error: Exception) -> JSONResponse:
    """A mistake of the visitor."""
    return answer(400, str(error))


async def troubled(request: Request, error: Exception) -> JSONResponse:
    """The message names the database, which is not the visitor's business."""
    return answer(503, "the database cannot be used now; try again later", {"retry-after": "10"})


async def failed(request: Request, error: Exception) -> JSONResponse:
    return answer(500, "something went wrong in the server")


HANDLERS = {HTTPException: refused, DatabaseTrouble: troubled, LudusError: mistaken, Exception: failed}


# --------------------------------------------------------------------------------------------- bodies


async def read_field(request: Request, name: str) -> str:
    """A text in the JSON object that a request brings: {"email": "…"}."""
    body = b""
    try:
        async with asyncio.timeout(SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST:
                    raise Refusal(413, f"a request has at most {LARGEST} bytes", connection="close")
    except TimeoutError:
        raise Refusal(408, "the request did not come to its end in time", connection="close") from None
    try:
        fields = read_json(body)
        value = fields[name]
        value.encode()  # half of a character, as JSON can write it, is refused here
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Refusal(400, f'the body must be JSON such as {{"{name}": "…"}}') from None
    return str(value)
