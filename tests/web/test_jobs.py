"""The tasks: moves as the agents themselves decide, analyses, perfect answers and hints."""

import math

import pytest

import ludus
from ludus.agents import TimeLeft, make_agent
from ludus.search.solve import Solver
from ludus.web.searching.answers import Hint, Perfect
from ludus.web.searching.facts import Lines
from ludus.web.searching.jobs import Analyse, Branch, Move
from ludus.web.searching.tasks import Place
from ludus.web.searching.tools import Limits
from tests.web.tasks import Count, Heard, with_pool

PLAYERS = "tests/play/players.py"


def place(name, moves="", **options):
    return Place(name, options, tuple(ludus.make(name, **options).after(moves).history))


HEX = place("hex", "d4", size=7)


def last_of(*tasks, **options):
    """The facts of the last report of each task, one after the other."""

    async def test(pool):
        return [await Heard(pool, task).last() for task in tasks]

    return with_pool(test, **options)


# ---------------------------------------------------------------------------------------------- moves


@pytest.mark.parametrize("text", [
    "mcts:simulations=30000", "mcts:simulations=300,temperature=1", "mcts:simulations=200,keep=false,rave=true",
    "random", "greedy", "flat:games=20", "alphabeta:depth=2",
])  # fmt: skip
def test_a_move_is_what_the_agent_itself_decides(text):
    own = make_agent(text).decide(ludus.make("hex").after("d4"), ludus.Rng(7))
    (move,) = last_of(Move(HEX, text, 7, "a"))
    assert (move["kind"], move["action"], move["why"], move["value"]) == ("move", own.action, own.why, own.value)
    assert (move["simulations"], move["line"], move["nodes"]) == (own.simulations, own.line[:8], own.nodes)
    assert {row["action"]: row["visits"] for row in move["actions"] if row["visits"]} == {
        action: visits for action, visits in own.visits.items() if visits
    }


def test_the_tree_of_an_agent_is_kept_from_move_to_move():
    agent, game = make_agent("mcts:simulations=500"), ludus.make("hex")
    own = [agent.decide(game.after(moves), ludus.Rng(seed)) for seed, moves in enumerate(["d4", "d4 c5 e3"])]
    later = place("hex", "d4 c5 e3", size=7)
    first, second = last_of(Move(HEX, "mcts:simulations=500", 0, "a"), Move(later, "mcts:simulations=500", 1, "a"))
    assert [first["action"], second["action"]] == [decision.action for decision in own]
    assert sum(row["visits"] for row in second["actions"]) == sum(own[1].visits.values()) >= 500


def test_agents_are_kept_for_their_table_and_reset_for_a_new_game():
    text, longer = f"{PLAYERS}:Forgetful", place("hex", "d4 c5 e3", size=7)  # it counts its moves

    async def test(pool):
        async def count(where, table):
            return round(100 * (await Heard(pool, Move(where, text, 1, table)).last())["value"])

        assert [await count(HEX, "a"), await count(longer, "a"), await count(HEX, "b")] == [1, 2, 1]
        assert await count(HEX, "a") == 1  # not a later position of the same game
        pool.forget("b")
        assert await count(longer, "b") == 1

    with_pool(test)


def test_while_it_thinks_a_move_reports_what_it_considers():
    async def test(pool):
        heard = Heard(pool, Move(HEX, "mcts:simulations=3000000", 1, "a"))  # a second or more on the fastest machine
        await heard.last()
        assert {report.facts["kind"] for report in heard[:-1]} == {"thinking"} and heard[-1].facts["kind"] == "move"
        simulations = [report.facts["simulations"] for report in heard]
        assert len(heard) >= 3 and simulations == sorted(simulations) and len(set(simulations)) >= 3
        facts = heard[0].facts
        assert math.isclose(sum(row["share"] for row in facts["actions"]), 1)
        assert facts["per_second"] > 0 and facts["line"][0] == facts["action"]

    with_pool(test)


