"""The review by its messages: told as it becomes known, in the names of those who played, until it is not wanted."""

import time

from tests.play.test_review import GAMES
from tests.web.asking import searching

LINK = "hex,size=5/" + ".".join(GAMES[1][2].split())


def reviewed(page):
    page.ask("review", on=True)
    return page.told("judged", lambda tell: tell["done"])


def test_every_move_is_told_with_turning_points_and_a_summary(page):
    page.ask("follow", link=LINK)
    page.told("table")
    told = reviewed(page)
    assert [row["ply"] for row in told["rows"]] == list(range(1, 25)) and told["progress"] == 1
    assert [row["move"] for row in told["rows"] if row["grade"] == "gave_away"] == ["d1"]
    assert [(point["ply"], point["player"]) for point in told["points"]] == [(5, 0)]
    assert told["summary"].startswith("Red led until move 5, and then gave the win away with d1.")


def test_somebody_who_played_the_machine_is_called_you(page):
    page.ask("new", game="nim", options={"stones": 5}, seats=["person", "level:beginner"])
    page.ask("play", node=0, move="2")  # 3 are left, of which the machine could take all
    page.told("table", lambda tell: len(tell["line"]) >= 2)
    told = reviewed(page)
    assert told["rows"][0]["sentence"] == "You gave the win away: the move 2 loses, the move 1 keeps it."
    assert "you gave the win away with the move 2" in told["summary"]


def test_a_game_opens_at_the_selected_move(page):
    page.ask("follow", link=LINK)
    table = page.told("table")
    for selected, plies in ((4, 4), (0, 0), (99, 24), (-1, 0)):
        page.ask("open", table=table["table"], selected=selected)
        told = page.told("table")
        assert told["node"] == ([0] + [move["node"] for move in told["line"]])[plies]


def test_a_review_ends_when_it_is_not_wanted_any_more(client, page):
    page.ask("follow", link="go/E5.D5.C5.F5.E6.D6.C6.F6")
    page.told("table")
    page.ask("review", on=True)
    page.told("judged")
    page.ask("review", on=False)
    end = time.monotonic() + 100
    while searching(client) and time.monotonic() < end:
        time.sleep(0.01)
    assert not searching(client)
