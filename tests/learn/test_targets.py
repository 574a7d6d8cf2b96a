"""What searches teach: visits, pruned visits, and the improved policy of the Gumbel root choice."""

import math
from collections import Counter
from dataclasses import astuple

import numpy as np
import pytest

import ludus
from ludus._core import Rng, distribution, gumbel_choice, improved_policy, pruned_visits, visit_shares
from ludus.learn.settings import SearchSettings
from ludus.search.mcts import Critic, Gumbel, Mcts, MctsSettings
from tests.learn.test_school import HEX, NetworkEvaluator, network, some_games


def child(action, visits, value, prior, proven=None, noise=0.0):
    """A row of what a search knows of its root."""
    return (action, visits, value, prior, proven, 0, 0.0, noise)


class Flat:
    """Every action alike, every state even; but action 5, if it was played first, wins."""

    def evaluate(self, states):
        policies = np.ones((len(states), HEX.num_actions), np.float32)
        values = [(-0.9 if len(state.history) % 2 == 1 else 0.9) if 5 in state.history[:1] else 0.0 for state in states]
        return policies, np.array(values, np.float32)


def test_the_simulations_of_the_root_are_halved_in_turn():
    """16 candidates share 64 simulations: 4 rounds of 16, 8, 4 and 2 that get the same number of visits together."""
    last_round = 0
    for seed in range(20):
        search = Mcts(HEX.start(), MctsSettings(Gumbel(64), Critic(Flat())), Rng(seed))
        search.run(simulations=65)  # the first one opens the root
        counts = Counter(c.visits for c in search.children())
        assert counts == {1: 8, 1 + 2: 4, 1 + 2 + 4: 2, 1 + 2 + 4 + 8: 2}
        last_round += next(c.visits for c in search.children() if c.action == 5) == 15
    assert last_round >= 12  # of 20; an even one comes so far in 2 or 3


def test_gumbel_noise_makes_searches_differ():
    chosen = set()
    for seed in range(20):
        search = Mcts(HEX.start(), MctsSettings(Gumbel(2), Critic(Flat())), Rng(seed))
        search.run(simulations=3)
        chosen.add(search.best().action)
    assert len(chosen) > 5


def test_only_the_children_of_the_root_have_noise():
    search = Mcts(HEX.start(), MctsSettings(Gumbel(16), Critic(Flat())), Rng(1))
    search.run(simulations=17)
    root = search.children()
    assert len({c.noise for c in root}) == len(root) and all(c.amaf_visits == 0 for c in root)
    below = search.children([search.best().action])
    assert below and all(c.noise == 0 for c in below)


def test_fewer_actions_than_candidates_are_halved_too():
    state = ludus.make("tic_tac_toe").start().play(0).play(1).play(2)

    class Even:
        def evaluate(self, states):
            return np.ones((len(states), 9), np.float32), np.zeros(len(states), np.float32)

    search = Mcts(state, MctsSettings(Gumbel(30), Critic(Even())), Rng(1))
    search.run(simulations=31)
    assert sum(c.visits for c in search.children()) == 30 and min(c.visits for c in search.children()) >= 1


def test_the_improved_policy_follows_prior_and_value():
    even = improved_policy([child(0, 5, 0.0, 0.25), child(1, 5, 0.0, 0.75)])
    assert even[1] / even[0] == pytest.approx(3)
    better = improved_policy([child(0, 10, 0.5, 0.5), child(1, 10, -0.5, 0.5)])
    assert better[0] / better[1] == pytest.approx(math.exp(0.1 * (50 + 10) * 0.5))
    unseen = improved_policy([child(0, 4, 0.2, 0.6), child(1, 0, 0.0, 0.4)])  # counts as what was seen does
    assert unseen[0] / unseen[1] == pytest.approx(1.5)
    lost = improved_policy([child(0, 9, -1.0, 0.9, proven=-1), child(1, 2, -0.5, 0.1)])
    assert lost[0] / lost[1] < 1e-9


def test_the_gumbel_choice_is_a_draw_from_the_improved_policy():
    rng, counts = np.random.default_rng(1), Counter()
    priors, values = [0.2, 0.3, 0.5], [0.3, 0.0, -0.1]
    plain = improved_policy([child(a, 4, v, p) for a, (v, p) in enumerate(zip(values, priors, strict=True))])
    for _ in range(4000):
        noise = rng.gumbel(size=3)
        counts[gumbel_choice([child(a, 4, values[a], priors[a], noise=noise[a]) for a in range(3)])] += 1
    for action in range(3):
        assert counts[action] / 4000 == pytest.approx(plain[action] / sum(plain), abs=0.03)


def test_visits_that_were_forced_and_did_not_pay_are_not_taught():
    children = [child(0, 80, 0.5, 0.6), child(1, 8, -0.9, 0.3), child(2, 1, -0.2, 0.1)]
    assert visit_shares(children) == [80, 8, 1]
    taught = pruned_visits(children, forced=2.0, c=1.0)
    assert taught[0] == 80 and taught[1] < 8 and taught[2] == 0


def test_games_with_the_gumbel_choice_are_taught_by_the_improved_policy():
    for played in some_games(HEX, 4, SearchSettings(simulations=16, rule="gumbel", sigma=0.0, solver=False)):
        for lesson in played.lessons:
            legal = list(lesson.state.actions())
            assert lesson.policy.sum() == pytest.approx(1, abs=1e-5) and (lesson.policy[legal] > 0).all()


def test_a_proven_move_is_all_that_is_taught():
    rng, state = Rng(5), HEX.start()
    while not any(state.play(action).over for action in state.actions()):  # until somebody can win at once
        state = state.play(rng.choice(state.actions()))
    judge = NetworkEvaluator(HEX, network())
    search = Mcts(state, MctsSettings(Gumbel(200), Critic(judge), solver=True), Rng(2))
    search.run(simulations=200)
    rows = [astuple(child) for child in search.children()]
    won = [action for action, *_, proven, _, _, _ in rows if proven == 1]
    taught = distribution(rows, HEX.num_actions, gumbel=True)
    assert won and taught[won].max() == 1 and taught.sum() == 1


def test_a_search_that_visited_nothing_teaches_all_actions_alike():
    taught = distribution([child(2, 0, 0.0, 0.0), child(5, 0, 0.0, 0.0)], HEX.num_actions)
    assert taught[[2, 5]].tolist() == [0.5, 0.5] and taught.sum() == 1
