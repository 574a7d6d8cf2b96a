"""Links, files, and a server that is started again: games are never lost."""

import json

import pytest
from starlette.testclient import TestClient

from ludus.web.app import make_app
from ludus.web.site import SiteSettings
from tests.web.asking import HOME, SOCKET, Page, names


def test_the_link_of_a_table_opens_the_same_game_elsewhere(client, page):
    page.ask("follow", link="hex,size=5/c3.b4.d2@1")
    table = page.told("table")
    assert table["link"] == "hex,size=5/c3.b4.d2@1" and table["node"] == 1 and table["head"] == 3
    with client.websocket_connect(SOCKET) as socket:
        other = Page(socket)
        other.ask("follow", link=table["link"])
        assert other.told("table")["position"] == table["position"]


def test_a_bad_link_says_what_is_wrong_and_opens_the_nearest_game(page):
    page.ask("follow", link="hxe,size=5/c3")
    assert "did you mean hex" in page.told("refused")["sentence"]
    page.ask("look", node=0)
    assert page.told("table")["game"]["name"] == "hex"
    page.ask("follow", link="hex,size=5/c3.c3")
    assert "Move 2 of the link" in page.told("refused")["sentence"]


def test_two_pages_at_one_table_see_the_same_and_look_where_they_like(client, page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "person"])
    table = page.told("table")
    with client.websocket_connect(SOCKET) as socket:
        other = Page(socket)
        other.ask("open", table=table["table"])
        other.told("table")
        page.ask("play", node=0, move="c3")
        assert names(other.told("table", lambda tell: tell["line"])) == ["c3"]
        other.ask("look", node=0)
        assert other.told("table")["node"] == 0
        page.ask("play", node=1, move="b4")
        assert other.told("table", lambda tell: len(tell["line"]) == 2)["node"] == 0


def test_a_restarted_server_goes_on_where_the_game_was(tmp_path):
    settings = SiteSettings(runs=tmp_path, workers=1)
    with TestClient(make_app(settings), HOME) as client, client.websocket_connect(SOCKET) as socket:
        page = Page(socket)
        page.ask("new", game="othello", options={"size": 6}, seats=["person", "level:first_steps"])
        page.told("table")
        page.ask("play", node=0, move="c2")
        before = page.told("table", lambda tell: len(tell["line"]) == 2)
    with TestClient(make_app(settings), HOME) as client, client.websocket_connect(SOCKET) as socket:
        page = Page(socket)
        page.ask("open", table=before["table"])
        after = page.told("table")
        assert [after[key] for key in ("line", "seats", "head", "link")] == [
            before[key] for key in ("line", "seats", "head", "link")
        ]
        page.ask("play", node=after["head"], move=int(next(iter(after["position"]["names"]))))
        page.told("table", lambda tell: len(tell["line"]) >= 4 or tell["status"]["over"])


@pytest.mark.parametrize(
    ("link", "kind"), [("go,size=5/C3.D4.pass", "sgf"), ("hex,size=5/c3.b4", "sgf"), ("nim/3.1", "json")]
)
def test_games_are_saved_to_files_and_loaded_again(client, page, link, kind):
    page.ask("follow", link=link)
    table = page.told("table")
    assert kind in table["game"]["files"]
    file = client.get(f"/api/tables/{table['table']}.{kind}")
    assert file.status_code == 200 and "attachment" in file.headers["content-disposition"]
    made = client.post("/api/tables", content=file.content).json()
    page.ask("open", table=made["table"])
    assert page.told("table")["link"] == link
    listed = [row["table"] for row in client.get("/api/tables").json()]
    assert made["table"] in listed and table["table"] in listed


def test_the_branch_on_the_page_is_saved(client, page):
    page.ask("follow", link="hex,size=5/c3.b4.d2")
    table = page.told("table")
    page.ask("play", node=1, move="a1")
    page.told("table", lambda tell: tell["head"] == 4)
    address = f"/api/tables/{table['table']}.json"
    saved = [json.loads(client.get(f"{address}?node={node}").content)["turns"] for node in (4, 2, 999_999)]
    assert [len(turns) for turns in saved] == [2, 3, 2]


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"{}", b"(;GM[1]SZ[9];B[zz])", b"\xff\xfe", b'{"game": {"name": "../x"}}']
)
def test_a_file_that_is_no_game_gets_a_sentence(client, content):
    answer = client.post("/api/tables", content=content)
    assert answer.status_code == 400 and answer.json()["sentence"].endswith(".")


def test_games_of_openspiel_have_names_of_their_own_and_can_be_loaded(tmp_path):
    pytest.importorskip("pyspiel")
    games = ("openspiel:breakthrough", "openspiel:y(board_size=5)")
    with TestClient(make_app(SiteSettings(runs=tmp_path, workers=1, games=games)), HOME) as client:
        listed = {game["name"]: game for game in client.get("/api/games").json()}
        assert listed["breakthrough"]["title"] == "Breakthrough" and listed["breakthrough"]["choices"] == []
        assert "y(board_size=5)" in listed
        with client.websocket_connect(SOCKET) as socket:
            page = Page(socket)
            page.ask("follow", link="breakthrough/a7a6")
            table = page.told("table")
        saved = client.get(f"/api/tables/{table['table']}.json").content
        assert client.post("/api/tables", content=saved).status_code == 200


def test_kept_games_call_a_person_you(client, page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "level:beginner"])
    page.ask("play", node=0, move="c3")
    page.told("table", lambda tell: len(tell["line"]) == 2)
    assert client.get("/api/tables").json()[0]["names"] == ["You", "Beginner"]


def test_a_file_may_not_be_too_large(client):
    assert "1 MB" in client.post("/api/tables", content=b"(" * (2 << 20)).json()["sentence"]
