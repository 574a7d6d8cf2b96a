"""Trainings whose games are played on a real Ray of several nodes."""

import dataclasses
import time

import numpy as np
import pytest

import ludus
from ludus.cluster.start import ray_at
from ludus.errors import BadAnswer
from ludus.learn.network import make_network
from ludus.learn.remote import Orders, Plan
from ludus.learn.run import Run
from ludus.learn.settings import RECIPES
from ludus.learn.trainer import Trainer
from ludus.system import json_lines

pytest.importorskip("ray", reason="Ray is not installed: pip install 'ludus[cluster]'")
from ludus.cluster.players import Players

HEX = ludus.make("hex", size=3)
ZERO = RECIPES["zero"]
SMALL = dataclasses.replace(
    ZERO,
    network=dataclasses.replace(ZERO.network, channels=4, blocks=1),
    search=dataclasses.replace(ZERO.search, simulations=16),
)


class Told:
    """A crew that passes everything on, and remembers what it was told."""

    def __init__(self, crew):
        self.crew, self.reports, self.orders = crew, [], []

    def __enter__(self):
        self.crew.__enter__()
        return self

    def __exit__(self, *why):
        self.crew.__exit__(*why)

    def run(self, jobs):
        def seen():
            for orders in jobs:
                self.orders.append(orders)
                yield orders

        for report in self.crew.run(seen()):
            self.reports.append(report)
            yield report

    def games(self):
        return [(game.opening, game.actions, game.score) for report in self.reports for game in report.games]


def written(folder):
    return [(row["opening"], row["actions"], row["score"]) for row in json_lines(folder / "games.jsonl")]


def trained_on(nodes, folder, settings, game=HEX, watch=lambda trainer, crew: None, text="hex", clock=time.monotonic):
    """A finished training on the cluster, and its crew."""
    crews = []

    def hire(plan):
        crews.append(Told(Players(plan)))
        return crews[-1]

    with ray_at(nodes.address):
        run = Run(folder)
        trainer = Trainer(game, settings, run, clock, hire=hire)
        run.begin(text, game, settings)
        try:
            trainer.train(lambda played, losses: watch(trainer, crews[-1]))
        finally:
            run.close()
    return trainer, crews[-1]


def test_a_node_that_is_killed_loses_no_game_that_was_finished_and_none_is_learned_twice(nodes, tmp_path):
    doomed, other = nodes.add(), nodes.add()
    late, told, began = [], {}, time.monotonic()

    def storm(trainer, crew):
        told.update((report.player, report.first + len(report.games)) for report in crew.reports)
        if len(told) == 2 and not late:
            nodes.kill(doomed)
            late.append(nodes.add())

    def clock():  # the training lasts until a third player has told something
        return 60.0 if len(told) > 2 or time.monotonic() > began + 150 else 0.0

    settings = dataclasses.replace(SMALL, minutes=0.5, learn=dataclasses.replace(SMALL.learn, reuse=0.1))
    trainer, crew = trained_on(nodes, tmp_path, settings, watch=storm, clock=clock)
    nodes.kill(other, *late)
    assert trainer.progress == 1 and crew.crew.lost >= 1 and len(told) >= 3
    assert len(written(tmp_path)) == trainer.episode
    assert written(tmp_path) == crew.games()[: trainer.episode]  # in the order in which they came, each once
    counted = {}
    for report in crew.reports:
        assert report.first == counted.get(report.player, 0)
        counted[report.player] = report.first + len(report.games)


def test_the_weights_that_go_out_are_new_ones_and_so_is_the_point_of_the_training(nodes, tmp_path):
    node = nodes.add()
    _, crew = trained_on(nodes, tmp_path, dataclasses.replace(SMALL, episodes=150))
    nodes.kill(node)
    first, last = crew.orders[0], crew.orders[-1]
    assert first.episode == 0 and last.episode > 20 and last.progress == pytest.approx(last.episode / 150)
    assert any((a != b).any() for a, b in zip(first.weights.parts[0][0], last.weights.parts[0][0], strict=True))
    assert len({id(orders.weights) for orders in crew.orders}) > 1
    assert crew.reports[-1].hours.moves > 0


def test_a_training_that_was_stopped_on_the_cluster_goes_on_on_this_machine(nodes, tmp_path):
    class Stop(Exception):
        pass

    def stop(trainer, crew):
        if trainer.episode == 30:
            raise Stop

    settings = dataclasses.replace(SMALL, episodes=40)
    node = nodes.add()
    with pytest.raises(Stop):
        trained_on(nodes, tmp_path, settings, watch=stop)
    nodes.kill(node)
    before = written(tmp_path)
    assert len(before) == 30
    run = Run(tmp_path)
    run.open()
    again = Trainer(HEX, settings, run)
    again.resume()
    assert again.episode == 30
    again.train()
    run.close()
    assert written(tmp_path)[:30] == before and len(written(tmp_path)) == 40


def test_a_game_in_python_is_played_there_without_pytorch(nodes, tmp_path):
    from ludus.games.python import PythonGame
    from tests.python_games import Noughts

    settings = dataclasses.replace(SMALL, episodes=4, search=dataclasses.replace(SMALL.search, simulations=4))
    node = nodes.add()
    trainer, crew = trained_on(nodes, tmp_path, settings, PythonGame(Noughts), text="noughts.py:Noughts")
    nodes.kill(node)
    assert trainer.episode == 4 and written(tmp_path) == crew.games()[:4]


def test_weights_that_are_no_longer_numbers_are_an_error_of_ours(nodes):
    from ludus.learn.evaluator import NetworkEvaluator

    network = make_network(SMALL.network, HEX.planes_shape, HEX.num_actions)
    weights = NetworkEvaluator(HEX, network).weights()
    body = [(np.full_like(matrix, np.nan), bias) for matrix, bias in weights.parts[0]]
    broken = dataclasses.replace(weights, parts=(body, *weights.parts[1:]))
    plan = Plan(HEX, SMALL.search, 8, False, True, 1)
    node = nodes.add()
    with ray_at(nodes.address), Players(plan, 1) as crew, pytest.raises(BadAnswer, match="no usable policy"):
        next(crew.run(iter([Orders(broken, 0, 0.0)])))
    nodes.kill(node)