def test_with_a_clock_a_move_takes_the_time_that_the_clock_allows():
    (move,) = last_of(Move(HEX, "mcts", 1, "a", TimeLeft(0.5, moves=1)))
    assert move["kind"] == "move" and move["simulations"] > 0


def test_a_network_that_searches_decides_as_it_would_alone():
    pytest.importorskip("torch")
    text = "zoo:hex5,simulations=60"
    own = make_agent(text).decide(ludus.make("hex", size=5).start(), ludus.Rng(3))
    (move,) = last_of(Move(place("hex", size=5), text, 3, "a"))
    assert (move["action"], move["simulations"], move["line"]) == (own.action, 60, own.line[:8])


@pytest.mark.parametrize("name, kind, words", [
    ("Broken", "exception", "RuntimeError: I forgot how (players.py, line "),
    ("Illegal", "illegal", "10000 (an action is a whole number)|action 10000 is not legal here"),
    ("Chatty", "rubbish", "must return a Decision"),
    ("Resigning", "resign", "it is hopeless"),
    ("Quitter", "exception", "SystemExit"),
])  # fmt: skip
def test_what_an_agent_does_wrong_is_told_with_its_kind(name, kind, words):
    failed, after = last_of(Move(HEX, f"{PLAYERS}:{name}", 1, "a"), Move(HEX, "random", 1, "a"))
    assert (failed["kind"], failed["failure"]) == ("failed", kind)
    assert any(part in failed["sentence"] for part in words.split("|")), failed["sentence"]
    assert after["kind"] == "move"


def test_what_an_agent_prints_and_a_value_that_is_no_number_do_no_harm():
    (move,) = last_of(Move(HEX, f"{PLAYERS}:Shouting", 1, "a"))
    assert move["kind"] == "move" and move["value"] is None


@pytest.mark.parametrize("task, words", [
    (Move(Place("hxe"), "mcts", 1, "a"), "did you mean hex"),
    (Move(Place("hex", {"size": 99}), "mcts", 1, "a"), "size must be a whole number"),
    (Move(Place("hex", {}, (3, 3)), "mcts", 1, "a"), "is not legal here"),
    (Move(place("nim", "3", stones=3), "mcts", 1, "a"), "the game is over"),
    (Move(HEX, "mtcs", 1, "a"), "did you mean mcts"),
    (Analyse(HEX, "random", "a"), "an analysis needs a tree search"),
    (Perfect(place("nim", "3", stones=3), "a"), "the game is over"),
])  # fmt: skip
def test_what_cannot_be_done_is_refused_with_a_sentence(task, words):
    (failed,) = last_of(task)
    assert (failed["kind"], failed["failure"]) == ("failed", "refused") and words in failed["sentence"]


HANGING = '''
class Trap:
    """Counts down from 9; whoever asks what comes after 5 waits forever."""
    num_actions, player = 1, 0
    def __init__(self, left=9): self.left = left
    over = property(lambda self: self.left == 0)
    def score(self, player): return 0
    def actions(self): return [0] if self.left else []
    def play(self, action):
        while self.left == 5: pass
        return Trap(self.left - 1)
'''


@pytest.mark.parametrize("agent", ["mcts", "alphabeta:depth=9"])
def test_a_visitors_game_that_hangs_stops_nobody_else(agent, tmp_path):
    (tmp_path / "trap.py").write_text(HANGING)
    trap = Place(f"{tmp_path}/trap.py:Trap")

    async def test(pool):
        counting, hanging = Heard(pool, Count()), Heard(pool, Move(trap, agent, 1, "a", TimeLeft(0.5, moves=1)))
        await counting.until(lambda report: report.facts["number"] > 100)
        failed = await hanging.last()
        assert failed["failure"] == "flag" and "no answer came in time" in failed["sentence"]
        await counting.until(seen=len(counting))

    with_pool(test, limits=Limits(step_seconds=1.5))


