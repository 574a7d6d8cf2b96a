"""The lessons on the server: what a page may ask for, and the sentences with which everything else is refused."""

import contextlib

import pytest

import ludus
from ludus.search.mcts import MctsSettings, Rave, Rollout
from ludus.web.lessons.stage import stage_after
from ludus.web.lessons.steps import Part, mcts_lesson
from tests.python_games import Subtract
from tests.web.test_lessons import finished


class Broken(Subtract):
    """A visitor's game that fails after some moves."""

    def play(self, action):
        if self.left < 5:
            raise RuntimeError("the dog ate the stones")
        return Broken(self.left - action - 1, 1 - self.player)


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """A function that asks the server for a lesson: its status and what it says."""
    pytest.importorskip("starlette", reason="the extra `web` is not installed")
    from starlette.applications import Starlette
    from starlette.testclient import TestClient

    from ludus.web.lessons.routes import routes
    from ludus.web.site import Site, SiteSettings

    visitors = ("tests.python_games:Greed", "tests.web.test_lessons_server:Broken")
    site = Site(SiteSettings(runs=tmp_path_factory.mktemp("runs"), games=visitors, workers=1))

    @contextlib.asynccontextmanager
    async def lifespan(app):
        await site.open()
        yield
        await site.close()

    with TestClient(Starlette(routes=routes(site), lifespan=lifespan)) as client:

        def asked(kind, **request):
            answer = client.post(f"/api/lessons/{kind}", json=request)
            return answer.status_code, answer.json()

        asked.client = client
        yield asked


def test_the_page_lists_games_that_make_good_lessons(ask):
    listed = ask.client.get("/api/lessons").json()["games"]
    assert {"nim", "tic_tac_toe", "hex", "Greed"} <= {one["game"] for one in listed}
    for one in listed:
        if one["game"] != "Broken":
            status, told = ask("mcts", game=one["game"], options=one["options"], simulations=2)
            assert status == 200 and len(told["simulations"]) == 2, told


def test_every_listed_game_has_a_tree_of_alphabeta_that_can_be_drawn(ask):
    for one in ask.client.get("/api/lessons").json()["games"]:
        if one["game"] != "Broken":
            status, told = ask("alphabeta", game=one["game"], options=one["options"], **one["alphabeta"])
            assert status == 200 and told["steps"], told


def test_a_lesson_from_the_server_is_the_same_as_one_made_here(ask):
    wanted = {"game": "hex", "options": {"size": "3"}, "rule": "rave", "c": 0.3, "k": 30, "seed": 7}
    status, told = ask("mcts", **wanted, moves="b2.c1", simulations=25)
    stage = stage_after(ludus.make("hex", size=3), "b2 c1")
    settings = MctsSettings(Rave(0.3, 30), Rollout("textbook"))
    here = finished(mcts_lesson(stage, settings, 7, Part(0, 25, 1e9)))
    assert status == 200
    assert told["simulations"] == here["simulations"] and told["nodes"] == here["nodes"]
    assert told["most"] == 500 and told["fitting"] is None


def test_a_visitors_game_has_lessons(ask):
    assert ask("mcts", game="Greed", rule="puct", simulations=5)[0] == 200
    assert ask("alphabeta", game="Greed", depth=4)[0] == 200


def test_a_network_gives_priors_where_one_fits(ask):
    status, told = ask("mcts", game="hex", options={"size": "5"}, rule="puct", c=1.0, priors="network", simulations=3)
    assert status == 200 and told["network"] == told["fitting"] == "hex5"
    assert "the network hex5 gives" in told["simulations"][0]["expand"]["words"]
    assert "the network hex5 is asked instead" in told["simulations"][0]["simulate"]["words"]
    status, told = ask("mcts", game="nim", rule="puct", priors="network")
    assert status == 400 and told["sentence"] == "no network that comes with Ludus fits this game; choose even priors"


