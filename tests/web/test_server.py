"""The server by its messages, without a browser: playing, thinking, going on after a restart, and who is refused."""

import json
import os
import shutil

import pytest

pytest.importorskip("starlette", reason="the page needs the extra web: pip install 'ludus[web]'")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ludus.web.app import make_app
from ludus.web.site import SiteSettings

HOME = "http://localhost"
SOCKET = "ws://localhost/ws"
GNUGO = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}:/usr/games")


@pytest.fixture
def client(tmp_path):
    with TestClient(make_app(SiteSettings(runs=tmp_path, workers=1)), HOME) as client:
        yield client


class Page:
    """A page that sends and waits for what it is told."""

    def __init__(self, socket):
        self.socket = socket

    def ask(self, kind, **fields):
        self.socket.send_text(json.dumps({"ask": kind, **fields}))

    def told(self, kind, wanted=lambda tell: True):
        """The next message of a kind that is as wanted."""
        for _ in range(2000):
            tell = json.loads(self.socket.receive_text())
            if tell["tell"] == kind and wanted(tell):
                return tell
            assert tell["tell"] != "refused" or kind == "refused", tell["sentence"]
        raise AssertionError(f"never told {kind}")


@pytest.fixture
def page(client):
    with client.websocket_connect(SOCKET) as socket:
        yield Page(socket)


def searching(client):
    """How many searches are under way."""
    return sum(not job.done for worker in client.app.state.site.pool.workers for job in worker.jobs.values())


def names(table):
    return [move["name"] for move in table["line"]]


# ------------------------------------------------------------------------------------------- playing


def test_a_machine_answers_a_move(page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "level:beginner"])
    table = page.told("table")
    assert table["status"]["sentence"] == "Your move." and table["game"]["aim"] == "Join the two red sides."
    assert table["layout"]["id"] == table["position"]["layout"]
    page.ask("play", node=0, move=12)
    table = page.told("table", lambda tell: len(tell["line"]) == 2)
    assert names(table)[0] == "c3" and table["position"]["player"] == 0 and table["layout"] is None


def test_moves_can_be_typed_and_illegal_ones_get_a_sentence(page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "person"])
    page.ask("play", node=0, move="c3")
    page.told("table", lambda tell: names(tell) == ["c3"])
    for move, said in (("c3", "c3 is not legal here"), ("z9", "Cannot read 'z9'"), (12, "not legal")):
        page.ask("play", node=1, move=move)
        assert said in page.told("refused")["sentence"]


def test_the_machine_may_begin_and_either_player_may_start(page):
    page.ask("new", game="hex", options={"size": 4}, seats=["level:beginner", "person"])
    assert page.told("table", lambda tell: len(tell["line"]) == 1)["status"]["person"] == 1
    page.ask("new", game="hex", options={"size": 4, "starter": 1}, seats=["level:beginner", "person"])
    assert page.told("table")["position"]["player"] == 1


def test_undo_takes_back_to_the_person_and_a_move_elsewhere_begins_a_branch(page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "person"])
    for node, move in enumerate(["c3", "b4", "d2"]):
        page.ask("play", node=node, move=move)
    page.told("table", lambda tell: len(tell["line"]) == 3)
    page.ask("undo")
    table = page.told("table")
    assert table["head"] == table["node"] == 2 and names(table) == ["c3", "b4", "d2"]
    page.ask("look", node=1)
    assert page.told("table")["node"] == 1
    page.ask("play", node=1, move="a1")
    table = page.told("table", lambda tell: tell["head"] == 4)
    assert names(table) == ["c3", "a1"] and table["line"][1]["others"] == [[2, "b4"]]


def test_resigning_ends_the_game_and_undo_goes_on(page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "level:beginner"])
    page.ask("resign")
    table = page.told("table", lambda tell: tell["status"]["over"])
    assert table["status"]["winner"] == 1 and table["status"]["sentence"] == "Beginner wins: you resigned."
    page.ask("undo")
    assert page.told("table")["status"]["sentence"] == "Your move."


def test_a_game_that_was_resigned_goes_on_when_its_moves_are_played_again(page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "person"])
    page.ask("play", node=0, move="c3")
    page.ask("resign")
    page.told("table", lambda tell: tell["status"]["over"])
    page.ask("look", node=0)
    page.ask("play", node=0, move="c3")
    assert not page.told("table", lambda tell: tell["node"] == 1)["status"]["over"]


def test_machines_that_wait_lose_no_time(page):
    page.ask("new", game="tic_tac_toe", seats=["search:random", "search:random"], clock="300+1")
    assert page.told("table")["clock"]["running"] is None
    page.ask("run", on=True, pause=10)
    assert page.told("table", lambda tell: tell["status"]["thinking"])["clock"]["running"] == 0
    table = page.told("table", lambda tell: not tell["status"]["thinking"])
    assert table["line"] == [] and table["clock"]["running"] is None  # it has its move, and shows it later


def test_machines_stop_where_a_move_is_taken_back(page):
    page.ask("new", game="hex", seats=["search:random", "search:random"])
    page.ask("run", on=True, pause=0)
    page.told("table", lambda tell: len(tell["line"]) >= 2)
    page.ask("undo")
    assert not page.told("table", lambda tell: tell["head"] < len(tell["line"]))["status"]["running"]


