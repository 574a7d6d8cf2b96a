"""Visitors of the standings who are slow, silent, too many or in a hurry harm only themselves."""

import contextlib
import socket
import ssl
import time
from dataclasses import replace

import pytest

from ludus.protocols.oht.page import api, guard, https
from ludus.protocols.oht.settings import PageSettings
from ludus.protocols.oht.storage.passwords import fingerprint
from tests.oht.served import Tournament, add_player
from tests.oht.test_api import until


@pytest.fixture
def open_tournament(tmp_path):
    """A function that starts a server."""
    opened = []

    def start(page=None):
        opened.append(Tournament(tmp_path, page))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def connect(tournament):
    """A connection without a word."""
    return socket.create_connection(("127.0.0.1", tournament.ports["api"]), timeout=100)


def encrypted(tournament):
    context = ssl.create_default_context(cafile=tournament.certificate)
    return context.wrap_socket(connect(tournament), server_hostname="localhost")


def ended(connection):
    """Does the other side end the connection?"""
    try:
        while connection.recv(4096):
            pass
    except ConnectionError:
        pass
    return True


def test_connections_that_are_too_many_are_closed_the_oldest_first(open_tournament, monkeypatch):
    monkeypatch.setattr(https, "BOUND", replace(https.BOUND, waiting_of_one=3, handshake_seconds=1000))
    tournament = open_tournament()
    silent = [connect(tournament) for _ in range(3)]
    with encrypted(tournament), encrypted(tournament):
        assert ended(silent[0]) and ended(silent[1])
    for one in silent:
        one.close()


def test_whoever_connects_without_end_is_turned_away(open_tournament, monkeypatch):
    monkeypatch.setattr(https, "CONNECTS_AT_ONCE", 2)
    monkeypatch.setattr(https, "CONNECTS_PER_SECOND", 0.001)
    tournament = open_tournament()
    with encrypted(tournament), encrypted(tournament), connect(tournament) as third:
        assert ended(third)


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\n", b"PUT /api/handle HTTP/1.1\r\ncontent-length: 9\r\n\r\n{"]
)
def test_a_visitor_who_does_not_finish_a_request_is_cut_off(open_tournament, monkeypatch, said):
    monkeypatch.setattr(https, "EXCHANGE_SECONDS", 0.3)
    tournament = open_tournament()
    with encrypted(tournament) as visitor:
        with contextlib.suppress(OSError):  # on a busy machine it is cut off before it has said anything
            visitor.sendall(said)
        assert ended(visitor)


def test_no_handshake_no_connection(open_tournament, monkeypatch):
    monkeypatch.setattr(https, "BOUND", replace(https.BOUND, handshake_seconds=0.3))
    tournament = open_tournament()
    with connect(tournament) as silent, connect(tournament) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert ended(silent) and ended(plain)
    assert tournament.log.getvalue() == ""


def test_requests_that_come_too_fast_wait_for_their_turn(open_tournament, monkeypatch):
    monkeypatch.setattr(guard, "REQUESTS_AT_ONCE", 2)
    monkeypatch.setattr(guard, "REQUESTS_PER_SECOND", 0.01)
    monkeypatch.setattr(guard, "PATIENCE", 0.1)
    tournament = open_tournament()
    assert [tournament.ask("GET", "/icon.svg").status_code for _ in range(3)] == [200, 200, 429]


def test_rubbish_is_answered_or_cut_off_and_the_next_visitor_is_served(open_tournament, capfd):
    tournament = open_tournament()
    for rubbish in (b"\0" * 1000, b"GET " + b"x" * 20_000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5000, b"\r\n" * 100):
        with encrypted(tournament) as visitor:
            visitor.sendall(rubbish + b"\r\n\r\n")
            visitor.shutdown(socket.SHUT_WR)
            assert ended(visitor)
    assert tournament.ask("GET", "/").status_code == 200
    assert tournament.log.getvalue() == "" and capfd.readouterr() == ("", "")


def test_the_server_stops_although_visitors_are_there(open_tournament, capfd, caplog):
    """One says nothing, one is kept for the next request, one waits for an answer, and a mail takes long."""
    tournament = open_tournament(PageSettings(mail_command="sleep 1000"))
    add_player(tournament.store, "Anna", email="anna@example.org")
    tournament.ask("PUT", "/api/reset_token", json={"email": "anna@example.org"})
    tournament.server.door.failures[f"127.0.0.1 api {fingerprint('wrong')[:16]}"] = (10, time.monotonic())
    with encrypted(tournament) as waiting, connect(tournament):
        waiting.sendall(b"GET /api/profile HTTP/1.1\r\nhost: x\r\nx-api-token: wrong\r\n\r\n")
        until(lambda: tournament.server.door.names.lines)
        tournament.stop()
        assert ended(waiting)
    assert tournament.log.getvalue() == "" and capfd.readouterr().err == "" and caplog.records == []


def test_a_visitor_who_leaves_while_a_wrong_token_waits_is_forgotten(open_tournament, monkeypatch):
    monkeypatch.setattr(api, "TURN_SECONDS", 0.2)
    tournament = open_tournament()
    lines = tournament.server.door.names.lines
    tournament.server.door.failures[f"127.0.0.1 api {fingerprint('wrong')[:16]}"] = (10, time.monotonic())
    for _ in range(5):
        with encrypted(tournament) as visitor:
            visitor.sendall(b"GET /api/profile HTTP/1.1\r\nhost: x\r\nx-api-token: wrong\r\n\r\n")
    answer = tournament.ask("GET", "/api/profile", "wrong")
    assert answer.status_code == 429 and "Too many wrong tokens" in answer.text
    until(lambda: not lines)
