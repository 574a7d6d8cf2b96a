"""The client's side of the JSON protocol (2022 to 2024): a length of four bytes, then that much JSON.

The length is a signed int in the byte order of the machine, as the course's client has it.
"""

from __future__ import annotations

import json
import struct
from typing import Any, Protocol

from ludus.protocols.oht.playing.link import BadMessage, LostConnection
from ludus.protocols.oht.playing.values import Hooks, own_number, plain, shortened
from ludus.system import read_json

HEADER = struct.Struct("i")
LONGEST = 1 << 20  # bytes of a message; a board of 19×19 has about a thousand

YES = frozenset({"yes", "y", "1", "true", "t"})
NO = frozenset({"no", "n", "0", "false", "f"})


class Link(Protocol):
    """What is needed of a socket."""

    def recv(self, buflen: int = ..., /) -> bytes: ...
    def sendall(self, data: bytes, /) -> None: ...


class JsonHooks(Hooks, Protocol):
    """What a client does about the messages of the JSON protocol. All hooks are called with keyword arguments."""

    def send(self, msg: Any) -> None: ...
    def send_token(self) -> None: ...
    def handle_message(self, message: Any, level: Any) -> None: ...
    def handle_question(self, question: Any, prompt: Any) -> Any: ...
    def handle_error(self, error: Any) -> None: ...
    def handle_finish(self) -> None: ...


class UnexpectedTopic(BadMessage, RuntimeError):
    """A message with a topic that the protocol does not have."""


# ------------------------------------------------------------------------------------------- messages


def receive(link: Link) -> bytes:
    """The body of the next message."""
    (length,) = HEADER.unpack(receive_exactly(link, HEADER.size))
    if not 0 <= length <= LONGEST:
        if all(32 <= byte < 127 for byte in HEADER.pack(length)):  # the beginning of a sentence
            raise BadMessage("this port speaks the text protocol, not the JSON protocol")
        raise BadMessage(f"the server announced a message of {length} bytes; at most {LONGEST} are accepted")
    return receive_exactly(link, length)


def receive_exactly(link: Link, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        more = link.recv(min(length - len(data), 1 << 16))
        if not more:
            raise LostConnection("the server has closed the connection")
        data += more
    return bytes(data)


def read_message(body: bytes) -> dict[str, Any]:
    """The message in a body: a JSON object."""
    try:
        message = read_json(body.decode("utf-8"))
    except ValueError:
        raise BadMessage(f"the server sent {shortened(body)}, which is not JSON") from None
    if not isinstance(message, dict):
        raise BadMessage(f"the server sent {shortened(message)}; a message is a JSON object with a topic")
    return message


def send(link: Link, value: Any) -> None:
    """Sends a value as JSON: its length and its text."""
    body = json.dumps(plain(value)).encode("utf-8")
    link.sendall(HEADER.pack(len(body)))
    link.sendall(body)


def read_answer(answer: Any) -> bool | None:
    """True or False for an answer to a yes/no question; None if it is neither."""
    word = str(answer).lower().strip()
    return True if word in YES else False if word in NO else None


# ------------------------------------------------------------------------------------------- topics


def handle(message: dict[str, Any], hooks: JsonHooks) -> bool:
    """Calls the hook of a message and sends what it returns, where an answer is wanted. False: the session is over."""
    topic = message.get("topic")
    match topic:
        case "authentication":
            hooks.send_token()
        case "question":
            hooks.send(hooks.handle_question(**parts(message, "question", "prompt")))
        case "message":
            hooks.handle_message(**parts(message, "message", "level"))
        case "error":
            hooks.handle_error(**parts(message, "error"))
            return False
        case "finish":
            hooks.handle_finish()
            return False
        case "series_start":
            hooks.handle_series_start(**series_parts(message))
        case "game_start":
            hooks.handle_game_start(**parts(message, "start_player"))
        case "request_action":
            hooks.send(hooks.handle_get_action(**parts(message, "state")))
        case "game_over":
            hooks.handle_game_over(**parts(message, "winner", "end_state"))
        case "series_over":
            hooks.handle_series_over(**parts(message, "stats"))
        case "tournament_over":
            hooks.handle_tournament_over(**parts(message, "score"))
        case _:
            raise UnexpectedTopic(f"the server sent a message with the topic {shortened(topic)}, which there is not")
    return True


def parts(message: dict[str, Any], *names: str) -> dict[str, Any]:
    """Some fields of a message; refuses a message without them."""
    for name in names:
        if name not in message:
            raise BadMessage(f"the server's message {message['topic']!r} has no {name!r}")
    return {name: message[name] for name in names}


def series_parts(message: dict[str, Any]) -> dict[str, Any]:
    """What handle_series_start is called with: our number in the series is looked up in the map of players."""
    given = parts(message, "unique_player_id", "player_id_map", "num_games", "game_params")
    unique_id, player_map = given["unique_player_id"], given["player_id_map"]
    return {
        "unique_id": unique_id,
        "series_id": own_number(unique_id, player_map),
        "player_map": player_map,
        "num_games": given["num_games"],
        "game_params": given["game_params"],
    }
