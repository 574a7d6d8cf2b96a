"""The four phases, each alone, on trees small enough to do by hand."""

import math

import pytest

import ludus
from ludus import _core
from ludus.errors import BadOption
from ludus.search.mcts import EpsilonGreedy, Mcts, MctsSettings, Puct, Rave, Rollout, Uct
from tests.python_games import Greed, Noughts

nim = ludus.make("nim", stones=2, most=2)  # take one (and lose), or take both


def options(rule=None, playout="uniform"):
    return MctsSettings(rule or Uct(), Rollout(playout)).native()


def three_nodes(state=None):
    """A root and two children, both tried, nothing counted yet."""
    state = state or nim.start()
    tree, rng = _core.Tree(state.player), ludus.Rng(1)
    _core.expand(tree, 0, state, rng)
    _core.expand(tree, 0, state, rng)
    return tree, {tree.row(i)[0]: i for i in tree.children(0)}


def test_expand_tries_one_untried_action_after_the_other():
    tree, by_action = three_nodes()
    assert len(tree) == 3 and sorted(by_action) == [0, 1]
    with pytest.raises(BadOption, match="every action of this node has been tried"):
        _core.expand(tree, 0, nim.start(), ludus.Rng(1))
    with pytest.raises(BadOption, match="finished game"):
        _core.expand(tree, by_action[1], nim.after("2"), ludus.Rng(1))


def test_select_stops_where_something_is_untried():
    tree = _core.Tree(0)
    path, state = _core.select(tree, nim.start(), options(), ludus.Rng(1))
    assert path == [0] and state == nim.start()


def test_select_follows_uct():
    tree, by_action = three_nodes()
    tree.set(0, visits=10, total=0)
    tree.set(by_action[0], visits=4, total=0)  # share 0.5
    tree.set(by_action[1], visits=6, total=2)  # share 0.67
    greedy, _ = _core.select(tree, nim.start(), options(Uct(0.01)), ludus.Rng(1))
    assert greedy[:2] == [0, by_action[1]]
    curious, state = _core.select(tree, nim.start(), options(Uct(5)), ludus.Rng(1))
    assert curious[:2] == [0, by_action[0]] and state == nim.after("1")


def test_the_two_ln_form_is_uct_with_another_constant():
    tree, by_action = three_nodes()
    for visits, total in ((4, 0), (6, 2), (9, 3), (2, -2)):
        tree.set(0, visits=visits + 7, total=0)
        tree.set(by_action[0], visits=visits, total=total)
        tree.set(by_action[1], visits=7, total=1)
        one, _ = _core.select(tree, nim.start(), options(Uct(1.0)), ludus.Rng(1))
        two, _ = _core.select(tree, nim.start(), options(Uct(1 / math.sqrt(2), two_ln=True)), ludus.Rng(1))
        assert one == two


def test_epsilon_greedy_follows_the_best_and_sometimes_any():
    tree, by_action = three_nodes()
    tree.set(0, visits=20, total=0)
    tree.set(by_action[0], visits=10, total=9)
    tree.set(by_action[1], visits=10, total=-9)
    rng = ludus.Rng(1)
    never = {_core.select(tree, nim.start(), options(EpsilonGreedy(0)), rng)[0][1] for _ in range(50)}
    always = [_core.select(tree, nim.start(), options(EpsilonGreedy(1)), rng)[0][1] for _ in range(200)]
    assert never == {by_action[0]} and 60 < always.count(by_action[1]) < 140


def test_puct_follows_the_prior_and_then_the_value():
    tree, by_action = three_nodes()
    tree.set(0, visits=2, total=0)
    tree.set(by_action[0], visits=0, total=0, prior=0.9)
    tree.set(by_action[1], visits=0, total=0, prior=0.1)
    path, _ = _core.select(tree, nim.start(), options(Puct(1)), ludus.Rng(1))
    assert path[1] == by_action[0]
    tree.set(0, visits=100, total=0)
    tree.set(by_action[0], visits=90, total=-80, prior=0.9)
    path, _ = _core.select(tree, nim.start(), options(Puct(1)), ludus.Rng(1))
    assert path[1] == by_action[1]


def test_a_reduction_makes_puct_stay_with_what_it_knows():
    tree, by_action = three_nodes()
    tree.set(0, visits=4, total=0)  # an even parent
    tree.set(by_action[0], visits=3, total=-0.5, prior=0.5)
    tree.set(by_action[1], visits=0, total=0, prior=0.05)
    followed = [_core.select(tree, nim.start(), options(Puct(0.01, reduction=r)), ludus.Rng(1))[0][1] for r in (0, 0.2)]
    assert followed == [by_action[1], by_action[0]]


def test_select_passes_over_a_proven_loss():
    tree, by_action = three_nodes()
    tree.set(0, visits=10, total=0)
    tree.set(by_action[0], visits=5, total=5)
    tree.set(by_action[1], visits=5, total=-5)
    tree.set_proven(by_action[0], -1)
    path, _ = _core.select(tree, nim.start(), options(), ludus.Rng(1))
    assert path == [0, by_action[1]]


