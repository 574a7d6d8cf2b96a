"""Searches whose evaluator gets several questions at once, from one thread or from several that share the tree."""

import numpy as np
import pytest

import ludus
from ludus.errors import BadAnswer, BadOption
from ludus.search.mcts import Actor, Critic, Mcts, MctsSettings, Mix, Noise, Puct, Rollout
from tests.python_games import Noughts

HEX = ludus.make("hex", size=4)


class Opinion:
    """Any policies and values, but always the same for the same state; it keeps the sizes of its batches."""

    def __init__(self, num_actions=16):
        self.num_actions, self.sizes = num_actions, []

    def evaluate(self, states):
        self.sizes.append(len(states))
        dice = [np.random.default_rng([len(state.actions()), *map(int, state.actions())]) for state in states]
        policies = np.array([rng.random(self.num_actions) for rng in dice], dtype=np.float32)
        return policies, np.array([rng.uniform(-0.9, 0.9) for rng in dice], dtype=np.float32)


def settings(opinion, judge=None, **more):
    return MctsSettings(Puct(1.0, opinion), judge or Critic(opinion), **more)


def rows(search, depth=2):
    """Everything that a search knows, down to some depth."""

    def below(path):
        children = search.children(path)
        return [(child, below([*path, child.action]) if len(path) < depth - 1 else []) for child in children]

    return below([])


@pytest.mark.parametrize("solver", [False, True])
def test_what_is_asked_in_batches_is_answered_like_single_questions(solver):
    opinion = Opinion()
    search = Mcts(HEX.start(), settings(opinion, solver=solver), ludus.Rng(1))
    assert search.run(500, batch=8) == 500 and search.visits == 500
    assert max(opinion.sizes) == 8 and opinion.sizes[:10] == [1] * 10  # a small tree is searched one by one
    children = search.children()
    assert sum(child.visits for child in children) == 499  # all but the first, which was the root's own
    alone = Mcts(HEX.start(), settings(Opinion(), solver=solver), ludus.Rng(1))
    alone.run(500)
    for mine, theirs in zip(children, alone.children(), strict=True):
        assert (mine.prior == theirs.prior and abs(mine.value - theirs.value) < 0.3) or theirs.visits < 20


def test_no_leaf_is_asked_about_twice():
    seen = []

    class Listening(Opinion):
        def evaluate(self, states):
            seen.extend(tuple(state.history) for state in states)
            return super().evaluate(states)

    opinion = Listening()
    Mcts(HEX.start(), settings(opinion), ludus.Rng(1)).run(600, batch=16)
    assert len(seen) == len(set(seen)) > 400 and max(opinion.sizes) > 8


def test_a_batch_of_one_is_the_search_by_questions():
    one, other = (Mcts(HEX.start(), settings(Opinion(), solver=True), ludus.Rng(1)) for _ in range(2))
    one.run(400)
    other._native.run_asking(Opinion().evaluate, 400, 1e9, 1)
    assert rows(one) == rows(other)


def test_a_fixed_seed_is_a_fixed_search_in_batches():
    found = []
    for _ in range(2):
        search = Mcts(HEX.start(), settings(Opinion(), Rollout(), noise=Noise()), ludus.Rng(3))
        search.run(300, batch=8)
        found.append(rows(search))
    assert found[0] == found[1]


def test_small_games_are_proven_in_batches():
    won = Noughts().play(0).play(1)
    search = Mcts(won, settings(Opinion(9), solver=True), ludus.Rng(1))
    assert search.run(20_000, batch=8) < 20_000 and search.proven == 1


def test_the_tree_is_kept_between_batches():
    search = Mcts(HEX.start(), settings(Opinion(), solver=True), ludus.Rng(1))
    search.run(300, batch=8)
    best = search.best()
    search.advance(best.action)
    assert search.visits == best.visits
    assert search.run(100, batch=8) == 100 and search.visits == best.visits + 100


@pytest.mark.parametrize("batch", [0, -1, 1.5, True, 10_000])
def test_a_batch_out_of_range_is_refused(batch):
    with pytest.raises(BadOption, match="batch must be a whole number"):
        Mcts(HEX.start(), settings(Opinion())).run(10, batch=batch)


def test_bad_answers_to_a_batch_get_a_sentence():
    class Bad(Opinion):
        def evaluate(self, states):
            policies, values = super().evaluate(states)
            return policies, values * (np.nan if len(states) > 1 else 1)

    search = Mcts(HEX.start(), settings(Bad()), ludus.Rng(1))
    with pytest.raises(BadAnswer, match="a value must be a number"):
        search.run(400, batch=8)


def test_an_error_of_the_evaluator_comes_through():
    class Broken(Opinion):
        def evaluate(self, states):
            if len(states) > 2:
                raise KeyError("broken")
            return super().evaluate(states)

    search = Mcts(HEX.start(), settings(Broken()), ludus.Rng(1))
    with pytest.raises(KeyError, match="broken"):
        search.run(400, batch=8)


def test_an_actor_is_still_asked_move_by_move():
    opinion = Opinion()
    search = Mcts(HEX.start(), settings(opinion, Mix(Actor(opinion), Critic(opinion), 0.5)), ludus.Rng(1))
    assert search.run(30, batch=8) == 30 and set(opinion.sizes) == {1}


def test_several_threads_need_a_network_of_the_core():
    with pytest.raises(BadOption, match="or a network of the core"):
        Mcts(HEX.start(), settings(Opinion())).run(10, threads=2)
