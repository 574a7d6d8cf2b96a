"""Trainings that last a given time: what they follow, when they save, how they go on."""

import json
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest

import ludus
from ludus.cli import run as ludus_command
from ludus.cli.follow import Watch, meter_of, planned
from ludus.cli.train import read
from ludus.errors import BadOption
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.config import settings_from, write_toml
from ludus.learn.run import Run
from ludus.learn.settings import LearnSettings, NetworkSettings, SearchSettings, TrainSettings
from ludus.learn.trainer import Trainer, start
from ludus.learn.watch import Watcher

HEX = ludus.make("hex", size=3)
TIMED = TrainSettings(
    minutes=2, checkpoints=3, parallel=1, network=NetworkSettings(hidden=(16,)),
    search=SearchSettings(simulations=4), learn=LearnSettings(minibatch=16, minibatches=1),
)  # fmt: skip
TINY = ["hex", "--size", "3", "--simulations", "4", "--hidden", "8", "--truth", "0", "--run", "run"]


def begin(folder, settings):
    """A training whose clock goes on by one second whenever it is looked at."""
    trainer = start(folder, "hex", HEX, settings)
    trainer.clock = ticking()
    return trainer


def ticking():
    ticks = count()
    return lambda: float(next(ticks))


def test_a_training_ends_when_its_time_is_over_and_everything_follows_the_time(tmp_path):
    trainer = begin(tmp_path / "run", TIMED)
    seen = []
    trainer.train(
        lambda played, losses: seen.append((trainer.seconds, trainer.progress, trainer.source.player.progress))
    )
    seconds, progress, _ = zip(*seen, strict=True)
    assert seconds[-1] >= 120 > seconds[-2] and progress[-1] == 1.0
    assert progress[:-1] == tuple(pytest.approx(s / 120) for s in seconds[:-1])
    assert [before for *_, before in seen[1:]] == list(progress[:-1])  # epsilon follows it as well
    assert trainer.learner.rate(trainer.progress) == pytest.approx(TIMED.learn.lr / 20)


def test_networks_are_saved_at_even_shares_of_the_time(tmp_path):
    trainer = begin(tmp_path / "run", replace(TIMED, checkpoints=5))
    saved = {}

    def see(played, losses):
        if trainer.just_saved:
            saved[trainer.episode] = trainer.seconds

    trainer.train(see)
    assert [load_checkpoint(path).episode for path in trainer.run.checkpoints] == [0, *saved]
    a_game = trainer.seconds / trainer.episode
    assert all(0 <= s - 30 * i <= 2 * a_game for i, s in enumerate(saved.values(), 1)) and len(saved) == 4


def test_given_games_and_time_what_is_reached_first_ends_it(tmp_path):
    few = begin(tmp_path / "few", replace(TIMED, episodes=4))
    few.train()
    assert few.episode == 4 and few.seconds < 120
    many = begin(tmp_path / "many", replace(TIMED, episodes=10_000))
    many.train()
    assert many.episode < 10_000 and many.seconds >= 120


def test_the_time_spent_survives_a_stop_and_more_of_it_goes_further(tmp_path):
    trainer = begin(tmp_path / "run", TIMED)

    def stop(played, losses):
        if trainer.seconds > 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.train(stop)
    trainer.run.close()
    again = Trainer(HEX, replace(TIMED, minutes=4), Run(tmp_path / "run"))
    again.clock = ticking()
    again.resume()
    assert again.seconds == trainer.seconds and again.progress == pytest.approx(trainer.seconds / 240)
    again.train()
    assert again.seconds >= 240 and len(again.run.checkpoints) == 3


def test_what_is_left_and_expected_is_told_by_the_time(tmp_path):
    trainer = begin(tmp_path / "run", TIMED)
    watcher = Watcher(trainer, None)
    trainer.seconds = 45.0
    assert watcher.seconds_left() == 75.0 and planned(TIMED) == ", 2 minutes in all"
    watcher.rows = [{"episode": 1, "seconds": s, "truth": 1 - 1 / s} for s in (5, 10, 15, 20, 25, 30, 35, 40, 45)]
    assert "about 99% of the true results kept at the end" in watcher.forecast()  # one in 120 is lost


def test_a_plan_of_time_names_no_games_in_its_file():
    text = write_toml("hex", HEX, TIMED)
    assert "minutes = 2" in text and "episodes" not in text
    assert "episodes = 200" in write_toml("hex", HEX, TrainSettings())
    assert settings_from({"minutes": 30}).last_episode is None
    _, _, settings, *_ = read(["hex", "--minutes", "30"])
    assert settings.minutes == 30 and settings.last_episode is None


def test_resuming_with_another_plan_replaces_the_old_one(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert ludus_command("train", [*TINY, "--episodes", "3"]) == 0
    assert ludus_command("train", ["--resume", "run", "--minutes", "0.05", "--truth", "0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.split("topp run --games 25\n")[-1])
    assert told["episode"] > 3 and told["seconds"] >= 3 and told["seconds_left"] == 0
    assert "minutes = 0.05" in (tmp_path / "run" / "config.toml").read_text()
    assert ludus_command("train", ["--resume", "run", "--minutes", "0.04", "--truth", "0"]) == 2
    assert "minutes already; --minutes must be more than that" in capsys.readouterr().err


@pytest.mark.parametrize("minutes", [0, -1, float("inf"), True])
def test_times_that_cannot_be_are_refused(minutes):
    with pytest.raises(BadOption, match="minutes must be a number above 0"):
        TrainSettings(minutes=minutes)


def test_the_meter_of_a_short_training_is_made_quickly(tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr("ludus.learn.truth.make_meter", lambda game, count, seconds: given.append(seconds))
    for minutes in (0.5, 30):
        meter_of(SimpleNamespace(run=Run(tmp_path), settings=replace(TIMED, minutes=minutes)), HEX, Watch())
    assert given == [pytest.approx(2.0), 10.0]