def test_simulate_gives_the_score_of_player_0():
    assert _core.simulate(nim.after("2"), options(), ludus.Rng(1)) == 1  # player 0 took the last
    assert _core.simulate(nim.after("1"), options(), ludus.Rng(1)) == -1  # player 1 can only take the last
    assert _core.simulate(ludus.make("tic_tac_toe").after("b2 a1 c1 a3 a2 c2 b1 b3 c3"), options(), ludus.Rng(1)) == 0


def test_backup_is_seen_by_whoever_chose():
    """A win of player 0: good for the actions of player 0, bad for those of player 1."""
    state = nim.start()
    tree, by_action = three_nodes(state)
    one = by_action[0]  # player 0 took one; player 1 is to move there
    after = state.play(0)
    grandchild = _core.expand(tree, one, after, ludus.Rng(1))
    assert (tree.chooser(0), tree.chooser(one), tree.chooser(grandchild)) == (0, 0, 1)
    _core.backup(tree, [0, one, grandchild], 1.0)
    assert [tree.row(i)[1:3] for i in (0, one, grandchild)] == [(1, 1.0), (1, 1.0), (1, -1.0)]
    _core.backup(tree, [0, one], -1.0)
    assert tree.row(one)[1:3] == (2, 0.0) and tree.row(grandchild)[1] == 1


def test_a_draw_counts_a_visit_and_no_score():
    tree, by_action = three_nodes()
    _core.backup(tree, [0, by_action[1]], 0.0)
    assert tree.row(by_action[1])[1:3] == (1, 0.0)


def test_turns_that_do_not_alternate():
    """Taking two coins gives another turn: the child and its child have the same chooser."""
    state = Greed((1, 1, 5))
    tree, rng = _core.Tree(state.player), ludus.Rng(1)
    _core.expand(tree, 0, state, rng)
    _core.expand(tree, 0, state, rng)
    two = next(i for i in tree.children(0) if tree.row(i)[0] == 1)
    last = _core.expand(tree, two, state.play(1), rng)
    assert tree.chooser(two) == 0 and tree.chooser(last) == 0
    _core.backup(tree, [0, two, last], 1.0)
    assert tree.row(two)[2] == 1.0 and tree.row(last)[2] == 1.0


def test_prove_takes_the_best_child_of_the_player_to_move():
    tree, by_action = three_nodes()
    one, two = by_action[0], by_action[1]
    tree.set_proven(one, -1)
    _core.prove(tree, [0, one])
    assert tree.row(0)[4] is None  # the other child is still open
    tree.set_proven(two, 0)
    _core.prove(tree, [0, two])
    assert tree.row(0)[4] == 0  # a loss and a draw: a draw


def test_one_winning_child_proves_the_parent_and_a_lost_one_its_parent():
    state = nim.start()
    tree, by_action = three_nodes(state)
    one = by_action[0]
    grandchild = _core.expand(tree, one, state.play(0), ludus.Rng(1))
    tree.set_proven(grandchild, 1)  # player 1 takes the last stone
    _core.prove(tree, [0, one, grandchild])
    assert tree.row(one)[4] == -1 and tree.row(0)[4] is None


def test_a_root_with_one_action():
    tree = Mcts(ludus.make("nim", stones=5, most=1).start(), MctsSettings(), ludus.Rng(1))
    tree.run(50)
    assert tree.best().action == 0 and tree.best().visits == 50


def test_terminal_leaves_are_counted_again_and_again():
    tree = Mcts(ludus.make("nim", stones=1, most=1).start(), MctsSettings(), ludus.Rng(1))
    tree.run(100)
    assert tree.visits == 100 and tree.value == 1.0 and tree.nodes == 2


@pytest.mark.parametrize("state", [ludus.make("connect_four").start(), Noughts(), ludus.make("hex", size=4).start()])
@pytest.mark.parametrize("rule", [Uct(), Uct(0.7, True), EpsilonGreedy(), Puct(), Rave()], ids=str)
def test_visits_add_up_under_every_rule(state, rule):
    tree = Mcts(state, MctsSettings(rule), ludus.Rng(3))
    assert tree.run(500) == 500
    children = tree.children()
    assert tree.visits == 500 and sum(c.visits for c in children) in (500, 499)
    total = sum(c.value * c.visits for c in children)
    assert abs(total - tree.value * 500) <= 1.001  # what the root knows beyond its children is one playout


def test_a_search_that_simulates_whole_leaves_looks_at_the_clock():
    tree = Mcts(ludus.make("go", size=9).after("e5"), MctsSettings(expansion="all"), ludus.Rng(1))
    assert all(0 < tree.run(seconds=1e-9) <= 32 + 81 for _ in range(20))


def test_expansion_of_all_children_gives_each_a_simulation():
    tree = Mcts(ludus.make("connect_four").start(), MctsSettings(expansion="all"), ludus.Rng(1))
    tree.run(7)
    assert [c.visits for c in tree.children()] == [1] * 7


def test_rave_learns_from_all_moves_as_first():
    tree = Mcts(ludus.make("connect_four").start(), MctsSettings(Rave()), ludus.Rng(1))
    tree.run(300)
    assert all(c.amaf_visits > c.visits for c in tree.children())
    hexes = Mcts(ludus.make("hex", size=5).start(), MctsSettings(Rave()), ludus.Rng(1))
    hexes.run(300)
    mean = sum(c.amaf_visits for c in hexes.children()) / 25
    assert 140 < mean < 170  # player 0 sets 13 of the 25 stones of a full board
