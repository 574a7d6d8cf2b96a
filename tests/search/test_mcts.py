"""Monte Carlo tree search as a whole: budgets, kept trees, forests, threads, evaluators, mistakes."""

import os
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import ludus
from ludus.errors import BadAnswer, BadOption
from ludus.search import alphabeta
from ludus.search.mcts import (
    Actor,
    Child,
    Critic,
    EpsilonGreedy,
    Forest,
    Mcts,
    MctsSettings,
    Mix,
    Noise,
    Puct,
    Rave,
    Rollout,
    Uct,
    best_child,
    by_hand,
    draw_child,
)  # fmt: skip
from tests.python_games import Greed, Noughts

hex4, connect_four = ludus.make("hex", size=4), ludus.make("connect_four")


class Opinion:
    """An evaluator with fixed, uneven answers; counts its questions. Illegal actions get probability, too."""

    def __init__(self, num_actions):
        self.num_actions, self.batches = num_actions, []

    def evaluate(self, states):
        self.batches.append(len(states))
        policies = np.tile(np.arange(1, self.num_actions + 1, dtype=np.float32), (len(states), 1))
        values = np.array([0.3 if s.player == 0 else -0.1 for s in states], dtype=np.float32)
        return policies, values


def visits(tree):
    return {child.action: child.visits for child in tree.children()}


def settings(kind, num_actions=16):
    opinion = Opinion(num_actions)
    return {
        "uct": MctsSettings(),
        "rave": MctsSettings(Rave()),
        "solver": MctsSettings(solver=True),
        "actor": MctsSettings(judge=Actor(opinion, epsilon=0.2)),
        "greedy": MctsSettings(judge=Actor(opinion, 0.5, "greedy")),
        "critic": MctsSettings(judge=Critic(opinion)),
        "mix": MctsSettings(judge=Mix(Actor(opinion, 0.1), Critic(opinion), 0.4)),
        "mixed rollout": MctsSettings(judge=Mix(Rollout(), Critic(opinion), 0.7)),
        "zero": MctsSettings(Puct(1.0, opinion), Critic(opinion), noise=Noise()),
        "puct rollout": MctsSettings(Puct(1.0, opinion), Rollout()),
    }[kind]


