"""The REST interface for tokens and handles, and the addresses of the standings page, by https."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Awaitable, Callable
from typing import TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludus.monitor.answers import routes as watched_at
from ludus.protocols.oht.page.guard import HANDLERS, Guard, Refusal, Tally, address_of, read_field
from ludus.protocols.oht.page.https import Https
from ludus.protocols.oht.page.meters import checks_of, meters_of, reader
from ludus.protocols.oht.page.resets import Resets
from ludus.protocols.oht.page.standings_page import Content, Noticeboard, files
from ludus.protocols.oht.serving.pace import Pace
from ludus.protocols.oht.serving.server import Server
from ludus.protocols.oht.settings import PageSettings
from ludus.protocols.oht.storage.accounts import Account
from ludus.protocols.oht.storage.names import check_name
from ludus.protocols.oht.storage.passwords import LETTERS, fingerprint

RESETS_PER_SECOND, RESETS_AT_ONCE = 0.2, 60  # requests for a new token from one address
HANDLES_PER_SECOND, HANDLES_AT_ONCE = 0.1, 10  # changes of one account
LONGEST_TOKEN = 200
TURN_SECONDS = 40  # that a request waits while others with the same wrong token, or from the same address, come first
T = TypeVar("T")


async def serve_api(server: Server, door: socket.socket, settings: PageSettings | None = None) -> None:
    """Serves until it is cancelled."""
    api = Api(server, settings or PageSettings())
    try:
        await Https(api.app(), door, server.context, server.connected).run()
    finally:
        await api.close()


class Api:
    """What the addresses answer."""

    def __init__(self, server: Server, settings: PageSettings) -> None:
        self.server, self.metrics_token = server, settings.metrics_token
        self.door, self.archive, self.store = server.door, server.archive, server.archive.store
        self.board = Noticeboard(server, settings)
        self.resets = Resets(server.archive, settings, server.log)
        self._reset_pace = Pace(RESETS_PER_SECOND, RESETS_AT_ONCE)
        self._handle_pace = Pace(HANDLES_PER_SECOND, HANDLES_AT_ONCE)

    def app(self) -> Guard:
        """The application behind its guard."""
        tally = Tally()
        metrics = meters_of(self.server, tally)
        routes = [
            *watched_at(metrics, checks_of(self.server), reader(self.metrics_token)),
            Route("/", self.page),
            Route("/standings.json", self.standings),
            *(Route(path, always(content)) for path, content in files().items()),
            Route("/api/reset_token", self.request_reset, methods=["PUT"]),
            Route("/api/reset_token/{temporary}", self.reset),
            Route("/api/profile", self.profile),
            Route("/api/handle", self.set_handle, methods=["PUT"]),
        ]
        return Guard(Starlette(routes=routes, exception_handlers=HANDLERS), self.server.log, tally)

    async def close(self) -> None:
        self.board.close()
        await self.resets.close()

    # ----------------------------------------------------------------------------------------- the standings

    async def page(self, request: Request) -> Response:
        return deliver(request, (await self.board.current()).page)

    async def standings(self, request: Request) -> Response:
        return deliver(request, (await self.board.current()).json)

    # ----------------------------------------------------------------------------------------- tokens and handles

    async def request_reset(self, request: Request) -> Response:
        """Asks for a new token. The answer is the same for every address, and comes before anything is looked up."""
        email = await read_field(request, "email")
        wait = self._reset_pace.take(address_of(request.scope))
        if wait or not self.resets.request(email):
            raise Refusal(429, "too many requests for a new token; wait a little", retry_after=str(round(wait + 1)))
        return JSONResponse({"message": self.resets.answer})

    async def reset(self, request: Request) -> Response:
        """A new token for a temporary one."""
        if request.method == "HEAD":  # it would use the temporary token up, and not show the new one
            raise Refusal(405, "only GET is what this address answers to", allow="GET")
        temporary = request.path_params["temporary"].strip()
        token = await self._slowly(request, temporary, self.store.finish_reset)
        if token is None:
            raise Refusal(404, "this temporary token is not valid; it can be used once, and for an hour")
        return JSONResponse({"message": "You have a new token; the old one is no longer valid.", "token": token})

    async def profile(self, request: Request) -> Response:
        """What the owner of a token may know about the account."""
        account = await self._owner(request)
        standing = (await self.board.current()).standings.get(account.id)
        return JSONResponse(
            {
                "name": account.name,
                "handle": account.handle,
                "email": account.email,
                "attempts_left": standing.attempts_left if standing else account.attempts,
                "attempts_used": standing.attempts_used if standing else 0,
                "best_score": standing.best if standing else None,
                "verification_rounds": standing.verification_rounds if standing else 0,
                "league_games": standing.league_games if standing else 0,
                "league_wins": standing.league_wins if standing else 0,
            }
        )

    async def set_handle(self, request: Request) -> Response:
        """Another handle; a made-up one, if it is empty."""
        account = await self._owner(request)
        handle = await read_field(request, "handle")
        if wait := self._handle_pace.take(account.id):
            raise Refusal(429, "too many changes of the handle; wait a little", retry_after=str(round(wait + 1)))
        handle = check_name(handle, "handle") if handle.strip() else made_up_handle()
        await self.archive.ask(self.store.set_handle, account.id, handle)
        return JSONResponse({"message": f"Your handle is now {handle}.", "handle": handle})

    async def _owner(self, request: Request) -> Account:
        """The account whose token a request brings."""
        token = request.headers.get("x-api-token", "")
        if not token:
            raise Refusal(401, "send your token in the header X-Api-Token", www_authenticate="X-Api-Token")
        account = await self._slowly(request, token, self.store.by_token)
        if account is None:
            raise Refusal(401, "this token is not valid; ask for a new one", www_authenticate="X-Api-Token")
        return account

    async def _slowly(self, request: Request, secret: str, look_up: Callable[[str], T | None]) -> T | None:
        """Looks a secret up. After wrong ones the answer takes longer and longer.

        A request lives on when its visitor has left, so none waits without end for those before it.
        """
        if len(secret) > LONGEST_TOKEN:
            return None
        address, name = address_of(request.scope), f"api {fingerprint(secret)[:16]}"
        try:
            async with asyncio.timeout(TURN_SECONDS), self.door.slowly(address, name):
                found = await self.archive.ask(look_up, secret)
        except TimeoutError:
            raise Refusal(429, "too many wrong tokens; wait a little", retry_after=str(TURN_SECONDS)) from None
        if found is None:
            await self.door.failed(address, name)
        else:
            self.door.right(address, name)
        return found


def made_up_handle() -> str:
    return "player-" + "".join(secrets.choice(LETTERS) for _ in range(5))


def always(content: Content) -> Callable[[Request], Awaitable[Response]]:
    async def give(request: Request) -> Response:
        return deliver(request, content)

    return give


def deliver(request: Request, content: Content) -> Response:
    """A document, compressed if the browser likes that; only its tag, if the browser has it already."""
    headers = {"etag": content.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if content.tag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    zipped = "gzip" in request.headers.get("accept-encoding", "")
    headers |= {"content-type": content.type} | ({"content-encoding": "gzip"} if zipped else {})
    return Response(content.zipped if zipped else content.data, 200, headers)
