"""Ratings and tests of strength, against formulas and against dice whose truth is known."""

import math

import numpy as np
import pytest

from ludus.play.rating import bradley_terry, score_interval, sequential_test


def test_two_agents_are_as_far_apart_as_the_formula_says():
    one, other = bradley_terry(np.array([[0, 75.0], [25, 0]]), prior=0)
    assert one.elo - other.elo == pytest.approx(400 * math.log10(3))
    assert one.low < one.elo < one.high and one.elo == pytest.approx(-other.elo)


def test_an_agent_that_won_every_game_has_a_rating_with_a_wide_interval():
    one, other = bradley_terry(np.array([[0, 20.0], [0, 0]]))
    assert 300 < one.elo - other.elo < 1500 and one.high - one.low > 200


def test_more_games_make_the_interval_narrower():
    few, many = (bradley_terry(np.array([[0, 6.0 * n], [4 * n, 0]]))[0] for n in (1, 100))
    assert many.high - many.low < (few.high - few.low) / 5


def test_nobody_has_played_and_some_have_never_met():
    assert [r.elo for r in bradley_terry(np.zeros((3, 3)))] == [0, 0, 0]
    far = bradley_terry(np.array([[0, 8.0, 0], [2, 0, 8], [0, 2, 0]]))
    assert far[0].elo > far[1].elo > far[2].elo


def test_the_intervals_hold_the_truth_19_times_in_20():
    rng, truth = np.random.default_rng(1), np.array([150.0, 0, -150])
    held = 0
    for _ in range(200):
        points = np.zeros((3, 3))
        for i in range(3):
            for j in range(i):
                points[i, j] = rng.binomial(50, 1 / (1 + 10 ** ((truth[j] - truth[i]) / 400)))
                points[j, i] = 50 - points[i, j]
        held += sum(r.low <= elo <= r.high for r, elo in zip(bradley_terry(points), truth, strict=True))
    assert 0.92 < held / 600 < 0.98


def test_score_intervals_of_known_cases():
    low, high = score_interval(50, 100)
    assert (low, high) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))  # Wilson's formula
    low, high = score_interval(100, 100)
    assert low == pytest.approx(0.963, abs=1e-3) and high == 1
    assert score_interval(0, 0) == (0, 1)


@pytest.mark.parametrize("chance, answer", [(0.5, "equal"), (0.62, "first"), (0.38, "second")])
def test_the_sequential_test_is_right_19_times_in_20(chance, answer):
    rng = np.random.default_rng(3)
    said = [sequential_test(rng.binomial(2, chance, 3000) / 2).answer for _ in range(100)]
    assert said.count(answer) >= 91


def test_a_clear_match_ends_early_and_an_open_one_does_not():
    assert sequential_test([1.0] * 100).pairs < 20
    assert sequential_test([0.5, 1, 0]).answer is None
