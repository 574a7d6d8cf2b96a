"""Agents: what they decide, what they say, how they are written."""

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

import ludus
from ludus.agents import (
    AlphaBetaAgent,
    DeepeningAgent,
    FlatMonteCarloAgent,
    GreedyAgent,
    MctsAgent,
    MinimaxAgent,
    RandomAgent,
    TimeLeft,
    make_agent,
    write_agent,
)  # fmt: skip
from ludus.errors import BadOption, LudusError
from ludus.search.mcts import Mcts
from tests.python_games import Greed, Noughts

AGENTS = [
    "random", "greedy", "flat:games=20", "minimax:depth=2", "alphabeta:depth=3", "deepening:seconds=0.02,depth=3",
    "mcts:simulations=100", "mcts:seconds=0.01", "mcts:simulations=50,rave=true", "mcts:rule=puct,simulations=60",
    "mcts:rule=epsilon,epsilon=0.2,simulations=60", "mcts:rule=ucb1,c=0.7,simulations=50,expansion=all",
    "mcts:simulations=100,temperature=1,keep=false", "mcts:simulations=80,growth=0.1,playout=quick",
]  # fmt: skip


@pytest.mark.parametrize("text", AGENTS)
@pytest.mark.parametrize("game", [*ludus.games(), Greed, Noughts], ids=str)
def test_every_agent_plays_every_game(text, game):
    game, agent, rng = ludus.make(game), make_agent(text), ludus.Rng(1)
    state = game.start()
    for _ in range(3):
        if state.over:
            break
        decision = agent.decide(state, rng)
        assert decision.action in state.actions() and decision.why
        state = state.play(decision.action)


@pytest.mark.parametrize(
    "text", ["minimax:depth=3", "alphabeta:depth=3", "deepening:seconds=5,depth=3", "mcts", "flat", "greedy"]
)
def test_agents_take_a_win_and_stop_one(text):
    game, agent, rng = ludus.make("connect_four"), make_agent(text), ludus.Rng(1)
    assert game.write(agent.decide(game.after("1 7 1 7 1 6"), rng).action) == "1"
    if text not in ("greedy", "flat"):
        assert game.write(agent.decide(game.after("1 7 1 7 1"), rng).action) == "1"


@pytest.mark.parametrize(("overlooks", "least", "most"), [(0.8, 30, 80), (0.5, 90, 150), (0.0, 200, 200)])
def test_greedy_overlooks_a_share_of_the_wins(overlooks, least, most):
    state, rng = ludus.make("connect_four").after("1 7 1 7 1 6"), ludus.Rng(1)
    agent = GreedyAgent(overlooks=overlooks)
    wins = sum(agent.decide(state, rng).action == 0 for _ in range(200))
    assert least <= wins <= most


def test_greedy_that_overlooks_everything_still_plays():
    state, rng = ludus.make("connect_four").start(), ludus.Rng(1)
    assert {make_agent("greedy:overlooks=1").decide(state, rng).action for _ in range(100)} == set(range(7))
    with pytest.raises(BadOption, match="overlooks must be a number from 0 to 1"):
        make_agent("greedy:overlooks=1.5")


def test_a_decision_tells_why():
    state = ludus.make("connect_four").start()
    tree = MctsAgent(simulations=500).decide(state, ludus.Rng(1))
    assert sum(tree.visits.values()) == 500 and set(tree.values) == set(range(7)) and tree.line[0] == tree.action
    assert tree.simulations == 500 and tree.nodes > 500 and tree.seconds > 0 and "visits" in tree.why
    deep = AlphaBetaAgent(depth=4).decide(state, ludus.Rng(1))
    assert deep.depth == 4 and len(deep.line) >= 1 and deep.nodes > 10 and "4 plies" in deep.why


def test_greedy_chooses_among_equals():
    state = ludus.make("go", size=5).start()
    agent, rng = GreedyAgent("simple"), ludus.Rng(1)
    assert len({agent.decide(state, rng).action for _ in range(60)}) > 15


def test_greedy_can_take_the_first_of_equals():
    state = ludus.make("go", size=5).start()
    agent = make_agent("greedy:estimate=simple,ties=first")
    assert {agent.decide(state, ludus.Rng(seed)).action for seed in range(20)} == {0}
    rng = ludus.Rng(7)
    agent.decide(state, rng)
    assert rng.below(1000) == ludus.Rng(7).below(1000)  # it does not touch the dice
    assert "equally good" in agent.decide(state, rng).why
    with pytest.raises(BadOption, match="must be one of random, first, not 'last'"):
        make_agent("greedy:ties=last")
    with pytest.raises(BadOption, match="ties must be random or first, not 'last'"):
        GreedyAgent(ties="last")


