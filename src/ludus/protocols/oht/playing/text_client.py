"""The client's side of the text protocol (2020 and 2021): one TLS record per item, no delimiters.

A receive of TLS never returns bytes of two records, so one receive is one item. Nothing that a server sends is
evaluated: values are Python literals, parsed as such.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Literal, Protocol

from ludus.protocols.oht.playing.link import BadMessage, LostConnection
from ludus.protocols.oht.playing.values import Hooks, own_number, plain, shortened

LONGEST = 1024  # bytes of an item

Kind = Literal["ask", "secret", "play", "refused", "over"]
KEYWORDS: tuple[tuple[str, Kind], ...] = (  # of the login dialogue; the first that a text contains counts
    ("username", "ask"),
    ("password", "secret"),
    ("Welcome", "play"),
    ("Invalid credentials", "refused"),
    ("player-name", "ask"),
    ("qualify", "ask"),
    ("stress", "ask"),
    ("Sorry", "over"),
)


class Link(Protocol):
    """What is needed of a socket."""

    def recv(self, buflen: int = ..., /) -> bytes: ...
    def sendall(self, data: bytes, /) -> None: ...


class TextHooks(Hooks, Protocol):
    """The seven methods of the course's text client."""

    def handle_illegal_action(self, state: Any, illegal_action: Any) -> None: ...


# ------------------------------------------------------------------------------------------- items


def receive(link: Link) -> str:
    """The next item; empty if the server has closed the connection."""
    data = link.recv(LONGEST)
    if b"\0" in data[:4]:
        raise BadMessage("this port speaks the JSON protocol, not the text protocol")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadMessage(f"the server sent bytes that are no text: {shortened(data)}") from None


def receive_value(link: Link) -> Any:
    """The next item, a Python literal."""
    return read_value(receive(link))


def read_value(text: str) -> Any:
    """The value that a literal means."""
    if not text:
        raise LostConnection("the server has closed the connection in the middle of the tournament")
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise BadMessage(f"the server sent {shortened(text)}, which is neither a topic nor a value") from None


def write_action(action: Any) -> str:
    """What is sent for an action: the text of the value, with plain numbers in it."""
    return str(plain(action))


# ------------------------------------------------------------------------------------------- the dialogue


def kind_of(text: str) -> tuple[str, Kind] | None:
    """The keyword of a text in the login dialogue, and what it asks for; None if there is none."""
    return next(((word, kind) for word, kind in KEYWORDS if word in text), None)


def log_in(link: Link, answer: Callable[[str, Kind, str], str]) -> tuple[Kind | None, str]:
    """Answers the prompts until the server lets the player in or not; how that ended, and the server's words.

    `answer` is called with the keyword of a prompt, its kind (ask or secret) and its text.
    """
    while True:
        text = receive(link)
        found = kind_of(text)
        if found is None or found[1] not in ("ask", "secret"):
            return found and found[1], text
        link.sendall(answer(*found, text).encode("utf-8"))


def play(link: Link, hooks: TextHooks, show: Callable[[str], None] = lambda text: None) -> bool:
    """Plays until the tournament is over (True) or the server has refused an illegal action (False)."""
    while True:
        text = receive(link)
        show(text)
        match text:
            case "Series start":
                start_series(link, hooks)
            case "Game start":
                hooks.handle_game_start(receive_value(link))
            case "Game end":
                winner = receive_value(link)
                hooks.handle_game_over(winner, receive_value(link))
            case "Series end":
                hooks.handle_series_over(receive_value(link))
            case "Tournament end":
                hooks.handle_tournament_over(receive_value(link))
                return True
            case "Illegal action":
                state = receive_value(link)
                hooks.handle_illegal_action(state, receive_value(link))
                return False
            case _:
                action = hooks.handle_get_action(read_value(text))
                link.sendall(write_action(action).encode("utf-8"))


def start_series(link: Link, hooks: TextHooks) -> None:
    unique_id, player_map, num_games, game_params = (receive_value(link) for _ in range(4))
    hooks.handle_series_start(unique_id, own_number(unique_id, player_map), player_map, num_games, game_params)
