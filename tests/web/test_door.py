"""What the server offers, and whom and what it refuses."""

import json
import os
import shutil

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ludus.web.app import make_app
from ludus.web.site import SiteSettings
from tests.web.asking import HOME, SOCKET, Page

GNUGO = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}:/usr/games")


# ------------------------------------------------------------------------------------------- what is offered


def test_every_game_is_offered_with_its_options_and_levels(client):
    games = client.get("/api/games").json()
    assert [game["name"] for game in games][-2:] == ["hex", "go"] and len(games) == 7
    for game in games:
        found = client.get("/api/opponents", params={"game": game["name"]}).json()
        assert found[0]["group"] == "Levels" and all(one["name"] for one in found)


def test_networks_are_offered_for_their_own_game_only(client):
    def keys(options):
        found = client.get("/api/opponents", params={"game": "hex", "options": json.dumps(options)}).json()
        return [one["key"] for one in found if one["group"] == "Trained networks"]

    assert "zoo:hex5" in keys({"size": 5}) and "zoo:hex5+search" in keys({"size": 5})
    assert keys({"size": 8}) == []


def test_a_visitors_game_and_a_configured_program_are_offered(tmp_path):
    settings = SiteSettings(
        runs=tmp_path, workers=1, games=("tests/python_games.py:Subtract",), programs={"Somebody": "gtp:nobody"}
    )
    with TestClient(make_app(settings), HOME) as client:
        assert client.get("/api/games").json()[-1]["name"] == "Subtract"
        found = client.get("/api/opponents", params={"game": "Subtract"}).json()
        assert {"program:Somebody", "level:beginner"} <= {one["key"] for one in found}


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
def test_a_configured_program_plays(tmp_path):
    command = f"gtp:{GNUGO} --mode gtp --level 1"
    app = make_app(SiteSettings(runs=tmp_path, workers=1, programs={"GNU Go": command}))
    with TestClient(app, HOME) as client, client.websocket_connect(SOCKET) as socket:
        page = Page(socket)
        page.ask("new", game="go", options={"size": 5}, seats=["person", "program:GNU Go"])
        assert page.told("table")["seats"][1]["name"] == "GNU Go"
        page.ask("play", node=0, move="C3")
        table = page.told("table", lambda tell: len(tell["line"]) == 2 or tell["status"]["over"])
        assert len(table["line"]) == 2, table["status"]["sentence"]


# ------------------------------------------------------------------------------------------- who is refused


@pytest.mark.parametrize(
    "seat",
    ["gtp:sh -c true", "search:gtp:sh", "search:othello-pipe:sh", "program:sh", "run:../../etc", "zoo:../x", "/etc/x",
     "search:mcts:seconds=9999", "search:mcts:threads=64", "search:tests/play/players.py:Loud", "level:../x", "nobody"],
)  # fmt: skip
def test_a_page_can_name_neither_a_program_nor_a_file(page, seat):
    page.ask("new", game="hex", seats=["person", seat])
    assert page.told("refused")["sentence"].endswith(".")


@pytest.mark.parametrize("game", ["tests/python_games.py:Subtract", "os:system", "openspiel:chess", "../x"])
def test_a_page_cannot_load_code(page, game):
    page.ask("new", game=game)
    assert "there is no game" in page.told("refused")["sentence"].lower()


def test_nonsense_is_answered_and_the_page_lives_on(page):
    for text in ("x", "{}", '{"ask": "play", "node": 0, "move": 1}', '{"ask": "open", "table": "../../x"}'):
        page.socket.send_text(text)
        assert page.told("refused")["sentence"]
    page.ask("new", game="hex")
    page.told("table")


def test_a_page_that_sends_too_much_is_slowed_down(page, monkeypatch):
    monkeypatch.setattr("ludus.web.desk.RATE", 0.0)
    page.ask("new", game="nim")
    for _ in range(100):
        page.ask("undo")
    assert page.told("refused", lambda tell: "wait a moment" in tell["sentence"])


@pytest.mark.parametrize("origin", ["http://evil.example", "https://localhost:1", "null"])
def test_pages_of_other_sites_are_refused(client, origin):
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(SOCKET, headers={"origin": origin}):
        pass
    assert client.post("/api/tables", content=b"x", headers={"origin": origin}).status_code == 403


def test_on_this_machine_only_its_own_names_are_answered(client):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403
    assert client.get("/", headers={"host": "127.0.0.1:8000"}).status_code == 200


def test_elsewhere_it_wants_its_token(tmp_path):
    settings = SiteSettings(runs=tmp_path, workers=1, host="0.0.0.0", token="secret")
    with TestClient(make_app(settings), "http://classroom") as client:
        assert client.get("/").status_code == 403 and client.get("/?token=wrong").status_code == 403
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("ws://classroom/ws"):
            pass
        assert client.get("/api/games").status_code == 403
        assert client.get("/?token=secret").status_code == 200  # and from now on a cookie says it
        assert client.get("/api/games").status_code == 200
        with client.websocket_connect("ws://classroom/ws", headers={"origin": "http://classroom"}) as socket:
            Page(socket).ask("new", game="nim")
            Page(socket).told("table")


def test_nothing_is_loaded_from_elsewhere(client):
    answer = client.get("/")
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "http://" not in answer.text and "https://" not in answer.text


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/api/tables/..%2fx.json"]
)
def test_no_file_outside_the_static_folder_is_served(client, path):
    assert client.get(path).status_code in (400, 404)
