"""The client's side of the text protocol: one TLS record per item, the order of the keywords, seven hooks."""

import random
from collections import deque

import numpy as np
import pytest

from ludus.errors import LudusError
from ludus.protocols.oht.playing import text_client
from ludus.protocols.oht.playing.client import Contestant
from ludus.protocols.oht.playing.link import BadMessage, LostConnection, tls_socket
from ludus.protocols.oht.playing.player import HexPlayer
from tests.oht.scripted import closed, expect, say, server, text_login
from tests.oht.stock_text_client import StockTextClient

STATE = "(2, 0, 1, 0, 0, 2, 0, 0, 0, 1)"
SERIES = ("Series start", -200, [(-200, 2), (7, 1)], 2, [3])
ENDS = ("Game end", 1, "(1, 1, 0, 0, 1, 2, 0, 1, 0, 2)", "Series end", [(-200, 2, 0, 2), (7, 1, 2, 0)])
HAPPENED = [
    ("series_start", -200, 2, [(-200, 2), (7, 1)], 2, [3]),
    ("game_start", 1),
    ("get_action", (2, 0, 1, 0, 0, 2, 0, 0, 0, 1), (0, 0)),
    ("game_over", 1, (1, 1, 0, 0, 1, 2, 0, 1, 0, 2)),
    ("series_over", [(-200, 2, 0, 2), (7, 1, 2, 0)]),
    ("tournament_over", 12.5),
]


class Hooks:
    """Remembers what it was called with, positionally, and answers with the same action every time."""

    def __init__(self, action=(0, 0)):
        self.events, self.action = [], action

    def handle_get_action(self, state, /):
        self.events.append(("get_action", state, self.action))
        return self.action

    def handle_series_start(self, unique_id, series_id, player_map, num_games, game_params, /):
        self.events.append(("series_start", unique_id, series_id, player_map, num_games, game_params))

    def handle_game_start(self, start_player, /):
        self.events.append(("game_start", start_player))

    def handle_game_over(self, winner, end_state, /):
        self.events.append(("game_over", winner, end_state))

    def handle_series_over(self, stats, /):
        self.events.append(("series_over", stats))

    def handle_tournament_over(self, score, /):
        self.events.append(("tournament_over", score))

    def handle_illegal_action(self, state, illegal_action, /):
        self.events.append(("illegal_action", state, illegal_action))


class FakeLink:
    """Every receive gets the next item; after the last one the server has closed the connection."""

    def __init__(self, *items):
        self.items, self.sent = deque(i if isinstance(i, bytes) else str(i).encode() for i in items), []

    def recv(self, length, /):
        assert length == 1024
        return self.items.popleft() if self.items else b""

    def sendall(self, data, /):
        self.sent.append(data)


def whole_tournament(link):
    """Login and tournament; everything between two replies is sent back to back."""
    text_login(link)
    say(link, *SERIES, "Game start", 1, STATE)
    expect(link, "(0, 0)")
    say(link, *ENDS, "Tournament end", 12.5)
    assert closed(link)


def test_a_tournament_calls_the_hooks_in_order_with_the_parsed_values(folder):
    answers = {"username": "ann", "password": "secret", "player-name": "Ann", "qualify": "n"}
    asked, hooks = [], Hooks()

    def answer(keyword, kind, prompt):
        asked.append((keyword, kind, prompt))
        return answers[keyword]

    with server(folder, whole_tournament) as there, tls_socket(folder / "server.crt") as link:
        link.connect(("127.0.0.1", there.port))
        assert text_client.log_in(link, answer) == ("play", "Welcome to the tournament")
        assert text_client.play(link, hooks) is True
    assert hooks.events == HAPPENED
    assert [(keyword, kind) for keyword, kind, _ in asked] == [
        ("username", "ask"),
        ("password", "secret"),
        ("player-name", "ask"),
        ("qualify", "ask"),
    ]
    assert asked[0][2] == "Enter your username: "  # the server's own text is the prompt


def test_the_stock_client_hears_the_same(folder):
    answers = {"username": "ann", "password": "secret", "player-name": "Ann", "qualify": "n"}
    with server(folder, whole_tournament) as there:
        stock = StockTextClient("127.0.0.1", there.port, folder / "server.crt", answers, lambda state: (0, 0)).run()
    assert stock.events == HAPPENED and stock.outcome == "played" and stock.score == 12.5


@pytest.mark.parametrize(
    ("text", "keyword"),
    [
        ("Your password for this username?", "username"),
        ("Welcome. Your password please", "password"),
        ("Invalid credentials, you are not Welcome", "Welcome"),
        ("Invalid credentials for that player-name", "Invalid credentials"),
        ("A player-name to qualify with", "player-name"),
        ("qualify, without stress", "qualify"),
        ("Sorry for the stress", "stress"),
        ("Sorry, no attempts are left", "Sorry"),
        ("User did not want to participate in stress test.", "stress"),
        ("Username? Password? WELCOME? sorry", None),
        ("", None),
    ],
)
def test_the_first_keyword_of_the_list_decides(text, keyword):
    found = text_client.kind_of(text)
    assert (found and found[0]) == keyword


