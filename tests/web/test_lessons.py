"""The lessons: their trees are those of the compiled searches, and their sentences and formulas are true."""

import math
import re

import numpy as np
import pytest

import ludus
from ludus import search
from ludus.game import seen_by
from ludus.search.mcts import Critic, EpsilonGreedy, Mcts, MctsSettings, Puct, Rave, Rollout, Uct
from ludus.web.lessons.alphabeta import KINDS, How, alphabeta_lesson
from ludus.web.lessons.mcts import LessonMcts
from ludus.web.lessons.stage import changes, stage_after
from ludus.web.lessons.steps import Part, mcts_lesson
from ludus.web.lessons.work import load_network, network_for
from tests.python_games import Greed, Noughts

GAMES = [
    ludus.make("nim", stones=7),
    ludus.make("tic_tac_toe"),
    ludus.make("hex", size=3),
    ludus.make("othello", size=4),
    ludus.make("go", size=3),
    ludus.make("ledge"),
    ludus.make(Noughts),
    ludus.make(Greed),  # turns do not alternate
]
RULES = [Uct(1.4), Uct(0), EpsilonGreedy(0.3), Puct(1), Puct(4), Rave(0.3, 30), Rave(0, 1000)]
PLAYOUTS = Rollout("textbook")


class Leaning:
    """An evaluator that likes actions with large numbers and expects player 0 to win."""

    def __init__(self, num_actions):
        self.num_actions = num_actions

    def evaluate(self, states):
        policy = np.arange(1, self.num_actions + 1, dtype=np.float32)
        values = [seen_by(state.player, 0, 0.3) for state in states]
        return np.stack([policy] * len(states)), np.array(values, np.float32)


# ------------------------------------------------------------------------------------------ the real search


def assert_same_tree(search, node, path=()):
    """Every node has the same visits, value, prior and AMAF sums as in the compiled search."""
    theirs = {child.action: child for child in search.children(path)}
    for child in node.children:
        other = theirs[child.action]
        mean = child.total / child.visits if child.visits else 0.0
        amaf = child.amaf_total / child.amaf_visits if child.amaf_visits else 0.0
        assert (child.visits, mean, child.prior) == (other.visits, other.value, other.prior)
        assert (child.amaf_visits, amaf) == (other.amaf_visits, other.amaf_value)
        assert_same_tree(search, child, (*path, child.action))


def assert_same_search(state, settings, seed, simulations):
    compiled = Mcts(state, settings, ludus.Rng(seed))
    compiled.run(simulations)
    lesson = LessonMcts(state, settings, ludus.Rng(seed))
    for _ in range(simulations):
        lesson.simulate()
    assert (lesson.root.visits, lesson.root.total / lesson.root.visits) == (compiled.visits, compiled.value)
    assert_same_tree(compiled, lesson.root)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_tree_is_that_of_the_compiled_search(game, rule):
    for seed in range(3):
        assert_same_search(game.start(), MctsSettings(rule, PLAYOUTS), seed, 150)


@pytest.mark.parametrize("game", [ludus.make("tic_tac_toe"), ludus.make("hex", size=3)], ids=str)
def test_the_tree_is_the_same_with_a_critic_and_with_priors(game):
    evaluator = Leaning(game.num_actions)
    assert_same_search(game.start(), MctsSettings(Puct(1), Critic(evaluator)), 1, 200)
    assert_same_search(game.start(), MctsSettings(Puct(1, evaluator), PLAYOUTS), 1, 200)


def test_the_tree_is_the_same_with_the_network_that_fits():
    game = ludus.make("hex", size=5)
    assert network_for(game) == "hex5" and network_for(ludus.make("hex", size=4)) is None
    assert network_for(ludus.make("hex", size=5, starter=1)) == "hex5"
    assert network_for(ludus.make(Greed)) is None
    evaluator, critic = load_network("hex5", game)
    assert critic
    assert_same_search(game.start(), MctsSettings(Puct(1), Critic(evaluator)), 1, 60)


# ----------------------------------------------------------------------------------- what the page is told


