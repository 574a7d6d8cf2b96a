"""The client's side of the JSON protocol: lengths and bodies, topics, hooks with keyword arguments."""

import json
import struct

import numpy as np
import pytest

from ludus.protocols.oht.playing import json_client
from ludus.protocols.oht.playing.link import BadMessage, LostConnection, tls_socket
from tests.oht.scripted import closed, server, tell, told
from tests.oht.stock_json_client import StockJsonClient


class Client:
    """Remembers what it was called with, by keyword, and answers."""

    def __init__(self, link, action=(0, 1), token="tok-123"):
        self.link, self.action, self.token, self.events = link, action, token, []

    def send(self, msg):
        json_client.send(self.link, msg)

    def send_token(self):
        self.send(self.token)

    def handle_finish(self):
        self.events.append(("finish", {}))

    def handle_question(self, *, question, prompt):
        self.events.append(("question", {"question": question, "prompt": prompt}))
        return False

    def handle_get_action(self, *, state):
        self.events.append(("get_action", {"state": state}))
        return self.action

    def __getattr__(self, name):  # the other hooks
        if not name.startswith("handle_"):
            raise AttributeError(name)
        return lambda **values: self.events.append((name.removeprefix("handle_"), values))

    def run(self):
        while json_client.handle(json_client.read_message(json_client.receive(self.link)), self):
            pass
        return self


class FakeLink:
    """Bytes that arrive in pieces of one length."""

    def __init__(self, data, piece=1 << 20):
        self.data, self.piece, self.sent = data, piece, []

    def recv(self, length, /):
        assert length > 0
        piece, self.data = self.data[: min(length, self.piece)], self.data[min(length, self.piece) :]
        return piece

    def sendall(self, data, /):
        self.sent.append(data)


def framed(*messages):
    bodies = [m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages]
    return b"".join(struct.pack("i", len(body)) + body for body in bodies)


SERIES = {"unique_player_id": -200, "player_id_map": [[-200, 2], [7, 1]], "num_games": 2, "game_params": [3]}
STATE = [2, 0, 0, 0, 0, 1, 0, 0, 0, 0]
SESSION = [
    {"topic": "authentication"},
    {"topic": "message", "message": "hello", "level": "WARNING"},
    {"topic": "question", "question": "qualify", "prompt": "Qualify?"},
    {"topic": "series_start", **SERIES},
    {"topic": "game_start", "start_player": 1},
    {"topic": "request_action", "state": STATE},
    {"topic": "game_over", "winner": 2, "end_state": STATE},
    {"topic": "series_over", "stats": [[-200, 2, 1, 1], [7, 1, 1, 1]]},
    {"topic": "tournament_over", "score": 50.0},
    {"topic": "finish"},
]
HAPPENED = [
    ("message", {"message": "hello", "level": "WARNING"}),
    ("question", {"question": "qualify", "prompt": "Qualify?"}),
    (
        "series_start",
        {
            "unique_id": -200,
            "series_id": 2,
            "player_map": [[-200, 2], [7, 1]],
            "num_games": 2,
            "game_params": [3],
        },
    ),
    ("game_start", {"start_player": 1}),
    ("get_action", {"state": STATE}),
    ("game_over", {"winner": 2, "end_state": STATE}),
    ("series_over", {"stats": [[-200, 2, 1, 1], [7, 1, 1, 1]]}),
    ("tournament_over", {"score": 50.0}),
    ("finish", {}),
]
REPLIES = [b'\x09\x00\x00\x00"tok-123"', b"\x05\x00\x00\x00false", b"\x06\x00\x00\x00[0, 1]"]


def whole_session(link):
    """Checks the bytes of every reply."""
    replies = iter(REPLIES)
    for message in SESSION:
        tell(link, json.dumps(message))
        if message["topic"] in ("authentication", "question", "request_action"):
            assert told(link) == next(replies)
    assert closed(link)


def test_a_session_calls_the_hooks_by_keyword_and_sends_the_bytes_of_the_course(folder):
    with server(folder, whole_session) as there, tls_socket(folder / "server.crt") as link:
        link.connect(("127.0.0.1", there.port))
        client = Client(link).run()
    assert client.events == HAPPENED


