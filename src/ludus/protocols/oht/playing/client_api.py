"""The client's side of the tournament's side API: JSON over HTTPS, with the token in a header."""

from __future__ import annotations

import json
import os
from http.client import HTTPException, HTTPSConnection
from typing import Any

from ludus.errors import LudusError
from ludus.protocols.oht.playing.link import BadMessage, LostConnection, tls_context
from ludus.protocols.oht.playing.values import shortened

LONGEST = 1 << 20  # bytes of an answer
PATIENCE = 30.0  # seconds


class ApiRefused(LudusError):
    """The server did not do what it was asked for."""


def call(
    host: str, port: int, cert: str | os.PathLike[str], token: str | None, method: str, endpoint: str, data: Any = None
) -> Any:
    """What the server answers to get or put of an endpoint under /api/."""
    if method not in ("get", "put"):
        raise ApiRefused(f"the methods are get and put, not {method!r}")
    body = None if data is None else json.dumps(data).encode()
    headers = {"Content-Type": "application/json"} | ({} if token is None else {"X-Api-Token": in_header(token)})
    link = HTTPSConnection(host, port, timeout=PATIENCE, context=tls_context(cert))
    try:
        link.request(method.upper(), f"/api/{endpoint}", body, headers)
        response = link.getresponse()
        status, content = response.status, response.read(LONGEST)
    except HTTPException as error:
        raise LostConnection(f"the server at {host}:{port} does not speak HTTP: {type(error).__name__}") from None
    finally:
        link.close()
    if status != 200:
        raise ApiRefused(refusal(status, content))
    return read_json(content)


def in_header(token: str) -> str:
    """A token, if a header can hold it; an error does not show it."""
    if not token.isascii() or not token.isprintable():
        raise ApiRefused("the token has characters that no token has; copy it again, without line ends")
    return token


def refusal(status: int, content: bytes) -> str:
    """What the server says about its refusal: code (name): data."""
    try:
        told = read_json(content)
        return f"{told['code']} ({told['name']}): {told['data']}"
    except (BadMessage, LookupError, TypeError):
        return f"the server refused with status {status}"


def read_json(content: bytes) -> Any:
    try:
        return json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise BadMessage(f"the server answered {shortened(content)}, which is not JSON") from None
