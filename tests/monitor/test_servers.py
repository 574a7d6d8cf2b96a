"""/metrics, /health and /ready of both servers, who may read them, and logs without secrets."""

import asyncio
import contextlib
import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
import time

import httpx2
import pytest
from starlette.testclient import TestClient

from ludus.monitor import answers, logs
from ludus.protocols.oht.settings import PageSettings, TournamentSettings
from ludus.protocols.oht.storage.store import DatabaseTrouble
from ludus.web.app import make_app
from ludus.web.site import SiteSettings
from tests.oht.crowd import play_json, play_text
from tests.oht.link import Closed, trusting
from tests.oht.served import SMALL, Tournament
from tests.ports import lasting_port
from tests.web.asking import HOME, SOCKET, Page

parser = pytest.importorskip(
    "prometheus_client.parser", reason="prometheus_client is missing: pip install prometheus-client"
)
PATIENCE = 100


def samples(text):
    """name{label=value,…} → number."""
    found = {}
    for family in parser.text_string_to_metric_families(text):
        assert family.documentation
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
            found[sample.name + (f"{{{labels}}}" if labels else "")] = sample.value
    return found


def until(found):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.02)
    raise AssertionError("it never came")


# ------------------------------------------------------------------------------------------------ the page


def test_the_page_counts_what_happens_and_says_when_it_is_ready(tmp_path):
    with TestClient(make_app(SiteSettings(runs=tmp_path, workers=1)), HOME) as client:
        assert client.get("/health").json() == {"status": "alive"}
        ready = until(lambda: (answer := client.get("/ready")).status_code == 200 and answer.json())
        assert ready == {"status": "ready", "workers": "well", "folder": "well"}
        with client.websocket_connect(SOCKET) as socket:
            page = Page(socket)
            page.ask("new", game="tic_tac_toe", options={}, seats=["person", "level:casual"])
            page.ask("play", node=0, move="b2")
            page.told("table", lambda table: len(table["line"]) == 2)
            page.ask("resign")
            page.told("table", lambda table: table["status"]["over"])
            answer = client.get("/metrics")
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        found = samples(answer.text)
        assert found["ludus_connections_total"] == found["ludus_connections"] == 1
        assert (
            found["ludus_games_begun_total{game=tic_tac_toe}"] == found["ludus_games_finished_total{ended=resign}"] == 1
        )
        assert found["ludus_moves_total"] == 2 and found["ludus_answer_seconds_count{task=move}"] == 1
        assert found["ludus_answer_seconds_bucket{le=+Inf,task=move}"] == 1
        assert found["ludus_workers"] == found["ludus_workers_wanted"] == 1 and found["ludus_workers_lost_total"] == 0
        assert found["ludus_errors_total{where=message}"] == 0 and found["ludus_responses_total{status=2xx}"] >= 2


def test_without_its_worker_or_its_folder_the_page_is_alive_but_not_ready(tmp_path, monkeypatch):
    with TestClient(make_app(SiteSettings(runs=tmp_path, workers=1)), HOME) as client:
        site = client.app.state.site
        until(lambda: client.get("/ready").status_code == 200)
        pid = site.pool.workers[0].pid
        os.kill(pid, signal.SIGSTOP)  # nobody notices at once; killed, a new one takes its place
        os.kill(pid, signal.SIGKILL)
        until(lambda: samples(client.get("/metrics").text)["ludus_workers_lost_total"] == 1)
        until(lambda: client.get("/ready").status_code == 200)
        (tmp_path / "page").rmdir()
        (tmp_path / "page").write_text("a file where the folder should be")
        answer = client.get("/ready")
        assert answer.status_code == 503 and answer.json()["folder"] == "failing"
        assert client.get("/health").status_code == 200


