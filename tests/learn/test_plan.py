"""The planner: the law finds what is behind made-up curves, plans can be pasted, and their ends are compared."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.cli import run as ludus_command
from ludus.cli.train import read
from ludus.games.python import PythonGame
from ludus.learn.config import settings_from
from ludus.learn.law import Finished, Forecast, TooFewRuns, fit, read_law, share, student, write_law
from ludus.learn.network import make_network
from ludus.learn.plan import compared, course_of, make_plan, note_forecast, same_course
from ludus.learn.settings import NetworkSettings
from ludus.learn.speed import machine_speed, multiply_adds
from tests.python_games import Noughts

LIGHT = {"recipe": "zero"}
HEAVY = {"recipe": "zero", "network": {"channels": 32, "blocks": 4}, "search": {"teacher": "solver", "solver": False}}
HEX = {size: ludus.make("hex", size=size) for size in (3, 4, 5, 6)}


def runs(course, settings, bases, slope, noise=0.0, seed=0, efforts=(20, 22, 24, 26), positions=10**9):
    """Ends of trainings as a law with these numbers makes them; `bases` are log odds by size, at effort e^23."""
    rng = np.random.default_rng(seed)
    return [
        Finished(course, settings, "hex", size, math.exp(x), share(base + slope * (x - 23) + noise * rng.normal()),
                 positions)
        for size, base in bases.items() for x in efforts
    ]  # fmt: skip


def odds(kept):
    return math.log(kept / (1 - kept))


def law():
    """Two courses: the light one is better with little effort, the heavy one with much."""
    light = runs("light", LIGHT, {3: 2.0, 4: 1.0}, 0.2, 0.05, 1)
    return fit([*light, *runs("heavy", HEAVY, {3: 2.0, 4: 1.0}, 0.8, 0.05, 2)])


# ------------------------------------------------------------------------------------------- the law


def test_the_fit_finds_the_numbers_behind_the_runs():
    (line,) = fit(runs("light", LIGHT, {4: 2.5, 5: 1.5, 6: 0.25}, 0.6))
    assert line.sizes == (4, 5, 6) and line.bases == pytest.approx((2.5, 1.5, 0.25), abs=1e-6)
    assert line.slope == pytest.approx(0.6) and line.middle == pytest.approx(23)
    assert line.deviation == pytest.approx(0, abs=1e-6) and line.freedom == 8
    told = line.forecast(5, math.exp(25))
    assert told.expected == pytest.approx(share(1.5 + 2 * 0.6)) and told.high - told.low < 1e-6


def test_nineteen_of_twenty_ends_lie_in_their_range():
    inside = []
    for seed in range(300):
        *known, end = runs("light", LIGHT, {4: 2.0, 5: 1.0}, 0.5, 0.3, seed)
        (line,) = fit(known)
        told = line.forecast(end.size, end.effort)
        inside.append(told.low <= end.kept <= told.high)
    assert 0.91 <= np.mean(inside) <= 0.985


def test_the_range_is_wider_where_no_run_was():
    light, heavy = sorted(law(), key=lambda line: line.slope)
    near, far = light.forecast(4, math.exp(23)), light.forecast(4, math.exp(40))
    assert not near.far and far.far
    assert odds(far.high) - odds(far.low) > 1.5 * (odds(near.high) - odds(near.low))
    assert heavy.slope == pytest.approx(0.8, abs=0.1)


@pytest.mark.parametrize("freedom, quantile", [(3, 3.182), (5, 2.571), (10, 2.228), (1000, 1.962)])
def test_ranges_of_few_runs_are_as_wide_as_students(freedom, quantile):
    assert student(freedom) == pytest.approx(quantile, rel=0.02)


def test_a_perfect_score_is_no_infinity_and_too_few_runs_are_refused():
    (line,) = fit([replace(run, kept=1.0) for run in runs("light", LIGHT, {4: 2.0, 5: 1.0}, 0.5, positions=300)])
    assert 0.99 < line.forecast(4, math.exp(23)).expected < 1
    with pytest.raises(TooFewRuns, match="too few for a law"):
        fit(runs("light", LIGHT, {4: 2.0}, 0.5))


def test_a_law_is_read_as_it_was_written(tmp_path):
    write_law(law(), tmp_path / "law.json")
    assert read_law(tmp_path / "law.json") == law()


def test_the_law_that_comes_with_ludus_forecasts_hex():
    """With more minutes it expects more, on a larger board less; its ranges hold what they expect."""
    lines = [line for line in read_law() if line.game == "hex"]
    assert len(lines) > 1 and all({4, 5, 6} <= set(line.sizes) and line.slope > 0 for line in lines)
    for line in lines:
        effort = line.efforts[line.sizes.index(5)][1]
        told = [line.forecast(size, effort) for size in (4, 5, 6)]
        assert all(0 < one.low < one.expected < one.high < 1 for one in told)
        assert told[0].expected > told[1].expected > told[2].expected


# ------------------------------------------------------------------------------------------- plans


def test_the_plan_is_the_course_that_is_best_at_this_effort():
    short, long = (make_plan(HEX[4], minutes, math.exp(20) / 60, law()) for minutes in (1, 400))
    assert short.settings == LIGHT and long.settings == HEAVY
    assert short.forecast.low < short.forecast.expected < short.forecast.high < long.forecast.expected
    assert "Of 2 courses" in short.why and "light" in short.why


@pytest.mark.parametrize("game, words", [
    (HEX[6], "No runs of Hex 6×6 lie behind this plan, so how strong it will be is not known; the settings are the "
             "best ones for size 4."),
    (ludus.make("othello", size=6), "No runs of Othello 6×6 lie behind this plan"),
    (ludus.make("hex", size=4, swap=True), "No runs of Hex 4×4 with these options lie behind this plan"),
])  # fmt: skip
def test_what_was_never_run_is_not_forecast(game, words):
    plan = make_plan(game, 30, 1e9, law())
    assert plan.forecast is None and words in plan.why


def test_the_command_of_a_plan_can_be_pasted(monkeypatch, capsys):
    monkeypatch.setattr("ludus.learn.law.read_law", law)
    monkeypatch.setattr("ludus.learn.speed.machine_speed", lambda game: math.exp(26) / 60)
    assert ludus_command("plan", ["hex", "--size", "4", "--minutes", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    words = told["command"].split()
    assert words[:5] == ["ludus", "train", "hex", "--size", "4"] and "--no-solver" in words
    _, game, settings, *_ = read(words[2:])
    assert game == HEX[4] and settings.minutes == 1 and same_course(settings, settings_from(HEAVY))
    assert told["forecast"]["low"] < told["forecast"]["expected"] and told["evaluations_per_second"] > 0
    assert ludus_command("plan", ["hex", "--size", "4", "--minutes", "1"]) == 0
    assert "Expect it to keep 9" in capsys.readouterr().out
    assert ludus_command("plan", ["hex", "--minutes", "0"]) == 2
    assert "minutes must be above 0" in capsys.readouterr().err


def test_a_game_of_a_file_has_a_plan_without_a_forecast(tmp_path, capsys):
    (tmp_path / "mine.py").write_text("from tests.python_games import Noughts\n")
    assert ludus_command("plan", [f"{tmp_path}/mine.py:Noughts", "--minutes", "2"]) == 0
    told = capsys.readouterr().out
    assert f"ludus train {tmp_path}/mine.py:Noughts --minutes 2" in told and "is not known" in " ".join(told.split())


# ------------------------------------------------------------------------------------------- speed


def test_multiply_adds_are_counted_from_the_layers():
    layers = make_network(NetworkSettings(hidden=(10, 20)), (4, 3, 3), 9)
    assert multiply_adds(layers, (4, 3, 3)) == 36 * 10 + 10 * 20 + 20 * 9 + 20
    small, large = (
        multiply_adds(
            make_network(NetworkSettings("conv", channels=8, blocks=2, heads="dense"), (4, n, n), n * n), (4, n, n)
        )
        for n in (3, 6)
    )
    convolutions = 9 * 4 * 8 + 4 * 9 * 8 * 8  # for each cell: the first one, and two in each block
    assert 9 * convolutions < small < 2 * 9 * convolutions and large > 4 * small


def test_the_speed_of_this_machine_is_measured_for_games_of_the_core():
    assert machine_speed(HEX[3], 0.1) > 0
    assert machine_speed(PythonGame(Noughts), 0.1) == 0


# ------------------------------------------------------------------------------------------- trainings


def test_a_training_follows_a_course_or_none():
    settings = settings_from(HEAVY)
    assert course_of(HEX[4], replace(settings, minutes=3, seed=7, checkpoints=9), law()).course == "heavy"
    assert course_of(HEX[4], replace(settings, parallel=3), law()) is None
    assert course_of(HEX[6], settings, law()) is None


def test_the_end_of_a_training_says_how_far_the_forecast_was_off(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ludus.learn.law.read_law", law)
    monkeypatch.setattr("ludus.learn.speed.machine_speed", lambda game: 1e9)
    train = ["hex", "--size", "3", "--minutes", "0.02", "--recipe", "zero", "--truth", "40"]
    assert ludus_command("train", [*train, "--run", "one"]) == 0
    expected = Forecast(**json.loads((tmp_path / "one" / "forecast.json").read_text()))
    sentence = f"The plan expected {expected.text}; it is "
    assert sentence in capsys.readouterr().out and sentence in (tmp_path / "one" / "verdict.txt").read_text()
    assert ludus_command("train", ["--resume", "one", "--minutes", "0.04"]) == 0  # of this the plan knows nothing
    assert "The plan expected" not in capsys.readouterr().out
    assert ludus_command("train", [*train, "--simulations", "9", "--run", "two"]) == 0  # nor of this
    assert "The plan expected" not in capsys.readouterr().out


def test_a_forecast_is_compared_in_a_sentence(tmp_path):
    assert compared(tmp_path, 0.941) is None
    note_forecast(tmp_path, Forecast(0.93, 0.9, 0.95))
    assert compared(tmp_path, 0.941) == "The plan expected 93% (90% to 95%); it is 94.1%."