KINDS = ["uct", "rave", "solver", "actor", "greedy", "critic", "mix", "mixed rollout", "zero", "puct rollout"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_grows_the_same_tree(kind):
    trees = [Mcts(hex4.start(), settings(kind), ludus.Rng(seed)) for seed in (1, 1, 2)]
    for tree in trees:
        assert tree.run(200) == 200 or tree.proven is not None
    assert visits(trees[0]) == visits(trees[1]) != visits(trees[2])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", [hex4.start(), Noughts()], ids=["native", "python"])
def test_searches_in_a_forest_are_as_each_alone(kind, start):
    states = [start, start.play(3), start.play(0).play(4)]
    forest = Forest(states, settings(kind), [ludus.Rng(i) for i in range(3)])
    forest.run(120)
    for i, state in enumerate(states):
        alone = Mcts(state, settings(kind), ludus.Rng(i))
        alone.run(120)
        assert forest.children(i) == alone.children()


def test_a_forest_asks_in_full_batches():
    opinion = Opinion(16)
    forest = Forest(
        [hex4.start()] * 32, MctsSettings(Puct(1, opinion), Critic(opinion)), [ludus.Rng(i) for i in range(32)]
    )
    forest.run(50)
    assert np.mean(opinion.batches) > 31


def test_a_python_game_and_a_native_game_grow_the_same_tree():
    ours = Mcts(ludus.make("tic_tac_toe").start(), MctsSettings(Uct(), Rollout("textbook"), solver=True), ludus.Rng(1))
    theirs = Mcts(Noughts(), MctsSettings(Uct(), Rollout("textbook"), solver=True), ludus.Rng(1))
    ours.run(700), theirs.run(700)
    assert visits(ours) == visits(theirs)


def test_budgets():
    tree = Mcts(connect_four.start())
    assert tree.run(100) == 100
    began = time.perf_counter()
    assert tree.run(seconds=0.1) > 100
    assert tree.run(simulations=10, seconds=100) == 10
    assert time.perf_counter() - began < 50  # not a hundred seconds
    with pytest.raises(BadOption, match="needs a budget"):
        tree.run()


def test_the_tree_is_kept_while_the_game_goes_on():
    tree = Mcts(connect_four.start(), rng=ludus.Rng(1))
    tree.run(3000)
    line = tree.line()[:2]
    before = {child.action: child for child in tree.children(line)}
    visited = sum(child.visits for child in before.values())
    nodes = tree.nodes
    for action in line:
        tree.advance(action)
    assert tree.root == connect_four.start().play(line[0]).play(line[1])
    assert {child.action: child for child in tree.children()} == before
    assert visited <= tree.visits and tree.nodes < nodes
    tree.run(500)
    assert tree.visits >= visited + 500


def test_a_kept_root_is_seen_by_its_own_player():
    """After a move that wins, the tree below it must say that the other player loses."""
    tree = Mcts(connect_four.after("1 7 1 7 1 6"), MctsSettings(solver=True), ludus.Rng(1))
    tree.run(500)
    assert tree.proven == 1 and tree.best().action == 0
    lost = Mcts(connect_four.after("1 7 1 7 1"), rng=ludus.Rng(1))  # O must answer in column 1
    lost.run(2000)
    lost.advance(3)  # it does not
    lost.run(500)
    assert lost.value > 0.5


def test_an_unvisited_action_starts_a_new_tree():
    tree = Mcts(connect_four.start())
    tree.advance(3)
    tree.run(50)
    assert tree.root == connect_four.after("4") and tree.visits == 50


def test_the_solver_stops_when_all_is_known():
    tree = Mcts(ludus.make("nim", stones=7, most=3).start(), MctsSettings(solver=True))
    assert tree.run(100_000) < 5000 and tree.proven == 1 and tree.best().action == 2


def test_a_proven_win_is_played_even_if_little_visited():
    children = [Child(0, 900, 0.4, 0, None, 0, 0), Child(1, 2, 1.0, 0, 1, 0, 0), Child(2, 950, 0.9, 0, -1, 0, 0)]
    assert best_child(children).action == 1
    assert best_child(children[::2]).action == 0
    assert best_child([*children[:1], Child(3, 5, 0.8, 0, None, 0, 0)], by="value").action == 3


def test_drawing_by_visits_with_a_temperature():
    children = [Child(a, n, 0, 0, None, 0, 0) for a, n in enumerate((10, 30, 60, 0))]
    rng = ludus.Rng(1)
    counts = [0] * 4
    for _ in range(10_000):
        counts[draw_child(children, 1.0, rng).action] += 1
    assert counts[3] == 0 and abs(counts[0] - 1000) < 150 and abs(counts[2] - 6000) < 250
    cold = [draw_child(children, 0.1, rng).action for _ in range(500)]
    assert cold.count(2) > 490 and draw_child(children, 0, rng).action == 2


def test_priors_are_of_legal_actions_and_sum_to_one():
    state = hex4.after("a1 d4 b2")
    opinion = Opinion(16)
    tree = Mcts(state, MctsSettings(Puct(1, opinion), Critic(opinion)))
    tree.run(2)
    children = tree.children()
    assert [c.action for c in children] == state.actions() and abs(sum(c.prior for c in children) - 1) < 1e-5
    legal = sum(a + 1 for a in state.actions())
    assert all(abs(c.prior - (c.action + 1) / legal) < 1e-6 for c in children)


def test_root_noise_moves_the_priors():
    opinion = Opinion(16)
    trees = [
        Mcts(hex4.start(), MctsSettings(Puct(1, opinion), Critic(opinion), noise=n)) for n in (None, Noise(0.3, 0.5))
    ]
    for tree in trees:
        tree.run(2)
    plain, noisy = ([c.prior for c in tree.children()] for tree in trees)
    assert plain != noisy and abs(sum(noisy) - 1) < 1e-5 and min(noisy) >= 0


def test_a_critic_is_asked_once_per_leaf_and_an_actor_once_per_move():
    critic, actor = Opinion(16), Opinion(16)
    Mcts(hex4.start(), MctsSettings(judge=Critic(critic))).run(100)
    Mcts(hex4.start(), MctsSettings(judge=Actor(actor))).run(100)
    assert sum(critic.batches) == 100 and sum(actor.batches) > 600


def test_questions_can_be_answered_by_hand():
    """Stopping and resuming is the same search as with an evaluator."""
    opinion = Opinion(16)
    alone = Mcts(hex4.start(), MctsSettings(Puct(1, opinion), Mix(Actor(opinion), Critic(opinion), 0.5)), ludus.Rng(1))
    alone.run(60)
    tree = Mcts(hex4.start(), MctsSettings(Puct(1, by_hand), Mix(Actor(by_hand), Critic(by_hand), 0.5)), ludus.Rng(1))
    done = tree.run(60)
    while tree.asking:
        policies, values = opinion.evaluate([tree.question()])
        tree.answer(policies[0], values[0])
        done = tree.resume()
    assert done == 60 and tree.children() == alone.children()
    with pytest.raises(BadAnswer, match="asked nothing"):
        tree.question()
    with pytest.raises(BadAnswer, match="asked nothing"):
        tree.answer(value=0.5)


def test_an_answer_by_hand_is_checked():
    tree = Mcts(hex4.start(), MctsSettings(judge=Critic(by_hand)))
    tree.run(10)
    for value in (7, float("nan"), "good", None):
        with pytest.raises(BadAnswer):
            tree.answer(value=value)
    tree.answer(value=0.5)
    assert tree.resume() == 1


def test_actor_rollouts_play_only_legal_actions():
    """A policy that wants nothing but what is taken: the search plays on with what is legal."""

    class Stubborn:
        def evaluate(self, states):
            policies = np.full((len(states), 16), 1e-6, dtype=np.float32)
            for row, state in zip(policies, states, strict=True):
                row[[a for a in range(16) if a not in state.actions()]] = 1.0
            return policies, np.zeros(len(states), dtype=np.float32)

    tree = Mcts(hex4.start(), MctsSettings(judge=Actor(Stubborn(), 0.0, "greedy")))
    assert tree.run(50) == 50


def test_questions_come_with_their_past():
    seen = []

    class Curious(Opinion):
        def evaluate(self, states):
            seen.extend(states)
            return super().evaluate(states)

    Mcts(hex4.after("a1"), MctsSettings(judge=Actor(Curious(16)))).run(20)
    for state in seen:
        again = hex4.start()
        for action in state.history:
            again = again.play(action)
        assert again == state


@pytest.mark.parametrize(
    "answer, sentence",
    [
        (lambda n: (np.ones((n, 3)), np.zeros(n)), "a number for every action"),
        (lambda n: (np.ones((n + 1, 16)), np.zeros(n)), "must return policies"),
        (lambda n: (np.ones((n, 16)), np.zeros((n, 1))), "must return policies"),
        (lambda n: (np.zeros((n, 16)), np.zeros(n)), "a probability above zero"),
        (lambda n: (np.full((n, 16), np.nan), np.zeros(n)), "no NaN"),
        (lambda n: (-np.ones((n, 16)), np.zeros(n)), "no negative number"),
        (lambda n: (np.ones((n, 16)), np.full(n, np.nan)), "from -1 to \\+1"),
        (lambda n: (np.ones((n, 16)), np.full(n, 7.0)), "from -1 to \\+1"),
        (lambda n: None, "two arrays of numbers"),
        (lambda n: (["a"], ["b"]), "two arrays of numbers"),
    ],
)
def test_a_bad_answer_gets_a_sentence(answer, sentence):
    class Bad:
        def evaluate(self, states):
            return answer(len(states))

    bad = Bad()
    with pytest.raises(BadAnswer, match=sentence):
        Mcts(hex4.start(), MctsSettings(Puct(1, bad), Critic(bad))).run(10)


def test_an_error_of_an_evaluator_comes_through():
    class Broken:
        def evaluate(self, states):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Mcts(hex4.start(), MctsSettings(judge=Critic(Broken()))).run(10)


MISTAKES = [
    (lambda: Mcts(ludus.make("nim", stones=1).after("1")), "the game is over"),
    (lambda: Mcts(hex4.start()).run(0), "simulations must be"),
    (lambda: Mcts(hex4.start()).run(-5), "simulations must be"),
    (lambda: Mcts(hex4.start()).run(1.5), "simulations must be"),
    (lambda: Mcts(hex4.start()).run(seconds=0), "seconds must be"),
    (lambda: Mcts(hex4.start()).run(10, threads=0), "threads must be"),
    (lambda: Mcts(Noughts()).run(10, threads=2), "several threads need"),
    (lambda: Mcts(hex4.start(), MctsSettings(Uct(-1))), "c must be"),
    (lambda: Mcts(hex4.start(), MctsSettings(EpsilonGreedy(2))), "epsilon must be"),
    (lambda: Mcts(hex4.start(), MctsSettings(expansion="two")), "expansion must be"),
    (lambda: Mcts(hex4.start(), MctsSettings(Rave(), expansion="all")), "expansion 'all' goes with"),
    (lambda: Mcts(hex4.start(), MctsSettings(Puct(1, Opinion(1)), Critic(Opinion(1)))), "the same evaluator"),
    (lambda: Mcts(hex4.start()).advance(99), "cannot go on by action 99"),
    (lambda: Mcts(hex4.start()).best(), "visited nothing"),
    (lambda: alphabeta(hex4.start(), depth=-1), "depth must be"),
    (lambda: alphabeta(ludus.make("nim", stones=1).after("1")), "the game is over"),
    (lambda: alphabeta(hex4.start(), 2, "wise"), "no heuristic 'wise'"),
    (lambda: alphabeta(hex4.start(), 2, lambda s: 12.0), "strictly between -1"),
    (lambda: alphabeta(hex4.start(), 2, lambda s: "good"), "must return a number"),
    (lambda: ludus.search.deepening(hex4.start()), "needs seconds or a depth"),
]


@pytest.mark.parametrize("mistake, sentence", MISTAKES, ids=[m[1] for m in MISTAKES])
def test_a_mistake_gets_one_sentence(mistake, sentence):
    import ludus.search

    with pytest.raises(ludus.LudusError) as caught:
        mistake()
    assert sentence in str(caught.value)


def test_a_state_without_hash_cannot_be_cached():
    class Unhashable(Greed):
        __hash__ = None

        def play(self, action):
            following = super().play(action)
            return Unhashable(following.coins, following.player, following.lead)

    with pytest.raises(ludus.LudusError, match="needs states with == and hash"):
        alphabeta(Unhashable(), 3, caching=True)
    assert alphabeta(Unhashable(), 3, caching=False).action is not None


def test_threads_share_one_tree():
    tree = Mcts(ludus.make("go", size=5).start(), MctsSettings(solver=True), ludus.Rng(1))
    assert tree.run(3000, threads=3) in range(3000, 3004)
    children = tree.children()
    assert sum(c.visits for c in children) == tree.visits
    assert all(abs(c.value) <= 1 for c in children)
    for rule in (Rave(), EpsilonGreedy(), Uct(0.7, True)):
        other = Mcts(hex4.start(), MctsSettings(rule), ludus.Rng(1))
        other.run(2000, threads=2)
        assert sum(c.visits for c in other.children()) in range(1998, 2003)


def test_threads_find_the_win():
    tree = Mcts(connect_four.after("1 7 1 7 1 6"), rng=ludus.Rng(1))
    tree.run(4000, threads=2)
    assert tree.best().action == 0


def test_memory_comes_back():
    def search():
        tree = Mcts(ludus.make("hex", size=9).start(), MctsSettings(Rave()), ludus.Rng(1))
        tree.run(2000)
        alphabeta(ludus.make("othello", size=6).start(), 4)
        alphabeta(Noughts(), 4)
        Mcts(Noughts(), MctsSettings(judge=Critic(Opinion(9)))).run(50)

    search()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(40):
        search()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000  # kilobytes


def test_a_node_takes_at_most_32_bytes():
    tree = Mcts(ludus.make("hex", size=9).start())
    tree.run(20_000)
    assert tree.bytes / tree.nodes <= 32


@pytest.mark.parametrize(
    "code",
    [
        "Mcts(ludus.make('go', size=9).start()).run(seconds=60)",
        "Mcts(ludus.make('go', size=9).start()).run(seconds=60, threads=2)",
        "alphabeta(ludus.make('othello').start())",
        "minimax(ludus.make('connect_four').start())",
        "ludus.rollouts(ludus.make('go', size=19).start(), 10**9, ludus.Rng())",
    ],
)
def test_ctrl_c_stops_a_search_within_a_second(code):
    listen = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)"  # also in the background
    imports = "import ludus\nfrom ludus.search.mcts import Mcts\nfrom ludus.search import *"
    program = f"{listen}\n{imports}\nprint('go', flush=True)\n{code}"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.readline()
        time.sleep(0.3)
        began = time.perf_counter()
        os.kill(running.pid, signal.SIGINT)
        try:
            _, errors = running.communicate(timeout=55)
        finally:
            running.kill()
    assert b"KeyboardInterrupt" in errors and time.perf_counter() - began < 45  # it would search for a minute


