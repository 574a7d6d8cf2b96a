"""What the standings show of players and what they do not: names, places, intervals, ratings, who is playing."""

import contextlib
import re
import threading
from datetime import datetime, timedelta

import pytest

from ludus.play.rating import score_interval
from ludus.protocols.oht.page import standings_page
from ludus.protocols.oht.page.public import rate, shown_names
from ludus.protocols.oht.page.standings_page import when
from ludus.protocols.oht.settings import LeagueSettings, PageSettings
from ludus.protocols.oht.storage.database import DatabaseTrouble
from ludus.protocols.oht.storage.standings import Meeting, Standing
from tests.oht.rounds import plan_for
from tests.oht.served import Tournament, add_player, play_league, play_official
from tests.oht.stock_json_client import StockJsonClient
from tests.oht.stock_text_client import StockTextClient
from tests.oht.test_api import until

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def open_tournament(tmp_path, monkeypatch):
    """A function that starts a server whose standings are always made anew."""
    monkeypatch.setattr(standings_page, "FRESH", 0.0)
    monkeypatch.setattr(standings_page, "PAGE_SHARE", 1e9)
    opened = []

    def start(**settings):
        opened.append(Tournament(tmp_path, **settings))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def standing(account, name, handle):
    return Standing(account, name, f"{name}@example.org", handle, None, 0, 5, 0, 0, None, 0, 0)


def test_names_of_accounts_are_shown_only_if_the_teacher_wants_it():
    rows = [standing(1, "Anna", "Anna"), standing(2, "Bo", "otter"), standing(3, "Cleo", "CLEO")]
    assert shown_names(rows, public=False) == {1: "player 1", 2: "otter", 3: "player 3"}
    assert shown_names(rows, public=True) == {1: "Anna", 2: "otter", 3: "Cleo"}


def test_players_with_the_same_handle_are_told_apart():
    rows = [standing(1, "a", "otter"), standing(2, "b", "OTTER"), standing(3, "c", "c"), standing(4, "d", "player 3")]
    assert shown_names(rows, public=False) == {
        1: "otter (player 1)",
        2: "OTTER (player 2)",
        3: "player 3 (player 3)",
        4: "player 3 (player 4)",
    }


@pytest.mark.parametrize("public", [False, True])
def test_what_is_sent_holds_no_addresses_and_no_names_that_are_not_public(open_tournament, public):
    tournament = open_tournament(page=PageSettings(public_names=public))
    anna, _ = add_player(tournament.store, "Anna Berg", handle="otter", email="anna@example.org")
    play_official(tournament.store, anna, 3, 4)
    for path in ("/", "/standings.json"):
        text = tournament.ask("GET", path).text
        assert "otter" in text and "example.org" not in text
        assert ("Anna Berg" in text) is public


def test_places_scores_and_intervals(open_tournament):
    tournament = open_tournament()
    store = tournament.store
    for name, won in (("a", 30), ("b", 45), ("c", 45), ("d", None), ("e", None)):
        account, _ = add_player(store, name, handle=f"handle {name}")
        if won is not None:
            play_official(store, account, 10, 50)
            play_official(store, account, won, 50)
    begun = store.account("d").id
    store.begin_official(begun, plan_for(begun))
    told = tournament.standings()
    assert [(one["name"], one["place"]) for one in told["players"]] == [
        ("handle b", 1),
        ("handle c", 1),
        ("handle a", 3),
        ("handle d", None),
    ]
    assert told["idle"] == 1 and told["status"] == "open" and told["game"] == "Hex 3×3"
    low, high = score_interval(45, 50)
    best = told["players"][0]["best"]
    assert (best["won"], best["games"], best["percent"]) == (45, 50, 90)
    assert best["low"] == round(100 * low, 1) and best["high"] == round(100 * high, 1)
    assert (told["players"][0]["attempts_used"], told["players"][0]["attempts_left"]) == (2, 3)