LARGE = "Hex 7×7 has 49 possible moves in this position; a lesson draws at most 40, so choose a smaller game or a later"
REFUSED = [
    ("mcts", {"game": "hex"}, LARGE),
    ("mcts", {"game": "hexx"}, "there is no game 'hexx'; did you mean hex?"),
    ("mcts", {}, "there is no game 'None'"),
    ("mcts", {"game": ["hex"]}, "there is no game"),
    ("mcts", {"game": "tests.python_games:Noughts"}, "there is no game 'tests.python_games:Noughts'"),
    ("mcts", {"game": "hex", "options": {"size": "99"}}, "size must be a whole number from 3 to 19"),
    ("mcts", {"game": "hex", "options": {"colour": "red"}}, "hex has no option 'colour'"),
    ("mcts", {"game": "hex", "options": {"size": 3}}, "the options of a game are texts"),
    ("mcts", {"game": "nim", "options": {"stones": "900000", "most": "800000"}}, "has 800,000 possible moves"),
    ("mcts", {"game": "nim", "options": {"stones": "5000"}}, "a random game from here is longer than 200 moves"),
    ("mcts", {"game": "nim", "rule": "magic"}, "there is no rule 'magic'; there are uct, epsilon_greedy, puct, rave"),
    ("mcts", {"game": "nim", "rule": {}}, "there is no rule"),
    ("mcts", {"game": "nim", "c": -1}, "c must be a number from 0 to 100"),
    ("mcts", {"game": "nim", "c": "1"}, "c must be a number from 0 to 100"),
    ("mcts", {"game": "nim", "epsilon": 2}, "epsilon must be a number from 0 to 1"),
    ("mcts", {"game": "nim", "seed": -1}, "seed must be a whole number"),
    ("mcts", {"game": "nim", "simulations": 101}, "simulations must be a whole number from 1 to 100"),
    ("mcts", {"game": "nim", "first": 480, "simulations": 40}, "first must be a whole number from 0 to 460"),
    ("mcts", {"game": "nim", "priors": "mine"}, "priors must be even or network"),
    ("mcts", {"game": "nim", "depth": 3}, "a lesson has no setting 'depth'"),
    ("mcts", {"game": "nim", "table": "x"}, "a lesson has no setting 'table'"),
    ("mcts", {"game": "nim", "moves": "9"}, "cannot read '9'"),
    ("mcts", {"game": "nim", "moves": 3}, "moves must be a short text"),
    ("mcts", {"game": "nim", "moves": "1 " * 300}, "a lesson begins after at most 100 moves"),
    ("mcts", {"game": "tic_tac_toe", "moves": "a1 a1"}, "a1 is not legal here"),
    ("mcts", {"game": "tic_tac_toe", "moves": "a1 b1 a2 b2 a3"}, "the game is over"),
    ("mcts", {"game": "hex", "options": {"size": "3", "swap": "true"}, "rule": "rave"}, "does not know the swap"),
    ("mcts", {"game": "Broken"}, "RuntimeError: the dog ate the stones"),
    ("alphabeta", {"game": "hex", "options": {"size": "3"}}, "choose depth 3 or a later position"),
    ("alphabeta", {"game": "go", "options": {"size": "5"}, "depth": 12}, "choose depth 2 or a later position"),
    ("alphabeta", {"game": "nim", "depth": 0}, "depth must be a whole number from 1 to 12"),
    ("alphabeta", {"game": "nim", "pruning": 1}, "pruning must be True or False"),
    ("juggling", {"game": "nim"}, "there is no lesson 'juggling'"),
]


@pytest.mark.parametrize("kind, request_, sentence", REFUSED, ids=lambda value: str(value)[:50])
def test_what_cannot_be_taught_is_refused_with_a_sentence(ask, kind, request_, sentence):
    status, told = ask(kind, **request_)
    assert status == 400 and sentence in told["sentence"] and "Traceback" not in told["sentence"], told


def test_requests_that_are_none(ask):
    for body, sentence in ((b"[1]", "is a JSON object"), (b"{", "is a JSON object"), (b"x" * 20_000, "at most 10000")):
        answer = ask.client.post("/api/lessons/mcts", content=body)
        assert answer.status_code == 400 and sentence in answer.json()["sentence"]


def test_a_lesson_stays_small(ask):
    """The largest part that the page asks for."""
    for rule in ("uct", "rave"):
        request = {"game": "hex", "options": {"size": "5"}, "rule": rule, "simulations": 40}
        answer = ask.client.post("/api/lessons/mcts", json=request)
        assert answer.status_code == 200 and len(answer.content) < 400_000