def test_leaves_can_be_judged_by_the_game_s_own_estimate():
    state = ludus.make("othello").start()
    search = Mcts(state, MctsSettings(Uct(0.2), Rollout("estimate")), ludus.Rng(1))
    search.run(200)
    again = Mcts(state, MctsSettings(Uct(0.2), Rollout("estimate")), ludus.Rng(1))
    again.run(200)
    assert search.children() == again.children()
    assert all(abs(child.value) < 1 and child.value * child.visits % 1 != 0 for child in search.children())


class Opinionated:
    """Likes cell b2 much and the others a little; games that begin elsewhere look lost to it."""

    def evaluate(self, states):
        import numpy as np

        policies = np.full((len(states), 16), 0.02, np.float32)
        policies[:, 5] = 0.7
        lost = [-0.9 if state.player == 0 else 0.9 for state in states]
        even = [not state.history or state.history[0] == 5 for state in states]
        return policies, np.where(even, 0, lost).astype(np.float32)


def test_forced_playouts_give_every_child_its_least_share():
    judge, state, least = Opinionated(), ludus.make("hex", size=4).start(), {}
    for forced in (0.0, 2.0):
        search = Mcts(state, MctsSettings(Puct(1.0, forced=forced), Critic(judge)), ludus.Rng(1))
        search.run(simulations=400)
        least[forced] = min(child.visits for child in search.children())
    assert least[0.0] < (2 * 0.02 * 400) ** 0.5 - 1 <= least[2.0]


def test_a_tree_says_which_actions_it_takes():
    class Wide(Greed):
        def actions(self):
            return [1, 70_000]

    with pytest.raises(ludus.LudusError, match="actions up to 65,534"):
        Mcts(Wide()).run(10)
