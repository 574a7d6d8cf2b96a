"""Targets: what comes over the network. Both ends of the online Hex tournament, its REST API, and the page."""

import asyncio
import json
import struct
from copy import copy
from types import SimpleNamespace

from starlette.requests import Request

from ludus.games.hex import Hex
from ludus.play import talk
from ludus.play.clock import read_clock
from ludus.protocols.oht.page.guard import Refusal, read_field
from ludus.protocols.oht.playing.client import Contestant, JsonContestant, play_text
from ludus.protocols.oht.playing.player import HexPlayer
from ludus.protocols.oht.playing.table_player import TablePlayer
from ludus.protocols.oht.serving.json_wire import JsonWire
from ludus.protocols.oht.serving.line import Bounds, Gone, Late, Nonsense
from ludus.protocols.oht.serving.login import nickname_of
from ludus.protocols.oht.serving.text_wire import TextWire
from ludus.protocols.oht.storage.names import key_of
from ludus.protocols.oht.table import Table
from ludus.web import messages as m
from ludus.web.codec import read_ask
from ludus.web.files import list_opponents, read_file
from ludus.web.learning.orders import ResumeOrder, ToppOrder, TournamentOrder, TrainOrder, read_order, written
from ludus.web.learning.routes import body_of
from ludus.web.lessons.routes import body_of as lesson_of
from ludus.web.lessons.routes import task_of
from ludus.web.link import nearest_link, read_link
from tests.fuzz.contract import attempt, check, choice, pieces, target, text_of
from tests.fuzz.texts import LIBRARY

HEX = Hex(5)
SITE = SimpleNamespace(library=LIBRARY)
QUIET = (Gone, Late, Nonsense)  # by which the server knows that a session is over


LOOP = asyncio.new_event_loop()


def finish(coroutine):
    """What a coroutine returns."""
    return LOOP.run_until_complete(coroutine)


# ------------------------------------------------------------------------------------------- a server's clients


class Heard:
    """A client's line to the server, which says what it was going to say."""

    lost = False

    def __init__(self, data):
        self.bounds, self.data, self.records = Bounds(), data, iter(pieces(data))

    async def send(self, *items):
        check(all(isinstance(item, bytes) for item in items), "only bytes can be sent")

    async def receive(self, seconds):
        for record in self.records:
            return record
        raise Gone

    async def receive_exactly(self, count, seconds):
        if len(self.data) < count:
            raise Gone
        taken, self.data = self.data[:count], self.data[count:]
        return taken


@target("oht-text-server", largest=256)
def oht_text_server(data: bytes) -> None:
    """A client of the text protocol logs in and moves."""
    wire, table = TextWire(Heard(data)), Table(HEX, 1)
    account = SimpleNamespace(handle="ann", name="ann")

    async def session():
        name = await wire.question("name", 1.0)
        key_of(name), nickname_of(name, account)
        for _ in range(10):
            action = table.action_at(await wire.ask(table.flat(), 1.0))
            if action is None or table.state.over:
                return await wire.illegal(table.flat(), name, "not legal")
            table.play(action)

    attempt(lambda: finish(session()), *QUIET)


@target("oht-json-server", largest=512)
def oht_json_server(data: bytes) -> None:
    """A client of the JSON protocol logs in, answers a question and moves."""
    kind, data = choice(data, ["raw", "framed"])
    if kind == "framed":
        data = b"".join(struct.pack("=i", len(piece)) + piece for piece in pieces(data))
    wire, table = JsonWire(Heard(data), HEX), Table(HEX, 2)

    async def session():
        check(isinstance(await wire.authenticate(1.0), str), "a token is a text")
        check(isinstance(await wire.question("qualify", "?", 1.0), bool), "an answer is yes or no")
        for _ in range(10):
            action = table.action_at(await wire.ask(table.flat(), 1.0))
            if action is None or table.state.over:
                return await wire.illegal(table.flat(), "that", "not legal")
            table.play(action)

    try:
        attempt(lambda: finish(session()), Gone, Late)
    except Nonsense as nonsense:
        json.dumps(f"{nonsense.said!r}").encode()  # which the client is told


