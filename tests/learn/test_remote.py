"""Self-play elsewhere, without a cluster: what travels arrives, and a crew may be anything that keeps to the seam."""

import pickle
import subprocess
import sys
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from torch import nn

import ludus
from ludus.errors import BadOption
from ludus.learn.core_network import CoreEvaluator
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.network import make_network
from ludus.learn.remote import Plan, Player, games_of, sent
from ludus.learn.self_play import SelfPlay
from ludus.learn.settings import RECIPES
from ludus.learn.trainer import start
from ludus.system import json_lines

HEX = ludus.make("hex", size=3)
ZERO = RECIPES["zero"]
SMALL = replace(
    ZERO, episodes=300, network=replace(ZERO.network, channels=4, blocks=1), search=replace(ZERO.search, simulations=8)
)
PLAN = Plan(HEX, SMALL.search, 16, False, True, 1)


def evaluator(net="conv", heads="auto", game=HEX):
    settings = replace(SMALL.network, net=net, heads=heads, hidden=(8, 8))
    return NetworkEvaluator(game, make_network(settings, game.planes_shape, game.num_actions))


class Here:
    """A crew of two players in this process, who take turns."""

    def __init__(self, plan, again=False):
        self.players = [Player(plan, number, 2) for number in range(2)]
        self.again, self.orders, self.left = again, [], False

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.left = True

    def run(self, jobs):
        for turn, orders in enumerate(jobs):
            self.orders.append(orders)
            report = pickle.loads(pickle.dumps(self.players[turn % 2].play(pickle.loads(pickle.dumps(orders)))))
            yield report
            if self.again:
                yield report


@pytest.mark.parametrize("net, heads", [("mlp", "auto"), ("conv", "dense"), ("conv", "pooled")])
def test_weights_that_have_travelled_give_the_same_answers(net, heads):
    judge, states = evaluator(net, heads), [HEX.start(), HEX.after("a1"), HEX.after("a1 b2")]
    there = CoreEvaluator(HEX, pickle.loads(pickle.dumps(judge.weights())))
    for one, other in zip(judge.evaluate(states), there.evaluate(states), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_game_that_has_travelled_is_the_same_game():
    player = SelfPlay(HEX, replace(SMALL.search, teacher="solver"), evaluator(), 4, ludus.Rng(1), 100, 0.5)
    for game in islice(player.ended(), 5):
        arrived = pickle.loads(pickle.dumps(sent(game)))
        assert (arrived.start, arrived.opening, arrived.actions) == (game.start, game.opening, game.actions)
        assert (arrived.score, arrived.evaluations) == (game.score, game.evaluations)
        for one, other in zip(arrived.lessons, game.lessons, strict=True):
            np.testing.assert_array_equal(one[1], other[1])
            assert (one[0], *one[2:]) == (other[0], *other[2:])
        assert any(score is not None for *_, score in arrived.lessons)


def test_a_crew_of_this_process_plays_a_training(tmp_path):
    crews = []

    def hire(plan):
        crews.append(Here(plan))
        return crews[-1]

    trainer = start(tmp_path, "hex", HEX, SMALL, hire=hire)
    trainer.train()
    trainer.run.close()
    assert trainer.episode == 300 == len(list(json_lines(tmp_path / "games.jsonl")))
    assert crews[0].left and trainer.hours.moves > 0
    last = crews[0].orders[-1]
    assert last.episode > 0 and last.progress == pytest.approx(last.episode / 300)


def test_a_game_that_is_told_twice_is_noticed():
    judge = evaluator()
    player = SelfPlay(HEX, SMALL.search, judge, 16, ludus.Rng(1))
    with pytest.raises(AssertionError, match="told twice"):
        list(islice(games_of(Here(PLAN, again=True), player, judge), 1000))


def test_players_play_different_games():
    judge = evaluator()
    crew = Here(PLAN)
    games = list(islice(games_of(crew, SelfPlay(HEX, SMALL.search, judge, 16, ludus.Rng(1)), judge), 40))
    assert len({tuple(game.opening + game.actions) for game in games}) > 10


def test_modules_of_the_users_own_stay_here(tmp_path):
    class Mine(nn.Module):
        def forward(self, planes):
            raise NotImplementedError

    with pytest.raises(BadOption, match="only networks of Ludus"):
        start(tmp_path / "run", "hex", HEX, SMALL, network=Mine(), hire=Here)
    assert not (tmp_path / "run").exists()


def test_players_need_no_pytorch():
    code = "import sys, ludus.learn.remote; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
