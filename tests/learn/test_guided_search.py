"""The search of a network agent: native threads, batches of leaves, the tree it keeps, its time, and the solver."""

import gc
import time

import pytest

import ludus
from ludus.agents import TimeLeft, make_agent, write_agent
from ludus.agents.endgame import Endgame
from ludus.errors import BadAnswer, BadOption
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.network import make_network
from ludus.learn.settings import NetworkSettings
from ludus.search.mcts import Critic, Mcts, MctsSettings, Puct, Rollout, by_hand
from ludus.search.solve import Solver

HEX = ludus.make("hex", size=5)
GAMES = [
    ludus.make("hex", size=5), ludus.make("connect_four"), ludus.make("othello", size=6), ludus.make("go", size=5),
]  # fmt: skip


def evaluator(game, critic=True):
    torch_seed(1)
    shape = NetworkSettings(net="mlp", hidden=(16,), critic=critic)
    return NetworkEvaluator(game, make_network(shape, game.planes_shape, game.num_actions))


def torch_seed(seed):
    import torch

    torch.manual_seed(seed)


def searched(game, network, threads=1, batch=1, simulations=400, judge=None):
    search = Mcts(game.start(), MctsSettings(Puct(1.0, network), judge or Critic(network), solver=True), ludus.Rng(1))
    assert search.run(simulations, threads=threads, batch=batch) == simulations
    return search


def everything(search, depth=3):
    def below(path):
        return [
            (child, below([*path, child.action]) if len(path) < depth - 1 else []) for child in search.children(path)
        ]

    return below([])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_one_thread_and_one_leaf_at_a_time_is_the_search_by_questions(game):
    network = evaluator(game)
    native = searched(game, network)
    asked = Mcts(game.start(), MctsSettings(Puct(1.0, by_hand), Critic(by_hand), solver=True), ludus.Rng(1))
    asked.run(400)
    while asked.asking:
        policies, values = network.evaluate([asked.question()])
        asked.answer(policies[0], values[0])
        asked.resume()
    assert everything(native) == everything(asked)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize(("threads", "batch"), [(1, 16), (2, 1), (2, 16), (4, 8)])
def test_threads_and_batches_lose_no_visit(game, threads, batch):
    search = searched(game, evaluator(game), threads, batch, 2000)
    assert search.visits == 2000
    assert sum(child.visits for child in search.children()) == 1999  # the first one was the root's own
    value = sum(child.value * child.visits for child in search.children()) / 1999
    assert abs(search.value - value) < 0.01  # no virtual loss is left


def test_in_batches_one_thread_is_the_same_every_time():
    network = evaluator(HEX)
    assert everything(searched(HEX, network, 1, 16)) == everything(searched(HEX, network, 1, 16))


def test_a_network_without_a_critic_plays_its_leaves_out():
    network = evaluator(HEX, critic=False)
    search = searched(HEX, network, 2, 8, 1000, Rollout())
    assert search.visits == 1000 and all(child.prior > 0 for child in search.children())


@pytest.mark.parametrize("threads", [1, 2])
def test_forced_games_are_proven_by_a_team(threads):
    game = ludus.make("tic_tac_toe")
    won, network = game.start().play(0).play(1), evaluator(game)
    search = Mcts(won, MctsSettings(Puct(1.0, network), Critic(network), solver=True), ludus.Rng(1))
    assert search.run(100_000, threads=threads, batch=8) < 100_000  # it stops with the proof
    assert search.proven == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_weights_that_overflow_get_one_sentence(threads):
    network = evaluator(HEX)
    search = Mcts(HEX.start(), MctsSettings(Puct(1.0, network), Critic(network)), ludus.Rng(1))
    search.run(100, threads=threads, batch=4)
    import torch

    with torch.no_grad():
        network.network.actor.bias[0] = float("nan")
    with pytest.raises(BadAnswer, match="no usable policy"):
        search.run(1000, threads=threads, batch=4)


def test_the_tree_grows_on_after_the_opponents_reply():
    agent = make_agent("zoo:hex5,simulations=300")
    state = HEX.start()
    state = state.play(agent.decide(state, ludus.Rng(1)).action)
    tree = agent._search._search
    reply = max(tree.children([state.history[-1]]), key=lambda child: child.visits)
    assert reply.visits > 20
    state = state.play(reply.action)
    decision = agent.decide(state, ludus.Rng(1))
    assert agent._search._search is tree and tree.visits == reply.visits + 300 == sum(decision.visits.values()) + 1


# ------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize("text", [
    "zoo:hex5,seconds=1.0,threads=2,batch=16", "zoo:hex5,seconds=1.0,endgame=false", "zoo:hex5,simulations=9,threads=2",
])  # fmt: skip
def test_the_options_of_the_search_are_part_of_its_name(text):
    assert write_agent(make_agent(text)) == text