def test_a_visitors_game_is_read_again_when_its_file_has_changed(tmp_path):
    file = tmp_path / "count.py"
    text = HANGING.replace("while self.left == 5: pass", "pass")

    async def test(pool):
        for start in (9, 3):
            file.write_text(text.replace("left=9", f"left={start}"))
            task = Move(Place(f"{file}:Trap", {}, (0, 0, 0)), "random", 1, "a")
            yield await Heard(pool, task).last()

    async def both(pool):
        return [facts async for facts in test(pool)]

    first, second = with_pool(both)
    assert first["kind"] == "move" and "over" in second["sentence"]


# ---------------------------------------------------------------------------------------------- analyses


def test_an_analysis_tells_what_a_search_knows_and_then_waits_for_questions():
    async def test(pool):
        heard = Heard(pool, Analyse(HEX, "mcts:rave=true", "a", seconds=0.5))
        last = (await heard.until(lambda report: report.facts["ended"])).facts
        assert last["ended"] == "time" and not heard.job.done and last["simulations"] > 100
        visits = [row["visits"] for row in last["actions"]]
        assert visits == sorted(visits, reverse=True) and last["action"] == last["line"][0]
        assert -1 <= last["value"] <= 1 and last["nodes"] > 100 and last["per_second"] > 0 and last["proven"] is None
        below = await heard.job.ask(Branch((last["action"],)))
        assert below["actions"][0]["name"] and below["player"] == 0

    with_pool(test)


def test_an_analysis_stops_when_the_result_is_proven():
    async def test(pool):
        won = place("connect_four", "4 1 4 1 4 2")
        last = (await Heard(pool, Analyse(won, "mcts", "a")).until(lambda report: report.facts["ended"])).facts
        assert (last["ended"], last["value"], last["proven"], last["action"]) == ("proven", 1.0, 1, 3)
        assert [row["proven"] for row in last["actions"] if row["action"] == 3] == [1]

    with_pool(test)


def test_values_are_for_the_player_to_move():
    async def test(pool):
        lost = place("connect_four", "4 1 4 1 4")  # the other player threatens to win at once
        heard = Heard(pool, Analyse(lost, "mcts", "a", 600))
        facts = (await heard.until(lambda report: report.facts["simulations"] > 2000)).facts
        values = {row["action"]: row["value"] for row in facts["actions"]}
        assert facts["action"] == 3 and all(value == -1 for action, value in values.items() if action != 3)

    with_pool(test)


def test_the_bare_opinion_of_a_network_comes_once_even_after_the_search():
    pytest.importorskip("torch")

    async def test(pool):
        for network, fits in (("zoo:hex5", True), ("zoo:connect4", False), ("mcts", False)):
            heard = Heard(pool, Analyse(place("hex", size=5), "mcts", "a", 0.1, network))
            opinion = (await heard.until(lambda report: report.facts["kind"] == "opinion")).facts
            assert bool(opinion["policy"]) == fits == (not opinion["sentence"])
            if fits:
                policy, value = make_agent(network).policy_and_value(ludus.make("hex", size=5).start())
                assert {row["action"] for row in opinion["policy"]} == set(policy)
                assert opinion["value"] == pytest.approx(value) and len(opinion["policy"]) == 25
            heard.job.cancel()
            assert sum(report.facts["kind"] == "opinion" for report in heard) == 1

    with_pool(test)


def test_an_analysis_by_a_network_and_of_a_visitors_game():
    async def test(pool):
        greed = Place("tests/python_games.py:Greed")
        heard = Heard(pool, Analyse(greed, "mcts", "a"))
        last = (await heard.until(lambda report: report.facts["ended"])).facts
        assert last["ended"] == "proven" and last["proven"] == Solver().value(ludus.make(greed.game).start())
        assert (await heard.job.ask(Branch((1,))))["player"] == 0  # after two coins it is the same player's turn

    with_pool(test)


# ---------------------------------------------------------------------------------------------- perfect answers


