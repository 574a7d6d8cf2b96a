"""What can go wrong with a training: it diverges, fails at once, meets another one, finds damaged files."""

import math
from dataclasses import replace

import pytest
import torch

from ludus.cli import run as ludus_command
from ludus.errors import BadOption, seed_option
from ludus.learn.config import BadRun
from ludus.learn.learner import Diverged
from ludus.learn.network import all_finite
from ludus.learn.run import Run
from ludus.learn.trainer import Trainer, start
from ludus.learn.truth import load_meter
from tests.learn.test_training import HEX, TINY

# With weight decay 1 and rate 100 every step multiplies the weights by -99, which overflows after about twenty steps.
WILD = replace(
    TINY, episodes=300, learn=replace(TINY.learn, optimizer="sgd", lr=100.0, weight_decay=1.0, minibatches=4)
)


def broken_after(trainer, episode):
    """Makes the weights of a network infinite after so many episodes, as a diverging step would."""
    learn = trainer.learner.train

    def train(progress):
        if trainer.episode > episode:
            with torch.no_grad():
                trainer.learner.network.actor.bias += math.inf
        return learn(progress)

    trainer.learner.train = train


def test_a_diverging_training_says_so_and_keeps_a_state_from_which_it_can_go_on(tmp_path):
    trainer = start(tmp_path / "run", "hex", HEX, TINY)
    broken_after(trainer, 5)
    with pytest.raises(
        Diverged, match=r"the training diverged at episode 6: .*; lower --lr, which was 0.002; the best"
    ):
        trainer.train()
    trainer.run.close()
    again = Trainer(HEX, TINY, Run(tmp_path / "run"))
    again.resume(back=True)
    assert all_finite(again.learner.network.parameters()) and again.episode < 6
    again.train()
    assert again.episode == 8


def test_a_learning_rate_that_is_far_too_high_ends_with_that_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flags = ["--size", "3", "--optimizer", "sgd", "--lr", "100", "--weight-decay", "1", "--hidden", "16"]
    flags += ["--simulations", "10", "--episodes", "500", "--truth", "0", "--run", "r"]
    code = ludus_command("train", ["hex", *flags])
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert code == 2 and "the training diverged" in told and "lower --lr" in told
    assert ludus_command("train", ["--resume", "r", "--back", "--lr", "0.001", "--episodes", "9", "--truth", "0"]) == 0
    assert "lr = 0.001" in (tmp_path / "r" / "config.toml").read_text()


def test_weights_that_overflow_are_noticed_before_anybody_plays_with_them(tmp_path):
    trainer = start(tmp_path / "run", "hex", HEX, WILD)
    seen = []
    with pytest.raises(Diverged):
        trainer.train(lambda played, losses: seen.append(all_finite(trainer.learner.network.parameters())))
    assert all(seen)


def test_a_training_that_never_finished_a_game_does_not_block_its_folder(tmp_path):
    first = start(tmp_path / "run", "hex", HEX, TINY)

    def fail():
        raise RuntimeError("the game failed")
        yield

    first.source.episodes = fail
    with pytest.raises(RuntimeError):
        first.train()
    first.run.close()
    assert (tmp_path / "run" / "state-0.safetensors").exists()
    second = start(tmp_path / "run", "hex", HEX, replace(TINY, seed=1))
    second.train()
    second.run.close()
    assert "seed = 1" in (tmp_path / "run" / "config.toml").read_text()
    with pytest.raises(BadRun, match="there is a training in"):
        start(tmp_path / "run", "hex", HEX, TINY)


def test_a_folder_with_a_training_at_work_is_refused(tmp_path):
    at_work = start(tmp_path / "run", "hex", HEX, TINY)
    with pytest.raises(BadRun, match="another training is at work in"):
        Run(tmp_path / "run").open()
    at_work.run.close()
    Run(tmp_path / "run").open()


@pytest.mark.parametrize("name", ["metrics.jsonl", "games.jsonl", "since-8.jsonl", "truth.json"])
@pytest.mark.parametrize(
    "rubbish", [b'{"episode": 3, "sec', b"{}\n", b"\xff\xfe rubbish\n", b"[1, 2]\n", b'{"episode": "x"}\n']
)
def test_damaged_files_do_not_stop_a_training_from_going_on(name, rubbish, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    trainer = start(tmp_path / "run", "hex", HEX, TINY)
    trainer.train()
    trainer.run.add_metrics({"episode": 8, "seconds": 1.5})
    trainer.run.close()
    with (tmp_path / "run" / name).open("ab") as file:
        file.write(rubbish)
    assert ludus_command("train", ["--resume", "run", "--episodes", "10", "--truth", "0"]) == 0
    rows = Run(tmp_path / "run").metrics()
    assert rows[0]["episode"] == 8 and rows[-1]["episode"] == 10


def test_a_damaged_truth_meter_is_made_anew(tmp_path):
    path = tmp_path / "truth.json"
    for rubbish in ('{"problems": [', "{}", '{"problems": [[1, 2]], "openings": []}', "[]"):
        path.write_text(rubbish)
        assert load_meter(path, HEX) is None


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, True, "1"])
def test_seeds_have_64_bits(seed):
    with pytest.raises(BadOption, match=r"seed must be a whole number from 0 to 18446744073709551615 \(64 bits\), not"):
        seed_option("seed", seed)


def test_the_largest_seed_trains(tmp_path):
    trainer = start(tmp_path / "run", "hex", HEX, replace(TINY, seed=2**64 - 1, episodes=2))
    trainer.train()
    assert trainer.episode == 2