@pytest.mark.parametrize("wrong", ["threads=0", "threads=1000", "batch=0", "batch=5000"])
def test_numbers_of_threads_and_leaves_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadOption, match="must be a whole number"):
        make_agent(f"zoo:hex5,{wrong}")


def test_a_number_of_simulations_alone_is_the_same_search_every_time(monkeypatch):
    monkeypatch.setattr("ludus.learn.policy_agent.cores", lambda: 4)
    counted, timed = (
        make_agent(f"zoo:hex5,{limit}").guided_search(HEX.start()) for limit in ("simulations=5", "seconds=1")
    )
    assert (counted.threads, counted.batch, counted.endgame) == (1, 1, False)
    assert timed.threads == 4 and timed.batch > 1 and timed.endgame
    given = make_agent("zoo:hex5,seconds=1,threads=2,batch=3,endgame=false").guided_search(HEX.start())
    assert (given.threads, given.batch, given.endgame) == (2, 3, False)


def test_processes_side_by_side_share_the_cores(monkeypatch):
    from ludus import system

    monkeypatch.setattr(system.os, "sched_getaffinity", lambda who: range(8), raising=False)
    monkeypatch.setattr(system, "_sharing", 1)
    assert system.cores() == 8
    system.share_cores(4)
    assert system.cores() == 2
    system.share_cores(100)
    assert system.cores() == 1


# ---------------------------------------------------------------------------------- time and the solver


@pytest.mark.parametrize("left", [None, TimeLeft(5.0, 0.1), TimeLeft(0.3, moves=1)])
def test_a_timed_search_thinks_and_stops(left):
    agent = make_agent("zoo:hex5,seconds=0.3")
    began = time.perf_counter()
    decision = agent.decide(HEX.start(), ludus.Rng(1), left)
    assert decision.simulations > 0 and decision.action in HEX.start().actions()
    assert time.perf_counter() - began < 5  # a busy machine may be late, but it does stop


def test_the_shortest_time_gives_a_move():
    assert make_agent("zoo:hex5,seconds=0.000001").decide(HEX.start(), ludus.Rng(1)).action in HEX.start().actions()


@pytest.mark.parametrize("options", ["", ",seconds=0.1"])
def test_a_network_is_set_up_before_the_clock_runs(options, monkeypatch):
    agent = make_agent("zoo:hex5" + options)
    agent.accept(HEX)
    monkeypatch.setattr("ludus.learn.checkpoint.Checkpoint.evaluator", lambda *_: pytest.fail("the clock is running"))
    assert agent.decide(HEX.start(), ludus.Rng(1)).action in HEX.start().actions()


def test_collecting_garbage_does_not_walk_through_pytorch():
    make_agent("zoo:hex5")
    assert gc.get_freeze_count() > 50_000


def test_a_network_that_plays_every_size_is_set_up_anew_for_another_board():
    agent = make_agent("zoo:hex7,simulations=20")
    for size in (7, 5):
        game = ludus.make("hex", size=size)
        agent.accept(game)
        assert agent.decide(game.start(), ludus.Rng(1)).action in game.start().actions()
        assert agent.guided_search(game.start()).network.game == game


def late(empty, value):
    """A random state of Othello 6x6 with at most so many empty cells and this exact value for the player to move."""
    game, rng = ludus.make("othello", size=6), ludus.Rng(5)
    while True:
        state = game.start()
        while not state.over and state.cells().count(0) > empty:
            state = state.play(rng.choice(state.actions()))
        if not state.over and Solver().value(state) == value:
            return state


def test_the_end_is_played_by_the_solver():
    state = late(9, 1)
    assert make_agent("zoo:othello6,seconds=2").decide(state, ludus.Rng(1)).why == "a proven win"
    assert make_agent("zoo:othello6,seconds=2,endgame=false").decide(state, ludus.Rng(1)).simulations > 0
    assert make_agent("zoo:othello6,simulations=20").decide(state, ludus.Rng(1)).simulations > 0


def test_after_an_attempt_in_vain_the_solver_rests(monkeypatch):
    asked = []

    class Slow:
        def value(self, state, seconds):
            asked.append(state.cells().count(0))
            return None

    endgame = Endgame(rest=3)
    endgame.solver = Slow()
    state, rng = late(20, 1), ludus.Rng(1)
    while not state.over and state.cells().count(0) > 10:
        endgame.decide(state, 0.1)
        state = state.play(rng.choice(state.actions()))
    assert asked == [20, 17, 14, 11]
    endgame.decide(late(20, 1), 0.1)
    assert asked[-1] == 20  # another game