@target("oht-api", largest=256)
def oht_api(data: bytes) -> None:
    """The body of a request to the REST API."""
    value = attempt(lambda: finish(read_field(request_of(data), "email")), Refusal)
    check(value is None or bool(value.encode() or True), "half a character came in")


# ------------------------------------------------------------------------------------------- a client's server


class Spoken:
    """A server's line to our client."""

    def __init__(self, data, records=False):
        self.data, self.records = data, iter(pieces(data)) if records else None

    def recv(self, size=1024, /):
        if self.records is not None:
            return next(self.records, b"")[:size]
        taken, self.data = self.data[:size], self.data[size:]
        return taken

    def sendall(self, data, /):
        check(isinstance(data, bytes), "only bytes can be sent")


PLAYERS = HexPlayer("random", 1), TablePlayer("othello", "random", 1)


def player_of(number):
    return copy(PLAYERS[number])  # making one asks whether its game fits the protocol, which takes longest


@target("oht-text-client")
def oht_text_client(data: bytes) -> None:
    """A server of the text protocol."""
    which, data = choice(data, [0, 1])
    attempt(lambda: play_text(Spoken(data, records=True), Contestant(player_of(which)), lambda *_: "ann"))


@target("oht-json-client")
def oht_json_client(data: bytes) -> None:
    """A server of the JSON protocol."""
    which, data = choice(data, [0, 1, 2])
    if which < 2:
        data = b"".join(struct.pack("i", len(piece)) + piece for piece in pieces(data))
    attempt(lambda: JsonContestant(player_of(which % 2), Spoken(data), lambda: "token", official=True).play())


# ------------------------------------------------------------------------------------------- the page


def request_of(body, query=b"", **path):
    """A request with this body."""

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    scope = {
        "type": "http", "method": "POST", "headers": [], "path": "/", "query_string": query, "path_params": path,
    }  # fmt: skip
    return Request(scope, receive)


@target("web-messages")
def web_messages(data: bytes) -> None:
    """A page's message over its WebSocket, and what it names: a game, a clock, a link, a move."""
    ask = attempt(lambda: read_ask(text_of(data)))
    match ask:
        case m.New():
            attempt(lambda: LIBRARY.make(ask.game, ask.options).start())
            attempt(lambda: read_clock(ask.clock))
        case m.Follow():
            if attempt(lambda: read_link(LIBRARY, ask.link)) is None:
                nearest_link(LIBRARY, ask.link, "hex")
        case m.Play():
            state = HEX.start()
            if isinstance(ask.move, str):
                attempt(lambda: talk.read(HEX, state, ask.move))
            else:
                attempt(lambda: state.play(ask.move))


@target("web-lessons", largest=1500)
def web_lessons(data: bytes) -> None:
    """The request for a lesson."""
    kind, data = choice(data, ["mcts", "alphabeta", "chess"])
    attempt(lambda: task_of(SITE, kind, finish(lesson_of(request_of(data)))))


@target("web-orders", largest=512)
def web_orders(data: bytes) -> None:
    """The order of a training or a tournament."""
    kind, data = choice(data, [TrainOrder, ResumeOrder, ToppOrder, TournamentOrder])
    order = attempt(lambda: read_order(kind, finish(body_of(request_of(data)))))
    if order is not None:
        json.dumps(written(order))
    if isinstance(order, TrainOrder):
        arguments = attempt(lambda: order.arguments(LIBRARY, "run"))
        check(arguments is None or all(isinstance(word, str) for word in arguments), "a command is made of words")


@target("web-files", largest=4096)
def web_files(data: bytes) -> None:
    """A game file that a page sends, and the options for which it asks who plays."""
    read = attempt(lambda: read_file(SITE, data))
    if read is not None:
        game, record = read
        check(game.after(record.actions) is not None, "a game was read that cannot be played")
    site = SimpleNamespace(library=LIBRARY, opponents=SimpleNamespace(of=lambda game: []))
    attempt(lambda: list_opponents(site, request_of(b"", b"game=hex&options=" + data.replace(b"&", b"%26"))))