SOLVED = [
    place("tic_tac_toe"), place("nim", stones=11), place("ledge"), place("hex", "b2", size=4), place("othello", size=4),
    place("connect_four", "4 4 4 4 4 2 5 3 3 2 6 6"), Place("tests/python_games.py:Greed", {}, (1,)),
]  # fmt: skip


@pytest.mark.parametrize("where", SOLVED, ids=lambda where: where.game)
def test_the_perfect_answer_is_the_solvers(where):
    (answer,) = last_of(Perfect(where, "a", 600))
    state = ludus.make(where.game, **where.options).after(where.actions)
    assert answer["ended"] == "all"
    assert {row["action"]: row["value"] for row in answer["actions"]} == Solver().actions(state)
    assert answer["value"] == Solver().value(state)


def test_the_perfect_answer_comes_action_by_action():
    async def test(pool):
        heard = Heard(pool, Perfect(place("hex", "d4 e3", size=7), "a", 600))
        some = (await heard.until(lambda report: 0 < report.facts["known"] < 47)).facts
        assert not some["ended"] and len(some["actions"]) == 47
        known = [row for row in some["actions"] if row["value"] is not None]
        assert len(known) == some["known"] and {row["value"] for row in known} <= {1, -1}
        heard.job.cancel()

    with_pool(test)


@pytest.mark.parametrize(
    "where", [place("othello"), place("go", size=9), place("hex", size=11), place("connect_four", height=7)]
)
def test_where_no_solver_can_help_it_says_so_at_once(where):
    async def test(pool):
        heard = Heard(pool, Perfect(where, "a"))
        facts = await heard.last()
        assert facts["ended"] == "hopeless" and not facts["known"] and heard.job.steps == 1

    with_pool(test)


def test_the_first_moves_of_connect_four_are_known_from_a_book():
    answer = last_of(Perfect(place("connect_four"), "a"))[-1]
    values = {row["action"]: row["value"] for row in answer["actions"]}
    assert answer["ended"] == "all" and values == {0: -1, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -1}


def test_a_solver_that_proves_nothing_gives_up():
    (answer,) = last_of(Perfect(place("go", "A1 B1", size=4), "a", 600))
    assert answer["ended"] == "hopeless" and answer["value"] is None


@pytest.mark.parametrize("where, action, words", [
    (place("nim", stones=11), 2, "wins, whatever the other player does"),
    (place("tic_tac_toe", "b2"), None, "keeps the draw"),
    (place("nim", stones=8), None, "Every move loses against perfect play"),
    (place("othello", size=8), None, "looks best: your chances are about "),
    (Place("tests/python_games.py:Greed"), 1, "wins"),
])  # fmt: skip
def test_a_hint_is_one_action_and_why(where, action, words):
    exact = "looks" not in words
    (hint,) = last_of(Hint(where, "a", seconds=600 if exact else 0.2))  # a search that has proven it ends at once
    state = ludus.make(where.game, **where.options).after(where.actions)
    assert hint["action"] in state.actions() and words in hint["sentence"] and hint["line"][0] == hint["action"]
    assert action in (None, hint["action"]) and hint["exact"] == exact
    if hint["exact"]:
        assert Solver().actions(state)[hint["action"]] == Solver().value(state) == hint["value"]


def test_the_expected_line_says_where_each_move_goes_and_how_it_is_written():
    game = ludus.make("connect_four")
    lines = Lines(game, game.after("4"))
    for _ in range(2):  # the second time it is remembered
        facts = lines.facts([3, 3, 0, 9, 1])  # there is no column 10
        assert facts["words"] == ["4", "4", "1"] and facts["line"] == [3, 3, 0, 9, 1]
        board = game.board(game.after("4"))
        assert facts["cells"][0] == [board.cell_of[3], 1, 1] and [row[1:] for row in facts["cells"]] == [
            [1, 1],
            [0, 2],
            [1, 3],
        ]
    assert len(lines.known) == 3