def test_the_stock_client_sends_and_hears_the_same(folder):
    with server(folder, whole_session) as there:
        stock = StockJsonClient("127.0.0.1", there.port, folder / "server.crt", "tok-123", False, lambda s: (0, 1))
        stock.run()
    assert stock.score == 50.0 and stock.finished and stock.messages == [("WARNING", "hello")]
    assert [topic for topic, _ in stock.events] == [m["topic"] for m in SESSION[3:-1]]


@pytest.mark.parametrize("piece", [1, 3, 5, 1 << 20])
def test_it_does_not_matter_how_the_bytes_are_cut(piece):
    client = Client(FakeLink(framed(*SESSION), piece)).run()
    assert client.events == HAPPENED
    assert b"".join(client.link.sent) == b"".join(REPLIES)
    assert client.link.sent[:2] == [b"\x09\x00\x00\x00", b'"tok-123"']  # two writes


@pytest.mark.parametrize("action", [(0, 1), [0, 1], (np.int64(0), np.int64(1)), np.array([0, 1]), (np.int8(0), 1)])
def test_numpy_never_reaches_the_wire(action):
    client = Client(FakeLink(framed({"topic": "request_action", "state": STATE}, {"topic": "finish"})), action).run()
    assert b"".join(client.link.sent) == b"\x06\x00\x00\x00[0, 1]"


@pytest.mark.parametrize("length", [-1, -(2**31), 2**31 - 1, (1 << 20) + 1])
def test_lengths_that_no_message_has_are_refused(length):
    link = FakeLink(struct.pack("i", length) + b"x" * 100)
    with pytest.raises(BadMessage, match=f"announced a message of {length} bytes"):
        json_client.receive(link)
    assert len(link.data) == 100  # not even begun to read


def test_a_port_of_the_text_protocol_is_recognised():
    with pytest.raises(BadMessage, match="this port speaks the text protocol"):
        json_client.receive(FakeLink(b"Please enter your username: "))


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"nope"])
def test_what_is_no_json_is_refused(body):
    with pytest.raises(BadMessage, match="which is not JSON"):
        Client(FakeLink(framed(body))).run()


@pytest.mark.parametrize("body", [b"[]", b"1", b'"topic"', b"null"])
def test_what_is_no_object_is_refused(body):
    with pytest.raises(BadMessage, match="a message is a JSON object with a topic"):
        Client(FakeLink(framed(body))).run()


@pytest.mark.parametrize(
    "topic", ["game_end", "series_end", "tournament_end", "illegal_action", "", None, 7, "x" * 9999]
)
def test_an_unexpected_topic_is_an_error(topic):
    with pytest.raises(RuntimeError, match="which there is not") as error:
        Client(FakeLink(framed({"topic": topic}))).run()
    assert isinstance(error.value, BadMessage) and len(str(error.value)) < 200


@pytest.mark.parametrize("message", [m for m in SESSION if len(m) > 1], ids=lambda m: m["topic"])
def test_a_message_without_one_of_its_fields_is_refused(message):
    field = list(message)[-1]
    broken = {name: value for name, value in message.items() if name != field}
    with pytest.raises(BadMessage, match=f"{message['topic']!r} has no {field!r}"):
        Client(FakeLink(framed(broken))).run()


def test_a_series_without_our_id_is_refused():
    with pytest.raises(BadMessage, match="our id is 8"):
        Client(FakeLink(framed({"topic": "series_start", **SERIES, "unique_player_id": 8}))).run()


@pytest.mark.parametrize("cut", [0, 2, 4, 10])
def test_a_server_that_closes_in_the_middle_is_a_lost_connection(cut):
    with pytest.raises(LostConnection, match="the server has closed the connection") as lost:
        Client(FakeLink(framed({"topic": "finish"})[:cut])).run()
    assert isinstance(lost.value, OSError)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *[(word, True) for word in ("yes", "Y", " t ", True, 1)],
        *[(word, False) for word in ("no", "F", "n", False, 0)],
        *[(word, None) for word in ("", "maybe", "yess", None)],
    ],
)
def test_yes_and_no_in_all_their_forms(word, meant):
    assert json_client.read_answer(word) is meant
