"""The server by its messages, without a browser: playing and thinking."""

import time

import pytest

from tests.web.asking import SOCKET, Page, names, searching

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
    end = time.monotonic() + 100
    while searching(client) and time.monotonic() < end:
        time.sleep(0.01)
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