def test_the_tree_survives_between_moves_and_not_between_games():
    game, agent, rng = ludus.make("hex", size=5), MctsAgent(simulations=300, solver=False), ludus.Rng(1)
    state = game.start()
    first = agent.decide(state, rng)
    state = state.play(first.action)
    second = agent.decide(state, rng)
    assert sum(second.visits.values()) > 300  # the old simulations count on
    fresh = agent.decide(game.after("a1"), rng)
    assert sum(fresh.visits.values()) == 300 or first.action == 0
    agent.reset()
    assert sum(agent.decide(state, rng).visits.values()) == 300


def test_simulations_grow_with_the_game():
    agent = MctsAgent(simulations=100, growth=0.5, keep=False)
    game = ludus.make("hex", size=5)
    assert agent.decide(game.start(), ludus.Rng(1)).simulations == 100
    assert agent.decide(game.after("a1 b1"), ludus.Rng(1)).simulations == 200


def test_a_tree_search_without_any_limit_makes_a_thousand_simulations():
    assert make_agent("mcts").decide(ludus.make("hex", size=5).start(), ludus.Rng(1)).simulations == 1000


def test_agents_are_written_as_they_are_read():
    for text in (
        "random",
        "mcts:simulations=50,c=1.2,rave=true",
        "alphabeta:depth=7,caching=false",
        "greedy:estimate=simple",
    ):
        assert write_agent(make_agent(text)) == text
    assert make_agent("mcts") == MctsAgent()
    assert make_agent("minimax: depth = 2") == MinimaxAgent(2)
    assert make_agent("deepening") == DeepeningAgent() and make_agent("flat") == FlatMonteCarloAgent()
    assert make_agent("random") == RandomAgent()


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("mtcs", "did you mean mcts?"),
        ("", "there are random, greedy"),
        ("mcts:simulation=3", "has no option 'simulation'; it has simulations, seconds"),
        ("random:x=1", "it has none"),
        ("mcts:simulations", "needs a value"),
        ("mcts:simulations=many", "must be a whole number, not 'many'"),
        ("mcts:c=big", "must be a number"),
        ("mcts:rave=perhaps", "must be true or false"),
        ("mcts:rule=best", "must be one of uct, ucb1"),
        ("mcts:c=-1", "c must be"),
        ("mcts:growth=-1", "growth must be"),
        ("mcts:rave=true,expansion=all", "expansion 'all' goes with"),
    ],
)
def test_a_mistake_in_a_text_gets_one_sentence(text, sentence):
    with pytest.raises(ludus.LudusError) as caught:
        make_agent(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("text", AGENTS)
def test_nobody_decides_in_a_finished_game(text):
    with pytest.raises(ludus.LudusError, match="over"):
        make_agent(text).decide(ludus.make("nim", stones=1).after("1"), ludus.Rng(1))


def play_out(game, agents, seed):
    state, rng = game.start(), ludus.Rng(seed)
    while not state.over:
        state = state.play(agents[state.player].decide(state, rng).action)
    return state


@pytest.mark.parametrize(
    "game, winner",
    [
        (ludus.make("nim", stones=10, most=3), 0),
        (ludus.make("nim", stones=12, most=3), 1),
        (ludus.make("nim", stones=12, most=3, starter=1), 0),
        (ludus.make("ledge", coins=". . . . . c . . . G"), 0),
        (ludus.make("ledge", coins=". . c . c G . . . ."), 0),
        (ludus.make("ledge", coins=". c . . . G . . . .", starter=1), 1),
    ],
    ids=str,
)
def test_mcts_wins_what_can_be_won(game, winner):
    """500 simulations at size about 10: whoever has the forced win wins at least 95 of 100 games."""
    from ludus.search import alphabeta

    start = game.start()
    assert winner == (start.player if alphabeta(start).value == 1 else 1 - start.player)
    agents = [MctsAgent(simulations=500, c=0.1), MctsAgent(simulations=500, c=0.1)]
    wins = sum(play_out(game, agents, seed).score(winner) == 1 for seed in range(100))
    assert wins >= 95


def test_a_proven_win_is_won():
    """Once an agent has proven its win, no later move gives it away."""
    game, rng = ludus.make("connect_four", width=5, height=4, line=4), ludus.Rng(3)
    for seed in range(10):
        agents = [MctsAgent(simulations=400), MctsAgent(simulations=400)]
        state, sure, rng = game.start(), set(), ludus.Rng(seed)
        while not state.over:
            decision = agents[state.player].decide(state, rng)
            if decision.why == "a proven win":
                sure.add(state.player)
            state = state.play(decision.action)
        assert all(state.score(player) == 1 for player in sure)


MINE = """
from dataclasses import dataclass
from ludus.agents import Decision

@dataclass
class Corner:
    last: bool = False

    def decide(self, state, rng, left=None):
        return Decision(state.actions()[-1 if self.last else 0])

class Rock:
    pass
"""


def test_a_visitors_class_is_an_agent_by_its_file(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    state = ludus.make("hex", size=4).start()
    assert make_agent(f"{tmp_path}/mine.py:Corner").decide(state, ludus.Rng(1)).action == 0
    assert make_agent(f"{tmp_path}/mine.py:Corner:last=true").decide(state, ludus.Rng(1)).action == 15
    for text, words in (
        ("Rock", "needs a method decide"),
        ("Pebble", "cannot load the agent"),
        ("Corner:x=1", "no option 'x'"),
    ):
        with pytest.raises(LudusError, match=words):
            make_agent(f"{tmp_path}/mine.py:{text}")


@pytest.mark.parametrize("text", ["mcts", "deepening", "alphabeta:depth=6", "minimax:depth=4"])
@pytest.mark.parametrize("seconds", [0.0, 1e-4, 0.02])
def test_almost_no_time_is_enough_for_some_move(text, seconds):
    state = ludus.make("othello", size=8).start()
    decision = make_agent(text).decide(state, ludus.Rng(1), TimeLeft(seconds))
    assert decision.action in state.actions()


def test_more_time_on_the_clock_means_a_longer_search(monkeypatch):
    """By a clock that passes as the search is told, whatever else the machine does meanwhile."""
    now, run = [0.0], Mcts.run

    def timed(search, simulations, seconds, threads):
        now[0] += seconds
        return run(search, max(1, int(20_000 * seconds)))

    monkeypatch.setattr(Mcts, "run", timed)
    monkeypatch.setattr("ludus.agents.mcts.time", SimpleNamespace(perf_counter=lambda: now[0]))
    state = ludus.make("hex", size=11).start()
    few, many = (make_agent("mcts").decide(state, ludus.Rng(1), TimeLeft(s)).simulations for s in (0.5, 20))
    assert many > 5 * few


def test_the_clock_is_kept_on_games_written_in_python(monkeypatch):
    monkeypatch.setattr(time, "perf_counter", time.process_time)  # what other programs take away does not count
    clock = TimeLeft(1.0, 0.0, None)
    for agent in (MctsAgent(), DeepeningAgent()):
        assert agent.decide(Noughts(), ludus.Rng(1), clock).seconds < 1.0


@pytest.mark.parametrize("rule", ["uct", "puct", "rave"])
def test_the_only_action_is_played_at_once_on_the_clock(rule):
    state = ludus.make("nim", stones=1).start()
    decision = MctsAgent(rule=rule, solver=False).decide(state, ludus.Rng(1), TimeLeft(60.0, 0.0, None))
    assert decision.action == 0 and decision.simulations <= 2


# ---------------------------------------------------------------------------------------------- thoughts


@pytest.mark.parametrize(
    "text",
    [
        "mcts:simulations=20000",
        "mcts:simulations=2000,temperature=1",
        "mcts:simulations=3000,rave=true,growth=0.1",
        "mcts:rule=ucb1,simulations=3000,expansion=all",
        "mcts:rule=puct,simulations=2000,choice=value",
    ],
)
def test_the_last_thought_is_the_decision(text):
    game, watched, alone = ludus.make("hex", size=5), make_agent(text), make_agent(text)
    for moves in ("c3", "c3 b4 d2"):  # the tree is kept in between
        rngs = ludus.Rng(3), ludus.Rng(3)
        *before, last = watched.thoughts(game.after(moves), rngs[0], slice=1e-5)
        decision = alone.decide(game.after(moves), rngs[1])
        assert replace(last, seconds=0) == replace(decision, seconds=0)
        assert rngs[0].below(10**9) == rngs[1].below(10**9)  # watching does not touch the dice
        simulations = [thought.simulations for thought in before]
        assert len(before) > 1 and simulations == sorted(simulations) and simulations[-1] == last.simulations


@pytest.mark.parametrize("text", ["mcts:simulations=3000", "mcts:seconds=0.05", "mcts"])
def test_a_search_that_nobody_watches_is_not_interrupted(text, monkeypatch):
    runs, run = [], Mcts.run
    monkeypatch.setattr(Mcts, "run", lambda self, *budget: runs.append(budget) or run(self, *budget))
    make_agent(text).decide(ludus.make("hex", size=5).start(), ludus.Rng(1))
    assert len(runs) == 1


def test_a_search_that_is_given_up_leaves_an_agent_that_plays_on():
    game, agent = ludus.make("hex", size=5), make_agent("mcts:simulations=5000")
    thoughts = agent.thoughts(game.start(), ludus.Rng(1), slice=0.001)
    next(thoughts)
    assert agent.bytes > 0
    thoughts.close()
    assert agent.decide(game.after("c3 b4"), ludus.Rng(2)).simulations == 5000
    agent.reset()
    assert agent.bytes == 0
