"""How fast self-play is: positions and evaluations a second, by itself and without a learner."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch

from ludus._core import Rng
from ludus.game import Game
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.native import NativeSchool
from ludus.learn.network import make_network
from ludus.learn.self_play import Hours, SelfPlay
from ludus.learn.settings import ZERO, NetworkSettings

NETS = {
    "mlp": NetworkSettings(hidden=(128, 128), residual=False),
    "conv": NetworkSettings(net="conv"),
}


@dataclass(frozen=True)
class Speed:
    """One measurement."""

    net: str
    judge: str  # critic, or rollouts by the actor
    threads: int
    parallel: int  # games side by side
    simulations: int
    positions_per_second: float
    evaluations_per_second: float
    in_network: float  # the share of the threads' time


def measure(game: Game, net: str, judge: str, threads: int, parallel: int, simulations: int, seconds: float) -> Speed:
    """Plays for some seconds, after a third of that to get going."""
    torch.manual_seed(1)
    network = make_network(NETS[net], game.planes_shape, game.num_actions)
    sigma = 1.0 if judge == "rollouts" else 0.0
    search = replace(ZERO.search, simulations=simulations, sigma=sigma, sigma_end=sigma)
    player = SelfPlay(game, search, NetworkEvaluator(game, network), parallel, Rng(1), 10**9, progress=1.0)
    school = player.school(threads)
    try:
        take_for(school, seconds / 3)
        before, began = Hours(*school.hours), time.perf_counter()
        take_for(school, seconds)
        after, spent = Hours(*school.hours), time.perf_counter() - began
    finally:
        school.stop()
    positions, evaluations = after.moves - before.moves, after.evaluations - before.evaluations
    inside = (after.network - before.network) / max(1e-9, after.all - before.all)
    return Speed(net, judge, threads, parallel, simulations, round(positions / spent, 1), round(evaluations / spent, 1),
                 round(inside, 3))  # fmt: skip


def take_for(school: NativeSchool, seconds: float) -> None:
    """Takes games away for some seconds, so that nobody waits."""
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        school.take(0.02)


def rows(game: Game, threads: int, simulations: int, seconds: float) -> Iterator[Speed]:
    """Both networks and both judges, on one thread and on several, one game at a time and many side by side."""
    for net in NETS:
        for judge in ("critic", "rollouts"):
            for count, parallel in ((1, 1), (1, 128), *([(threads, 128)] if threads > 1 else [])):
                yield measure(game, net, judge, count, parallel, simulations, seconds)
