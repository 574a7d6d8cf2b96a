"""Self-play in the core: native threads, networks that the core does not know, and networks that are of no use."""

import time
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
import torch
from torch import nn

import ludus
from ludus.errors import BadAnswer
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.self_play import Hours, SelfPlay
from ludus.learn.settings import ZERO
from tests.learn.test_school import HEX, QUICK, network


class Foreign(nn.Module):
    """A module that the core does not know, with the same answers as one that it knows."""

    def __init__(self, known):
        super().__init__()
        self.known = known

    def forward(self, planes):
        return self.known(planes)


@pytest.mark.parametrize("settings", [QUICK, ZERO.search, replace(QUICK, rule="uct", sigma_end=1.0)])
def test_a_network_that_the_core_does_not_know_is_asked_by_the_same_loop(settings):
    settings = replace(settings, simulations=20)
    known, foreign = NetworkEvaluator(HEX, network()), NetworkEvaluator(HEX, Foreign(network()))
    assert known.native(HEX.start()) is not None and foreign.native(HEX.start()) is None
    some, same = (
        [(g.opening, g.actions, g.score) for g in islice(SelfPlay(HEX, settings, judge, 3, ludus.Rng(1)).games(), 6)]
        for judge in (known, foreign)
    )
    assert some == same


def games_of_threads(settings, count, judge=None, threads=2, parallel=8, game=HEX):
    player = SelfPlay(game, settings, judge or NetworkEvaluator(game, network(game)), parallel, ludus.Rng(1))
    games = player.games_of_threads(threads)
    played = list(islice(games, count))
    games.close()
    return played, player.hours


def test_native_threads_play_whole_games_that_differ():
    played, hours = games_of_threads(QUICK, 60)
    assert len({tuple(game.opening + game.actions) for game in played}) > 50
    for game in played:
        states = list(HEX.states(game.opening + game.actions))
        assert states[-1].over and states[-1].score(0) == game.score
        assert [lesson.state for lesson in game.lessons] == states[len(game.opening) : -1]
        assert all(lesson.policy.sum() == pytest.approx(1, abs=1e-5) for lesson in game.lessons)
    assert sum(game.evaluations for game in played) > 60 and 0 < hours.network < hours.all


def test_threads_wait_when_nobody_takes_their_games():
    player = SelfPlay(HEX, replace(QUICK, simulations=2), NetworkEvaluator(HEX, network()), 2, ludus.Rng(1))
    games = player.games_of_threads(2)
    next(games)
    time.sleep(1.0)  # enough for hundreds of games, of which four may wait
    taken = list(islice(games, 8))
    games.close()
    assert len(taken) == 8 and player.hours.waiting > 0.5


TAUGHT = [("hex", {"size": 4}), ("connect_four", {"width": 5, "height": 4}), ("othello", {"size": 4}),
          ("go", {"size": 2}), ("tic_tac_toe", {}), ("nim", {})]  # fmt: skip


@pytest.mark.parametrize("teachers", [1, 3])
@pytest.mark.parametrize("name, options", TAUGHT)
def test_threads_teach_what_the_solver_knows(name, options, teachers):
    """Also where several teachers share one table."""
    game, solver = ludus.make(name, **options), ludus.search.solve.Solver(1 << 20)
    settings = replace(QUICK, teacher="solver", teacher_seconds=60.0, teacher_threads=teachers)
    played, hours = games_of_threads(settings, 8, game=game)
    for lesson in (lesson for one in played for lesson in one.lessons):
        values = solver.actions(lesson.state)
        assert lesson.score == max(values.values())
        assert all(values[int(a)] == lesson.score for a in np.flatnonzero(lesson.policy))
    assert 0 < hours.teaching <= hours.teachers


def test_teachers_of_a_wide_board_share_a_table():
    """Boards of more than 64 bits have another kind of table. What is not proven in time is not taught."""
    game, solver = ludus.make("connect_four", width=8, height=8), ludus.search.solve.Solver()
    settings = replace(QUICK, simulations=2, teacher="solver", teacher_seconds=0.01, teacher_threads=3)
    played, _ = games_of_threads(settings, 4, game=game)
    proven = [lesson for one in played for lesson in one.lessons if lesson.score is not None]
    assert proven and all(lesson.score == solver.value(lesson.state) for lesson in proven)


def test_a_teacher_does_not_hold_up_the_end():
    """Whoever stops a training does not wait for a proof that takes minutes."""
    game = ludus.make("go", size=5, max_length=10)
    player = SelfPlay(game, replace(QUICK, simulations=2, teacher="solver", teacher_seconds=1e6),
                      NetworkEvaluator(game, network(game)), 2, ludus.Rng(1))  # fmt: skip
    school = player.school(2)
    while Hours(*school.hours).moves <= 20:  # two games of ten moves: then at least one of them is with the teacher
        time.sleep(0.01)
    school.stop()  # would wait for a million seconds


@pytest.mark.parametrize("threads", [None, 2])
@pytest.mark.parametrize("bias", [float("nan"), 1000.0])
def test_a_network_without_a_usable_policy_is_refused(threads, bias):
    """It knows no number, or is so sure of one cell that nothing is left for others once that one is taken."""
    broken = network()
    with torch.no_grad():
        broken.actor.bias[6] = bias
    player = SelfPlay(HEX, QUICK, NetworkEvaluator(HEX, broken), 4, ludus.Rng(1))
    with pytest.raises(BadAnswer):
        next(player.games() if threads is None else player.games_of_threads(threads))


def test_what_a_network_has_learned_reaches_the_threads():
    """A network that is sure of one action plays it first, once it has been handed over."""
    sure = network()
    player = SelfPlay(HEX, replace(QUICK, openings=0.0, noise=0.0, temperature=0.0, sigma=0.0, sigma_end=0.0),
                      NetworkEvaluator(HEX, sure), 2, ludus.Rng(1))  # fmt: skip
    games = player.games_of_threads(2)
    next(games)
    with torch.no_grad():
        sure.actor.bias[6] += 20
    firsts = [game.actions[0] for game in islice(games, 60)]
    games.close()
    assert set(firsts[-20:]) == {6}
