"""Who may come in. On this machine everybody; from elsewhere whoever has the token; never a page of another site."""

from __future__ import annotations

import secrets
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

WATCHED = ("/health", "/ready")  # they say nothing but whether the server is well
LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "ludus_token"
HEADERS = {  # nothing is loaded from elsewhere, and no other site may show our pages inside its own
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class Door:
    """A layer around the application that looks at every request before it comes in."""

    def __init__(self, app: ASGIApp, token: str | None = None) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        answer = self.answer_to(scope)
        if answer is None:
            await self.app(scope, receive, with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403, "reason": "refused"})
        else:
            await answer(scope, receive, with_headers(send))

    def answer_to(self, scope: Scope) -> PlainTextResponse | RedirectResponse | None:
        """What somebody hears who may not come in, or who brings the token for the first time; None: come in."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if self.token is None and host_name(host) not in LOOPBACK:
            return refuse(f"This server answers to {' and '.join(LOOPBACK[:2])} only, not to {host[:80]}.")
        changes = scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD")
        if changes and origin is not None and urlsplit(origin).netloc != host:
            return refuse("Another site may not use this server.")
        return None if self.token is None else self.ask_token(scope, headers)

    def ask_token(self, scope: Scope, headers: Headers) -> PlainTextResponse | RedirectResponse | None:
        assert self.token is not None
        if scope["type"] == "http" and scope["path"] in WATCHED:
            return None
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and same(given.strip(), self.token):  # other programs: Prometheus, curl
            return None
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        if cookie is not None and same(cookie.value, self.token):
            return None
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if scope["type"] == "http" and same(query.pop("token", [""])[0], self.token):
            rest = urlencode(query, doseq=True)
            answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict", max_age=30 * 24 * 3600)
            return answer
        return refuse(
            "This server wants its token: open the address that `ludus serve` printed, which ends in ?token=…"
        )


def refuse(sentence: str) -> PlainTextResponse:
    return PlainTextResponse(sentence + "\n", 403)


def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    return urlsplit(f"//{host}").hostname or ""


def same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def with_headers(send: Send) -> Send:
    """Adds the headers that every answer has."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