def finished(steps):
    """What a generator returns at last."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def mcts(game, rule, moves="", seed=1, first=0, simulations=60, **more):
    stage = stage_after(game, moves)
    part = Part(first, simulations, 1e9)
    return finished(mcts_lesson(stage, MctsSettings(rule, PLAYOUTS, **more), seed, part))


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("rule", [Uct(1.4), EpsilonGreedy(0.3), Puct(1), Rave(0.3, 30)], ids=str)
def test_the_numbers_on_the_page_are_those_of_the_compiled_search(game, rule):
    """A reader who knows nothing but the JSON finds the visits and values that Mcts has after as many simulations."""
    told = mcts(game, rule)
    sums = {}
    for simulation in told["simulations"]:
        sums |= {node: (visits, total) for node, visits, total in simulation["backup"]["path"]}
    compiled = Mcts(game.start(), MctsSettings(rule, PLAYOUTS), ludus.Rng(1))
    compiled.run(60)
    visited = [child for child in compiled.children() if child.visits]
    ours = {told["nodes"][node]["move"]: sum for node, sum in sums.items() if told["nodes"][node]["parent"] == 0}
    assert ours == {game.write(c.action): (c.visits, pytest.approx(c.value * c.visits)) for c in visited}
    assert sums[0] == (60, pytest.approx(compiled.value * 60))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_positions_are_put_together_from_changes(game):
    """Every position on a path and in a playout, from the changes alone."""
    told = mcts(game, Uct(1.4), simulations=15)
    nodes, known = told["nodes"], {0: told["position"]}
    lesson = LessonMcts(game.start(), MctsSettings(Uct(1.4), PLAYOUTS), ludus.Rng(1))
    stage = stage_after(game, "")
    for simulation in told["simulations"]:
        made = lesson.simulate()
        for node, change in simulation["positions"].items():
            known[int(node)] = changed(known[nodes[int(node)]["parent"]], change)
        state, shown = made.path[-1].state, known[made.path[-1].index]
        assert same_position(shown, stage.position(state))
        for action, change in zip(made.played, simulation["simulate"]["positions"], strict=True):
            state, shown = state.play(action), changed(shown, change)
            assert same_position(shown, stage.position(state))


def changed(before, change):
    """A position after a change, as the page does it."""
    gone, new = change.get("gone", []), change.get("new", [])
    rest = {key: value for key, value in change.items() if key not in ("gone", "new")}
    return before | rest | {"pieces": [piece for piece in before["pieces"] if piece[0] not in gone] + new}


def same_position(one, other):
    pieces = (sorted(map(str, position["pieces"])) for position in (one, other))
    return one | {"pieces": 0} == other | {"pieces": 0} and len(set(map(tuple, pieces))) == 1


def test_a_change_tells_only_what_is_different():
    stage = stage_after(ludus.make("tic_tac_toe"), "")
    before = stage.position(stage.state)
    after = stage.position(stage.state.play(4))
    assert changes(before, after) == {"player": 1, "new": [[4, "stone", 0]], "last": [4]}
    assert changes(after, before) == {"player": 0, "gone": [4], "last": []}


@pytest.mark.parametrize("rule", [Uct(1.4), Rave(0.3, 30)], ids=str)
def test_a_later_part_goes_on_where_the_one_before_ended(rule):
    game = ludus.make("tic_tac_toe")
    whole = mcts(game, rule, simulations=50)
    first, second = mcts(game, rule, simulations=30), mcts(game, rule, first=30, simulations=20)
    assert first["simulations"] + second["simulations"] == whole["simulations"]
    assert first["nodes"] + second["nodes"] == whole["nodes"]


def test_a_lesson_may_begin_anywhere():
    told = mcts(ludus.make("tic_tac_toe"), Uct(), "b2.a1 c1,a3")
    assert len(told["position"]["pieces"]) == 4
    assert {node["move"] for node in told["nodes"] if node["parent"] == 0} == {"b1", "a2", "c2", "b3", "c3"}


# ------------------------------------------------------------------------------------ formulas and sentences


def computed(formula):
    """The value of a formula such as "0.50 + 1.4 × √(ln 7 / 3)", computed from its text."""
    python = formula.replace("×", "*").replace("−", "-")
    python = re.sub(r"√\(ln (\d+) / (\d+)\)", r"math.sqrt(math.log(\1) / \2)", python)
    python = re.sub(r"√(\d+)", r"math.sqrt(\1)", python)
    return eval(python, {"math": math})


@pytest.mark.parametrize("rule", [Uct(1.4), EpsilonGreedy(0), Puct(1.5), Rave(0.3, 30)], ids=str)
def test_the_formulas_add_up_and_the_largest_is_followed(rule):
    told = mcts(ludus.make("tic_tac_toe"), rule)
    choices = [choice for simulation in told["simulations"] for choice in simulation["select"] if choice["rows"]]
    assert len(choices) > 40
    for choice in choices:
        values = {}
        for node, text in choice["rows"]:
            formula, _, value = text.partition(" = ")
            values[node] = float(value or formula)
            assert computed(formula) == pytest.approx(values[node], abs=0.06)  # numbers are rounded for reading
        assert values[choice["chosen"]] == max(values.values())
        children = [node for node in told["nodes"] if node["parent"] == choice["node"]]
        assert len(choice["rows"]) + choice["rest"] == len(children)


def sentences(told):
    for simulation in told["simulations"]:
        phases = [*simulation["select"], simulation["expand"], simulation["simulate"], simulation["backup"]]
        yield from (phase["words"] for phase in phases)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("rule", [Uct(1.4), EpsilonGreedy(0.3), Puct(1), Rave(0.3, 30)], ids=str)
def test_sentences_are_sentences(game, rule):
    for words in sentences(mcts(game, rule)):
        assert re.fullmatch(r"[A-Z][^{}]*\.", words) and "player 0" not in words and "None" not in words, words


def test_the_four_phases_of_a_simulation_in_words():
    told = mcts(ludus.make("tic_tac_toe"), Uct(1.4), "b2 a1 c1 a3 a2")
    first, later = told["simulations"][0], told["simulations"][10]
    assert first["select"][0]["words"] == "No move has been tried yet, so the selection ends at the root."
    made = told["nodes"][first["expand"]["new"][0]]["move"]
    assert first["expand"]["words"] == (
        f"At the root, four moves have no node yet; one of them is drawn and gets one: {made}."
    )
    chosen = told["nodes"][later["select"][0]["chosen"]]["move"]
    formula = dict(later["select"][0]["rows"])[later["select"][0]["chosen"]]
    assert re.fullmatch(r"\d\.\d\d \+ 1\.4 × √\(ln 10 / \d\) = \d\.\d\d", formula)
    assert later["select"][0]["words"] == (
        f"Of the four children at the root, {chosen} has the largest value: {formula}."
    )


@pytest.mark.parametrize("rule, said", [(Puct(4), "the share of its parent"), (Rave(0.3, 30), "its AMAF counts alone")])
def test_a_child_without_visits_says_what_stands_for_its_share(rule, said):
    told = mcts(ludus.make("hex", size=3), rule)
    visits = {}
    for simulation in told["simulations"]:
        for choice in (one for one in simulation["select"] if "has the largest value" in one["words"]):
            assert (said in choice["words"]) == (not visits.get(choice["chosen"])), choice["words"]
        visits |= {node: count for node, count, *_ in simulation["backup"]["path"]}
    assert any(said in one["words"] for simulation in told["simulations"] for one in simulation["select"])


def test_the_result_that_is_told_is_the_one_that_is_counted():
    told = mcts(ludus.make("tic_tac_toe"), Uct(1.4))
    before = {}
    for simulation in told["simulations"]:
        root = simulation["backup"]["path"][0]
        gain = root[2] - before.get(0, 0)
        before[0] = root[2]
        words = {1: "Red wins", 0: "a draw", -1: "Blue wins"}[gain]
        assert words in simulation["simulate"]["words"]


def test_epsilon_greedy_says_what_was_drawn():
    told = mcts(ludus.make("nim", stones=7), EpsilonGreedy(0.5))
    drawn = [re.match(r"The number drawn, (\d\.\d\d), is (not )?below ε = 0.5", words) for words in sentences(told)]
    found = [(float(match[1]), match[2] is None) for match in drawn if match]
    assert {below for _, below in found} == {True, False}
    assert all((number <= 0.5) == below or number == 0.5 for number, below in found)


# ------------------------------------------------------------------------------------------------ alpha-beta

TREES = [
    ("tic_tac_toe", {}, "b2 a3 c1 c2 c3", 4),
    ("tic_tac_toe", {}, "b2 a1 c1 a3", 5),
    ("nim", {"stones": 6}, "", 6),
    ("hex", {"size": 3}, "", 2),
    (Greed, {}, "", 5),
]
HOWS = [(False, False), (True, False), (True, True)]


@pytest.mark.parametrize("kind, options, moves, depth", TREES, ids=str)
@pytest.mark.parametrize("pruning, ordering", HOWS)
def test_the_steps_of_alphabeta_are_those_of_the_search(kind, options, moves, depth, pruning, ordering):
    stage = stage_after(ludus.make(kind, **options), moves)
    told = alphabeta_lesson(stage, How(depth, pruning, ordering))
    truth = search.minimax(stage.state, depth)
    steps, nodes = told["steps"], told["nodes"]
    found = search.alphabeta(stage.state, depth, caching=False, ordering=ordering) if pruning else truth
    assert len(nodes) == found.nodes == told["counts"][told["count"]]
    assert steps[-1]["kind"] == "done" and number_in(steps[-1]["value"]) == pytest.approx(truth.value, abs=0.006)
    assert steps[-1]["chosen"] == stage.write(stage.state, found.action)
    closed = [step["node"] for step in steps if step["kind"] in ("leaf", "close")]
    assert sorted(closed) == list(range(1, len(nodes)))  # every node but the root gets its value, once
    entered = [step["node"] for step in steps if step["kind"] in ("enter", "leaf")]
    assert entered == list(range(len(nodes)))  # in the order of the search
    assert not any(step["kind"] == "cut" for step in steps) or pruning


def number_in(text):
    return float(text.replace("−", "-").lstrip("≤≥ "))


@pytest.mark.parametrize("kind, options, moves, depth", TREES[:3], ids=str)
def test_what_is_cut_off_could_not_matter(kind, options, moves, depth):
    """Each cut-off names all moves that were left out, and the value there lies outside of the window."""
    stage = stage_after(ludus.make(kind, **options), moves)
    told = alphabeta_lesson(stage, How(depth))
    lines = {0: stage.state}
    for index, node in enumerate(told["nodes"][1:], 1):
        before = lines[node["parent"]]
        lines[index] = before.play(next(a for a in before.actions() if stage.write(before, a) == node["move"]))
    cuts = [step for step in told["steps"] if step["kind"] == "cut"]
    assert cuts
    for step in cuts:
        state = lines[step["node"]]
        tried = {node["move"] for node in told["nodes"] if node["parent"] == step["node"]}
        assert tried | set(step["cut"]) == {stage.write(state, action) for action in state.actions()}
        assert not tried & set(step["cut"])
        low, high = (float(side.replace("−", "-").replace("∞", "inf")) for side in step["window"])
        assert low >= high
        assert "cannot matter" in step["words"]


def test_a_cut_off_in_words():
    stage = stage_after(ludus.make("tic_tac_toe"), "b2 a3 c1 c2 c3")
    cut = [step["words"] for step in alphabeta_lesson(stage, How(4))["steps"] if step["kind"] == "cut"]
    assert cut[-1] == (
        "The move b3 is refuted by a1: elsewhere Blue can have 0, and here Red can hold Blue to −1, "
        "so the other two replies cannot matter."
    )


def test_counts_are_compared():
    stage = stage_after(ludus.make("tic_tac_toe"), "b2 a1 c1 a3")
    counts = alphabeta_lesson(stage, How(5))["counts"]
    assert counts == {"minimax": 186, "pruning": 77, "ordering": 28} and list(counts) == list(KINDS)