def test_two_machines_play_when_they_are_told_to_and_step_by_step(page):
    seats = ["search:random", "search:random"]
    page.ask("new", game="tic_tac_toe", seats=seats)
    assert not page.told("table")["status"]["running"]
    page.ask("step")
    assert len(page.told("table", lambda tell: tell["line"])["line"]) == 1
    page.ask("run", on=True, pause=0)
    table = page.told("table", lambda tell: tell["status"]["over"])
    assert len(table["line"]) >= 5


def test_a_person_can_take_the_machines_seat(page):
    page.ask("new", game="tic_tac_toe", seats=["search:random", "search:random"])
    page.ask("sit", seats=["person", "search:random"])
    assert page.told("table", lambda tell: tell["seats"][0]["key"] == "person")["status"]["person"] == 0


def test_a_clock_runs_and_its_flag_falls(page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "person"], clock="0.3/move")
    assert page.told("table")["clock"]["left"][1] == 0.3
    table = page.told("table", lambda tell: tell["status"]["over"])
    assert table["status"]["winner"] == 1 and "time is up" in table["status"]["sentence"]


def test_an_agent_that_cannot_play_loses_and_says_why(page):
    page.ask("new", game="hex", options={"size": 5}, seats=["person", "search:alphabeta:utility=margin"])
    page.ask("play", node=0, move="c3")
    table = page.told("table", lambda tell: tell["status"]["over"])
    assert table["status"]["winner"] == 0 and "could not go on" in table["status"]["sentence"]


@pytest.mark.parametrize(
    ("game", "moves", "said"),
    [
        ("hex,size=3", "a1 b1 a2 b2 a3", "Red wins: a chain joins both sides."),
        ("tic_tac_toe", "a1 a2 b1 b2 c1", "Red wins: 3 in a line."),
        ("tic_tac_toe", "a1 b1 c1 a2 b2 a3 c2 c3 b3", "A draw."),
        ("connect_four", "1 2 1 2 1 2 1", "Red wins: 4 in a line."),
        ("nim,stones=3", "3", "The first player wins."),
        ("go,size=2", "pass pass", "White wins by 0.5 points."),
    ],
)
def test_the_result_is_said_as_a_person_would(page, game, moves, said):
    page.ask("follow", link=f"{game}/{moves.replace(' ', '.')}")
    assert page.told("table")["status"]["sentence"] == said


# ------------------------------------------------------------------------------------------- thinking


def test_analysis_shows_shares_the_line_and_the_perfect_answer(page):
    page.ask("follow", link="hex,size=4/b2.c2")
    page.told("table")
    page.ask("think", on=True)
    thought = page.told("thought", lambda tell: len(tell["words"]) > 1)
    assert thought["why"] == "analysis" and abs(sum(thought["visits"].values()) - 1) < 0.01
    assert all(0 <= share <= 1 for share in thought["wins"].values())
    assert thought["line"][0][1:] == [0, 1]
    perfect = page.told("perfect", lambda tell: tell["done"])
    assert len(perfect["scores"]) == 14 and "wins with perfect play" in perfect["sentence"]
    page.ask("ask", path=[])
    branch = page.told("branch")
    assert branch["player"] == 0 and branch["children"]
    page.ask("ask", path=[branch["children"][0][0]])
    assert page.told("branch")["player"] == 1


def test_analysis_follows_where_the_page_looks_and_ends_when_it_is_switched_off(client, page):
    page.ask("follow", link="hex,size=5/c3.b4")
    page.told("table")
    page.ask("think", on=True)
    page.told("thought")
    page.ask("look", node=1)
    assert page.told("thought", lambda tell: tell["node"] == 1)
    page.ask("think", on=False)
    page.ask("look", node=0)
    page.told("table", lambda tell: tell["node"] == 0)
    assert searching(client) == 0


def test_a_page_that_is_closed_stops_its_searches(client):
    with client.websocket_connect(SOCKET) as socket:
        page = Page(socket)
        page.ask("new", game="go", seats=["search:mcts:seconds=50", "person"])
        page.told("thought")
        assert searching(client) == 1
    with client.websocket_connect(SOCKET) as socket:
        Page(socket).ask("new", game="hex")
        Page(socket).told("table")
    assert searching(client) == 0


def test_a_hint_comes_although_the_analysis_is_switched_on_meanwhile(page):
    page.ask("follow", link="hex,size=4/b2")
    page.told("table")
    page.ask("hint")
    page.ask("think", on=True)
    assert page.told("hint")["node"] == 1


def test_a_hint_is_a_legal_move_with_a_reason(page):
    page.ask("follow", link="connect_four/4.1.4.1.4.1")
    page.told("table")
    page.ask("hint")
    hint = page.told("hint")
    assert hint["action"] == 3 and hint["sentence"] == "4 wins at once."


def test_a_review_names_the_move_that_gave_the_win_away(page):
    page.ask("follow", link="tic_tac_toe/b2.a1.c3.b1.c1.a3.a2")
    page.told("table")
    page.ask("review", on=True)
    judged = page.told("judged", lambda tell: tell["done"])
    assert len(judged["rows"]) == 7 and judged["progress"] == 1 and judged["summary"]
    away = [row["ply"] for row in judged["rows"] if row["grade"] == "gave_away"]
    assert away and away == [point["ply"] for point in judged["points"]]


# ------------------------------------------------------------------------------------------- links, files, restarts


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
    assert keys({"size": 6}) == []


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