@pytest.mark.parametrize(
    ("text", "kind"), [("Invalid credentials", "refused"), ("Sorry, closed", "over"), ("Hello", None), ("", None)]
)
def test_a_login_that_does_not_succeed_says_how_it_ended(text, kind):
    link = FakeLink("username?", text)
    assert text_client.log_in(link, lambda *prompt: "ann") == (kind, text)
    assert link.sent == [b"ann"]


@pytest.mark.parametrize(
    "action",
    [
        (1, 2),
        (np.int64(1), np.int32(2)),
        np.array([1, 2]),
        [1, 2],
        (np.array(1), 2),
        (True + np.uint8(0), np.uint8(2)),
    ],
)
def test_numpy_never_reaches_the_wire(action):
    link = FakeLink("(1, 0, 0, 0, 0)", "Tournament end", "0")
    text_client.play(link, Hooks(action))
    assert link.sent in ([b"(1, 2)"], [b"[1, 2]"])


def test_an_illegal_action_ends_the_loop_after_its_hook():
    hooks = Hooks()
    link = FakeLink("(1, 2, 0, 0, 0)", "Illegal action", "(1, 2, 0, 0, 0)", "(0, 0)", "(1, 0, 0, 0, 0)")
    assert text_client.play(link, hooks) is False
    assert hooks.events[-1] == ("illegal_action", (1, 2, 0, 0, 0), (0, 0))
    assert len(link.sent) == 1 and len(link.items) == 1  # nothing is received or sent after it


def test_every_message_is_shown_but_not_its_values():
    shown = []
    text_client.play(FakeLink(*SERIES, "Game start", 2, STATE, "Tournament end", 1), Hooks(), shown.append)
    assert shown == ["Series start", "Game start", STATE, "Tournament end"]


@pytest.mark.parametrize(
    "text",
    [
        "series start",
        "Game over",
        "The read operation timed out",
        "Game end2",
        "(1, 0",
        "__import__('os').system('false')",
        "[].append(1)",
        "1 + x",
        "(" * 400,
        "-" * 900 + "1",
    ],
)
def test_what_is_neither_a_topic_nor_a_literal_is_refused_in_a_sentence(text):
    hooks = Hooks()
    with pytest.raises(BadMessage, match=r"the server sent .*, which is neither a topic nor a value") as refused:
        text_client.play(FakeLink(text), hooks)
    assert not hooks.events and len(str(refused.value)) < 200


@pytest.mark.parametrize("said", [(), ("Series start", 1), ("Game end", 1), ("Game start",), ("Illegal action",)])
def test_a_server_that_closes_in_the_middle_is_a_lost_connection(said):
    with pytest.raises(LostConnection, match="the server has closed the connection") as lost:
        text_client.play(FakeLink(*said), Hooks())
    assert isinstance(lost.value, LudusError) and isinstance(lost.value, OSError)


@pytest.mark.parametrize("players", ["[]", "[(1, 1), (2, 2)]", "7", "[7]", "[()]"])
def test_a_map_of_players_without_our_id_is_refused(players):
    with pytest.raises(BadMessage, match="our id is -200"):
        text_client.play(FakeLink("Series start", -200, players, 1, [3]), Hooks())


def test_bytes_that_are_no_text_and_a_port_of_the_other_protocol_are_refused():
    with pytest.raises(BadMessage, match="bytes that are no text"):
        text_client.play(FakeLink(b"\xff\xfe"), Hooks())
    with pytest.raises(BadMessage, match="this port speaks the JSON protocol"):
        text_client.log_in(FakeLink(b'\x1b\x00\x00\x00{"topic": "authentication"}'), lambda *prompt: "")
    with pytest.raises(BadMessage, match="this port speaks the JSON protocol"):
        text_client.log_in(FakeLink(b"\x1b\x00\x00\x00"), lambda *prompt: "")


def test_whatever_a_server_says_is_at_worst_a_sentence():
    """Two thousand tournaments of which some values are wrong; nothing but a LudusError ends them early."""
    rng = random.Random(1)
    odd = [
        "None",
        "()",
        "[]",
        "-1",
        "0",
        "1",
        "2",
        "3",
        "1e400",
        "'x'",
        "[3]",
        "[19]",
        "[20]",
        "[[3]]",
        "{}",
        "{1}",
        "b''",
    ]
    odd += [
        "[(-200, 1)]",
        "[(-200, 3), (7, 2)]",
        "[(-200, 1), 5]",
        "[(-200, [])]",
        "(1, 2)",
        "True",
        "[True]",
        "1j",
        STATE,
    ]
    right = [*map(str, SERIES), "Game start", "1", STATE, *map(str, ENDS), "Tournament end", "1.0"]
    finished = 0
    for _ in range(2000):
        items = [rng.choice(odd) if rng.random() < 0.06 else item for item in right]
        contestant = Contestant(HexPlayer("random", seed=1))
        try:
            text_client.play(FakeLink(*items), contestant)
            finished += 1
        except LudusError as error:
            assert 0 < len(str(error)) < 400
    assert 100 < finished < 1900