def test_the_league_is_rated(open_tournament):
    tournament = open_tournament()
    a, b, c = (add_player(tournament.store, name)[0] for name in ("a", "b", "c"))
    for one, two, won in ((a, b, 8), (b, c, 8), (a, c, 9)):
        play_league(tournament.store, one, two, won, 10)
    players = {one["player"]: one for one in tournament.standings()["players"]}
    assert players[a.id]["rating"]["elo"] > players[b.id]["rating"]["elo"] > players[c.id]["rating"]["elo"]
    assert players[a.id]["league"]["won"] == 17 and players[a.id]["league"]["games"] == 20
    page = tournament.ask("GET", "/").text
    league = page[page.index('id="league-rows"') :]
    assert re.findall(r'data-player="(\d+)"', league) == [str(one.id) for one in (a, b, c)]


def test_a_game_that_nobody_won_is_half_a_point_to_each():
    even = rate([Meeting(1, 2, 0, 10)])
    assert even[1].elo == pytest.approx(0) and even[2].elo == pytest.approx(0)
    assert rate([]) == {}


def test_nicknames_are_text_and_nothing_else(open_tournament):
    tournament = open_tournament(page=PageSettings(public_names=True))
    names = {EVIL: '"><img src=x onerror=alert(2)>', "{{ 7 * 7 }}": "</table></body>", "'&amp": "\\u003cb>"}
    for name, handle in names.items():
        play_official(tournament.store, add_player(tournament.store, name, handle)[0], 3, 4)
    page = tournament.ask("GET", "/").text
    assert page.count("<script") == 1 and "<img" not in page and "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "49" not in page and "&#39;&amp;amp" in page
    answer = tournament.ask("GET", "/standings.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert {one["name"] for one in answer.json()["players"]} == set(names.values())


def test_the_page_is_sent_again_only_if_it_is_another_one(open_tournament):
    tournament = open_tournament()
    anna, _ = add_player(tournament.store, "Anna")
    for path in ("/", "/standings.json", "/standings.css"):
        first = tournament.ask("GET", path)
        assert first.headers["cache-control"] == "no-cache"
        again = tournament.ask("GET", path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        plain = tournament.ask("GET", path, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers and plain.text == first.text
        assert first.headers["content-encoding"] == "gzip"
    before = tournament.ask("GET", "/").headers["etag"]
    play_official(tournament.store, anna, 1, 4)
    assert tournament.ask("GET", "/", headers={"if-none-match": before}).status_code == 200


def test_nothing_is_read_for_those_who_come_within_a_second(open_tournament, monkeypatch):
    tournament = open_tournament()
    monkeypatch.setattr(standings_page, "FRESH", 1000.0)
    tournament.standings()
    asked = []
    monkeypatch.setattr(tournament.server.archive.store, "standings", lambda: asked.append(1) or [])
    assert {tournament.ask("GET", "/").status_code for _ in range(20)} == {200} and asked == []


def test_a_database_in_trouble_shows_the_last_standings(open_tournament, monkeypatch):
    def fail():
        raise DatabaseTrouble("cannot read the database /secret/path: it is gone")

    tournament = open_tournament()
    store = tournament.server.archive.store
    with monkeypatch.context() as patch:
        patch.setattr(store, "standings", fail)
        answer = tournament.ask("GET", "/")
        assert answer.status_code == 503 and "secret" not in answer.text
    assert tournament.ask("GET", "/").status_code == 200
    monkeypatch.setattr(store, "standings", fail)
    assert tournament.ask("GET", "/").status_code == 200


def test_the_page_may_load_nothing_from_elsewhere_and_runs_no_script_but_its_own(open_tournament):
    answer = open_tournament().ask("GET", "/")
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert not re.search(r"(?:src|href)=\"(?!/\w|/\")", answer.text) and " style=" not in answer.text


class Slow:
    """A client whose answers wait until the test lets them go; each `go` is one answer."""

    def __init__(self, tournament, port, token, **options):
        self.client = StockJsonClient("127.0.0.1", tournament.ports[port], tournament.certificate, token, **options)
        self.client.choose, self.turn, self.asked = self.choose, threading.Semaphore(0), 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        with contextlib.suppress(OSError):  # the test is over
            self.client.run()

    def choose(self, state):
        self.asked += 1
        self.turn.acquire(timeout=100)
        return self.client.random_cell(state)

    def finish(self):
        self.turn.release(1000)

    def leave(self):
        """Ends the connection under the client, which waits for the server's next message."""
        self.finish()
        self.client.link.close()
        self.thread.join(100)


def playing_of(tournament):
    return {one["player"]: one["playing"] for one in tournament.standings()["players"] if one["playing"]}


def test_one_sees_who_is_playing_and_which_game(open_tournament):
    tournament = open_tournament()
    anna, token = add_player(tournament.store, "Anna")
    player = Slow(tournament, "json", token, qualify=True)
    until(lambda: player.asked)
    assert playing_of(tournament) == {anna.id: [{"kind": "official", "game": 1, "games": 4}]}
    assert tournament.standings()["connections"] == 1
    until(lambda: player.turn.release() or playing_of(tournament).get(anna.id, [{}])[0].get("game") == 2)
    player.finish()
    player.thread.join(100)
    assert player.client.finished
    until(lambda: playing_of(tournament) == {})
    assert tournament.standings()["players"][0]["best"]["games"] == 4


def test_one_sees_who_plays_in_the_league_and_when_the_next_round_begins(open_tournament):
    tournament = open_tournament(league=LeagueSettings(league_every=0.01, league_games=2))
    tokens = [add_player(tournament.store, name) for name in ("Anna", "Bo")]
    players = [Slow(tournament, "league", token) for _, token in tokens]
    try:
        told = until(lambda: len(playing_of(tournament)) == 2 and playing_of(tournament))
        assert told == {account.id: [{"kind": "league", "game": 1, "games": 2}] for account, _ in tokens}
        assert tournament.standings()["league_players"] == 2
        assert datetime.fromisoformat(tournament.standings()["next_round"]).tzinfo is not None
        for player in players:
            player.finish()
        until(lambda: sum(row.league_games for row in tournament.store.standings()) >= 4)
    finally:
        for player in players:
            player.leave()


def test_while_the_tournament_is_paused_no_next_round_of_the_league_is_named(open_tournament):
    tournament = open_tournament(league=LeagueSettings(league_at=("18:00",)))
    assert "The next round begins" in tournament.ask("GET", "/").text
    tournament.store.set_status("paused")
    until(lambda: tournament.standings()["status"] == "paused")
    page = tournament.ask("GET", "/").text
    assert tournament.standings()["next_round"] is None and "The next round begins" not in page
    assert "No round begins until the tournament is open again." in page and "No round has been set" not in page


def test_the_nickname_of_a_text_client_becomes_the_handle(open_tournament):
    tournament = open_tournament()
    tournament.store.add_account("Anna", "a good password")
    answers = {"username": "anna", "password": "a good password", "player-name": EVIL, "qualify": "n"}
    client = StockTextClient("127.0.0.1", tournament.ports["text"], tournament.certificate, answers).run()
    assert client.outcome == "played" and tournament.store.account("Anna").handle == EVIL
    (row,) = tournament.standings()["players"]
    assert (row["name"], row["verification_rounds"]) == (EVIL, 1)


def test_times_are_said_as_people_say_them():
    now = datetime(2026, 3, 5, 20, 0).astimezone()
    plain = now.replace(tzinfo=None)
    assert when(None, plain) is None
    assert when((now + timedelta(hours=1)).isoformat(), plain) == "at 21:00"
    assert when((now + timedelta(hours=9)).isoformat(), plain) == "tomorrow at 05:00"
    assert when((now + timedelta(days=2)).isoformat(), plain) == "on 07 March at 20:00"