def test_a_page_message_that_breaks_the_server_is_counted_and_logged_with_its_trace(tmp_path, caplog):
    with TestClient(make_app(SiteSettings(runs=tmp_path, workers=1)), HOME) as client:
        client.app.state.site.tables.get = lambda key: 1 / 0
        with client.websocket_connect(SOCKET) as socket:
            page = Page(socket)
            page.ask("open", table="0" * 12)
            assert "ZeroDivisionError" in page.told("refused")["sentence"]
        assert samples(client.get("/metrics").text)["ludus_errors_total{where=message}"] == 1
    (record,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert "ZeroDivisionError" in record.getMessage() and record.exc_info


def test_with_a_token_the_numbers_want_it_and_health_does_not(tmp_path):
    settings = SiteSettings(runs=tmp_path, workers=1, host="0.0.0.0", token="open-sesame")
    with TestClient(make_app(settings), "http://school.example:8000") as client:
        assert client.get("/metrics").status_code == 403 == client.get("/").status_code
        assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 403
        assert client.get("/metrics", headers={"Authorization": "Bearer open-sesame"}).status_code == 200
        assert client.get("/health").status_code == 200 and client.get("/ready").status_code in (200, 503)


# ------------------------------------------------------------------------------------------------ the tournament


@pytest.fixture
def tournament(tmp_path):
    served = Tournament(tmp_path, tournament=SMALL)
    yield served
    served.close()


def test_the_tournament_counts_what_happens_and_says_when_it_is_ready(tournament):
    account = tournament.store.add_account("anna", "a long password")
    token, context = tournament.store.new_token(account.id), trusting(tournament.certificate)

    async def play():
        await play_text(tournament.ports["text"], context, "anna", "a long password", True, 1)
        await play_json(tournament.ports["json"], context, token, False, 2)
        for wrong in ("nobody", "nonsense"):
            with contextlib.suppress(Closed, OSError):
                await play_text(tournament.ports["text"], context, wrong, "guess", True, 3)

    asyncio.run(play())
    assert tournament.ask("GET", "/health").json() == {"status": "alive"}
    ready = tournament.ask("GET", "/ready")
    assert ready.json() == {"status": "ready", "database": "well", "workers": "well"} and ready.status_code == 200
    answer = tournament.ask("GET", "/metrics")
    found = samples(answer.text)
    assert found["ludus_games_finished_total{ended=rules}"] == SMALL.games + SMALL.verification_games
    assert found["ludus_moves_total"] >= 3 * found["ludus_games_finished_total{ended=rules}"]
    assert found["ludus_store_seconds_count"] == SMALL.games + SMALL.verification_games
    assert found["ludus_logins_total{protocol=text,result=right}"] == 1
    assert found["ludus_logins_total{protocol=json,result=right}"] == 1
    assert found["ludus_logins_total{protocol=text,result=wrong}"] == 2
    assert found["ludus_connections_total{door=text}"] == 3 and found["ludus_connections_total{door=api}"] >= 1
    assert found["ludus_errors_total{where=connection}"] == 0


def test_a_tournament_whose_database_fails_is_alive_but_not_ready(tournament, monkeypatch):
    def fail():
        raise DatabaseTrouble("the disk is gone")

    monkeypatch.setattr(tournament.server.archive.store, "status", fail)
    answer = tournament.ask("GET", "/ready")
    assert answer.status_code == 503 and answer.json() == {
        "status": "not ready", "database": "failing", "workers": "well",
    }  # fmt: skip
    assert tournament.ask("GET", "/health").status_code == 200


def test_a_check_that_takes_too_long_counts_as_failing(tournament, monkeypatch):
    monkeypatch.setattr(answers, "PATIENCE", 0.05)
    monkeypatch.setattr(tournament.server.archive.store, "status", lambda: time.sleep(1))
    assert tournament.ask("GET", "/ready").json()["database"] == "failing"


def test_processes_of_the_house_that_died_are_started_again_by_the_question(tmp_path):
    agents = TournamentSettings(
        3, opponents=("mcts:simulations=5",), games=2, verification=("random",), verification_games=2
    )
    served = Tournament(tmp_path, tournament=agents)
    try:
        until(lambda: served.ask("GET", "/ready").status_code == 200)
        for thinker in served.server.house._thinkers:
            os.kill(thinker._process.pid, signal.SIGKILL)
        until(lambda: samples(served.ask("GET", "/metrics").text)["ludus_workers_lost_total"] == 1)
        until(lambda: served.ask("GET", "/ready").status_code == 200)
        assert samples(served.ask("GET", "/metrics").text)["ludus_workers"] == 1
    finally:
        served.close()


def test_a_metrics_token_is_wanted_from_everybody(tmp_path):
    served = Tournament(tmp_path, PageSettings(metrics_token="open sesame"))
    try:
        assert served.ask("GET", "/metrics").status_code == 401
        assert served.ask("GET", "/metrics", headers={"Authorization": "Bearer open"}).status_code == 401
        assert served.ask("GET", "/metrics", headers={"Authorization": "Bearer open sesame"}).status_code == 200
        assert served.ask("GET", "/ready").status_code == 200
    finally:
        served.close()


def test_no_password_and_no_token_is_ever_in_the_log_of_the_tournament(tournament, monkeypatch):
    """At the most talkative level, with logins right and wrong, a password in the place of a name, and errors."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logs.Formatter(as_json=True))
    root = logging.getLogger()
    before = root.level, logging.getLogger("ludus").level
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("ludus").setLevel(logging.DEBUG)
    server = tournament.server
    for part in (server, server.login, server.league):
        part.log = logs.logger("oht")
    account = tournament.store.add_account("anna", "pass-of-anna")
    token, context = tournament.store.new_token(account.id), trusting(tournament.certificate)

    async def play():
        await play_text(tournament.ports["text"], context, "anna", "pass-of-anna", True, 1)
        await play_json(tournament.ports["json"], context, token, False, 2)
        for name, word in (("anna", "pass-guessed"), ("pass-of-anna", "anna")):
            with contextlib.suppress(Closed, OSError):
                await play_text(tournament.ports["text"], context, name, word, True, 3)
        with contextlib.suppress(Closed, OSError):
            await play_json(tournament.ports["json"], context, "wrong-" + token, False, 4)

    try:
        asyncio.run(play())
        tournament.ask("GET", "/api/profile", token)
        tournament.ask("GET", "/api/profile", "wrong-" + token)
        monkeypatch.setattr(server.archive.store, "by_token", lambda secret: 1 / 0)
        assert tournament.ask("GET", "/api/profile", token).status_code == 500
    finally:
        root.removeHandler(handler)
        root.setLevel(before[0])
        logging.getLogger("ludus").setLevel(before[1])
    rows = [json.loads(line) for line in text.getvalue().splitlines()]
    told = {row["message"] for row in rows}
    assert {
        "a connection",
        "a player has logged in",
        "a login was wrong",
        "a round is played",
        "a game is stored",
    } <= told
    assert not any(secret in text.getvalue() for secret in ("pass-of-anna", "pass-guessed", token))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has all of 127.0.0.0/8 by itself")
def test_the_token_of_the_page_is_never_in_its_log(tmp_path):
    """A server for others, at the most talkative level; its token comes in an address, in a cookie and in a header."""
    command = [sys.executable, "-c", "from ludus.cli import main; main()", "serve", "--no-open", "--host", "127.0.0.2"]
    command += ["--port", str(lasting_port()), "--token", "open-sesame", "--runs", str(tmp_path), "--workers", "1"]
    log = ["--log-json", "--log-level", "debug", "--log-file", str(tmp_path / "log")]
    server = subprocess.Popen([*command, *log], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://[\d.]+:\d+", server.stdout.readline())[0]
        with httpx2.Client(base_url=address, timeout=PATIENCE) as client:
            assert client.get("/?token=open-sesame", follow_redirects=True).status_code == 200
            assert client.get("/api/games", headers={"cookie": "ludus_token=open-sesame"}).status_code == 200
            bearer = {"authorization": "Bearer open-sesame"}
            assert "ludus_responses_total" in client.get("/metrics", headers=bearer).text
            assert client.get("/static/../%00?token=open-sesame").status_code >= 400
        with httpx2.Client(base_url=address, timeout=PATIENCE) as stranger:
            assert stranger.get("/metrics").status_code == 403 and stranger.get("/health").status_code == 200
    finally:
        server.send_signal(signal.SIGINT)
        _, told = server.communicate(timeout=PATIENCE)
    rows = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [rows[0]["message"], rows[-1]["message"]] == ["the server has begun", "the server has stopped"]
    assert "open-sesame" not in (tmp_path / "log").read_text() + told and server.returncode == 0
