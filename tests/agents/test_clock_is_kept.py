"""Time and memory are kept: faults that made a search overrun its limit, one test each. None of them measures speed."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus import rollouts
from ludus.agents import TimeLeft, endgame, make_agent, mcts
from ludus.agents.pace import BESIDE, pace
from ludus.errors import BadOption
from ludus.games.python import PythonGame
from ludus.play.clock import Clock, read_clock
from ludus.play.match import play
from ludus.search.mcts import Actor, Critic, Mcts, MctsSettings, Puct, Rave, Rollout, Uct
from tests.python_games import Noughts
from tests.storms.endless import Endless

NO_TIME = 1e-9  # seconds: over before the first look at the clock


# ---------------------------------------------------------------------------- games that may never end


@pytest.mark.parametrize(
    "text",
    ["mcts:rave=true", "mcts:expansion=all", "mcts:rule=puct", "mcts", "flat", "alphabeta:depth=40", "deepening"],
)
def test_a_playout_that_does_not_end_is_given_up_when_the_time_is_over(text):
    """Each of the first two moves has ten seconds; an agent that waits for the end of a playout loses on time."""
    agents = [make_agent(text), make_agent("random")]
    left = TimeLeft(0.1, 0.0, 1)

    class Short:
        def decide(self, state, rng, allowed=None):
            return agents[0].decide(state, rng, left)

    class Ends:
        def decide(self, state, rng, allowed=None):
            raise KeyError("enough")

    record = play(PythonGame(Endless), [Short(), Ends()], clock=read_clock("10/move"))
    assert record.fault == 1 and record.turns[0].player == 0


@pytest.mark.parametrize("text", ["mcts", "mcts:rave=true", "flat"])
def test_without_any_clock_a_search_whose_playouts_do_not_end_gives_up(text, monkeypatch):
    monkeypatch.setattr(mcts, "PATIENCE", 0.1)
    decision = make_agent(text).decide(Endless(plies=1), ludus.Rng(1))
    assert decision.action in (0, 1) and decision.simulations < 10


def test_without_any_clock_a_game_in_python_that_ends_gets_all_its_simulations(monkeypatch):
    usual = make_agent("mcts:simulations=300").decide(Noughts(), ludus.Rng(1))
    monkeypatch.setattr(mcts, "PATIENCE", 0.002)
    monkeypatch.setattr(mcts, "FEW", 0)
    for text in ("mcts:simulations=300", "flat:games=50"):
        decision = make_agent(text).decide(Noughts(), ludus.Rng(1))
        assert decision.simulations == (300 if text.startswith("mcts") else 50 * 9)
    assert usual.simulations == 300


def test_given_up_playouts_are_draws():
    assert rollouts(Endless(plies=1), 5, ludus.Rng(1), seconds=0.01) == (0, 1, 0)
    search = Mcts(Endless(), MctsSettings(), ludus.Rng(1))
    assert search.run(simulations=50, seconds=0.01) >= 2 and abs(search.value) < 1


def test_random_games_stop_when_their_time_is_over():
    for name in ("go", "nim"):
        state = ludus.make(name).start()
        assert 1 <= sum(rollouts(state, 1_000_000, ludus.Rng(1), seconds=NO_TIME)) <= 2
        assert rollouts(state, 100, ludus.Rng(1), seconds=1000.0) == rollouts(state, 100, ludus.Rng(1))


def test_flat_monte_carlo_plays_fewer_games_when_the_clock_is_short():
    state = ludus.make("go", size=19).start()
    decision = make_agent("flat:games=500").decide(state, ludus.Rng(1), TimeLeft(0.2, 0.0, 1))
    assert 361 <= decision.simulations < 100 * 361 and set(decision.values) == set(state.actions())
    same = [make_agent("flat:games=5").decide(state, ludus.Rng(1), left) for left in (None, TimeLeft(1e6, 0.0, 1))]
    assert same[0].values == same[1].values and same[0].simulations == 5 * 362


# -------------------------------------------------------------------- looks at the clock inside a search


class Uniform:
    """An evaluator without an opinion, which counts how often it is asked."""

    def __init__(self, num_actions):
        self.num_actions, self.asked = num_actions, 0

    def evaluate(self, states):
        self.asked += 1
        return np.ones((len(states), self.num_actions), np.float32), np.zeros(len(states), np.float32)


def test_a_search_that_asks_looks_at_the_clock_after_every_answer():
    state = ludus.make("hex", size=5).start()
    for settings in (
        lambda uniform: MctsSettings(Puct(1.0), Critic(uniform)),
        lambda uniform: MctsSettings(Uct(1.0), Critic(uniform)),
        lambda uniform: MctsSettings(Uct(1.0), Actor(uniform)),
    ):
        uniform = Uniform(25)
        assert Mcts(state, settings(uniform), ludus.Rng(1)).run(seconds=NO_TIME) >= 2
        assert uniform.asked <= 3


def test_the_order_in_which_the_solver_tries_moves_is_found_in_time(monkeypatch):
    """The value of each of 120 moves, two plies ahead, by a clock that stands still for everything else."""
    now, asked = [0.0], []

    def two_plies(state, depth, seconds):
        asked.append(seconds)
        now[0] += 0.01
        return SimpleNamespace(value=0.0)

    monkeypatch.setattr(endgame, "alphabeta", two_plies)
    monkeypatch.setattr(endgame, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    state = ludus.make("hex", size=11).after("f6")
    assert endgame.promising(state, 0.055) == list(state.actions())
    assert asked == [pytest.approx(0.055 - 0.01 * k) for k in range(6)]


def test_the_children_of_a_leaf_are_not_all_simulated_when_the_time_is_over():
    search = Mcts(ludus.make("go", size=19).start(), MctsSettings(expansion="all"), ludus.Rng(1))
    assert search.run(seconds=NO_TIME) < 40
    assert search.run(simulations=400) >= 400 and sum(child.visits > 0 for child in search.children()) == 362


@pytest.mark.parametrize("rule", [Uct(), Puct(), Rave()])
def test_even_without_any_time_there_is_a_move(rule):
    for game in (ludus.make("go", size=9), ludus.make("hex"), PythonGame(Endless)):
        search = Mcts(game.start(), MctsSettings(rule), ludus.Rng(1))
        search.run(seconds=NO_TIME)
        assert search.best().action in game.start().actions()


# ---------------------------------------------------------------------------- the tree that is kept


def test_the_time_to_keep_a_tree_is_part_of_the_move(monkeypatch):
    game, agent = ludus.make("hex", size=5), make_agent("mcts:seconds=0.5")
    now, asked, run, advance = [0.0], [], Mcts.run, Mcts.advance

    def slow_advance(search, action, seconds=None):
        now[0] += 0.15
        return advance(search, action, seconds)

    def short_run(search, simulations, seconds, threads):
        asked.append(seconds)
        now[0] += seconds
        return run(search, 100)

    monkeypatch.setattr(Mcts, "run", short_run)
    monkeypatch.setattr(Mcts, "advance", slow_advance)
    monkeypatch.setattr(mcts, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    agent.decide(game.start(), ludus.Rng(1))
    agent.decide(game.after("c3 b4"), ludus.Rng(1))
    assert asked == [pytest.approx(0.5), pytest.approx(0.5 - 2 * 0.15)]


def test_without_time_the_kept_tree_answers_alone(monkeypatch):
    game, agent = ludus.make("hex", size=5), make_agent("mcts")
    agent.decide(game.start(), ludus.Rng(1), TimeLeft(0.5, 0.0, 1))
    monkeypatch.setattr(Mcts, "run", lambda *budget: pytest.fail("there is no time to search"))
    decision = agent.decide(game.after("c3 b4"), ludus.Rng(1), TimeLeft(0.002))
    assert decision.simulations == 0 and decision.visits[decision.action] == max(decision.visits.values())


def test_a_search_that_is_over_at_once_starts_no_further_threads(monkeypatch):
    teams, run = [], Mcts.run
    monkeypatch.setattr(
        Mcts, "run", lambda self, *budget: teams.append((budget[2], budget[1] >= 0.01)) or run(self, 100, None)
    )
    for clock in (0.05, 30.0):
        make_agent("mcts:threads=2").decide(ludus.make("hex").start(), ludus.Rng(1), TimeLeft(clock))
    assert set(teams) == {(1, False), (2, True)}


def test_a_tree_is_kept_only_as_far_as_there_is_time():
    def grown():
        search = Mcts(ludus.make("hex", size=7).start(), MctsSettings(), ludus.Rng(1))
        search.run(simulations=100_000)
        return search

    whole, part = grown(), grown()
    action = whole.best().action
    whole.advance(action)
    part.advance(action, seconds=NO_TIME)
    assert part.visits == whole.visits and part.children() == whole.children()
    assert 49 < part.nodes < 0.2 * whole.nodes
    part.run(simulations=1000)
    assert part.visits == whole.visits + 1000


# ------------------------------------------------------------------------------------------------ memory


@pytest.mark.parametrize(
    ("settings", "threads"),
    [
        (MctsSettings(Uct(), memory=1), 1),
        (MctsSettings(Uct(), memory=1, solver=True), 2),
        (MctsSettings(Uct(), expansion="all", memory=1), 1),
        (MctsSettings(Puct(), memory=1), 1),
        (MctsSettings(Rave(hints=True), Rollout("quick"), memory=1), 1),
    ],
)
def test_a_tree_whose_memory_is_full_grows_no_further_and_the_search_goes_on(settings, threads):
    search = Mcts(ludus.make("hex", size=7).start(), settings, ludus.Rng(1))
    search.run(simulations=100_000, threads=threads)
    full = search.bytes
    assert 1 << 20 <= full <= (1 << 20) + (1 << 16)
    search.run(simulations=20_000, threads=threads)
    assert search.bytes == full and search.visits >= 120_000
    assert sum(child.visits for child in search.children()) >= 119_990
    search.advance(search.best().action)
    assert search.bytes < full
    search.run(simulations=100_000, threads=threads)
    assert search.bytes >= 1 << 20


def test_a_guided_search_with_full_memory_still_asks_and_counts():
    uniform = Uniform(49)
    settings = MctsSettings(Puct(1.0), Critic(uniform), memory=1)
    for batch in (1, 8):
        search = Mcts(ludus.make("hex", size=7).start(), settings, ludus.Rng(1))
        assert search.run(simulations=3000, batch=batch) == 3000
        assert search.bytes <= (1 << 20) + (1 << 16) and search.visits == 3000


def test_the_memory_of_an_agent_is_an_option():
    agent = make_agent("mcts:simulations=100000,memory=1")
    assert agent.decide(ludus.make("hex", size=7).start(), ludus.Rng(1)).simulations == 100_000
    assert agent.bytes < 1.1 * (1 << 20)
    for wrong in (0, 9000):
        with pytest.raises(BadOption, match="memory must be a whole number from 1 to 8000"):
            make_agent(f"mcts:memory={wrong}")


SCARCE = """
import resource, ludus
from ludus.search.mcts import Mcts, MctsSettings, Puct
search = Mcts(ludus.make("hex", size=7).start(), MctsSettings(Puct(), memory=8000), ludus.Rng(1))
search.run(simulations=100)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (40 << 20),) * 2)
search.run(simulations=150_000)
print(search.visits, search.bytes < 60 << 20, search.best().action)
search.advance(search.best().action)
search.run(simulations=100)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are those of Linux")
def test_a_search_to_which_the_system_gives_no_more_memory_goes_on_with_what_it_has():
    done = subprocess.run([sys.executable, "-c", SCARCE], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("150100 True ")


# ----------------------------------------------------------------------------------------- short clocks


@pytest.mark.parametrize("text", ["0.2+0.002", "1+0", "0.2+0"])
def test_a_short_clock_lasts_for_the_whole_game(text):
    """Every move takes as long as it may, and what a move costs beside its search."""
    for game in (ludus.make("hex", size=7), ludus.make("othello", size=8)):
        clock, rng, state = Clock(read_clock(text)), ludus.Rng(1), game.start()
        while not state.over:
            plan = pace(clock.shows(state.player), state)
            assert 0 < plan.target <= plan.most
            assert clock.press(state.player, plan.most + BESIDE)
            state = state.play(rng.choice(list(state.actions())))
