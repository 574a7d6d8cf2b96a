"""Network files cut short at every length, and folders of trainings that older versions have left."""

import json
import shutil
from functools import cache
from pathlib import Path

import pytest
from safetensors import safe_open

import ludus
from ludus.agents import accept, make_agent
from ludus.cli import run as ludus_command
from ludus.errors import LudusError
from ludus.learn.checkpoint import BadCheckpoint, load_checkpoint
from ludus.learn.config import game_of
from ludus.learn.run import Run
from ludus.learn.trainer import Trainer, start
from tests.learn.test_training import HEX, TINY

OTHERWISE = ("otherwise",)  # Connect Four did not show threats then
OLD = sorted((Path(__file__).parent / "old").glob("*/config.toml"))


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A small network on disk: its folder."""
    folder = tmp_path_factory.mktemp("cut") / "run"
    trainer = start(folder, "hex", HEX, TINY)
    trainer.train()
    trainer.run.close()
    return folder


def test_a_network_file_cut_short_at_every_length_gets_one_sentence(saved, tmp_path):
    whole, cut = Run(saved).checkpoints[-1].read_bytes(), tmp_path / "cut.safetensors"
    assert load_checkpoint(Run(saved).checkpoints[-1]).episode == 8 and len(whole) > 2000
    for length in range(len(whole)):
        cut.write_bytes(whole[:length])
        with pytest.raises(BadCheckpoint) as error:
            load_checkpoint(cut)
        told = str(error.value)
        assert "cut.safetensors" in told and "\n" not in told and len(told) < 400, told


@pytest.mark.parametrize("length", [0, 7, 8, 100, -1])
def test_commands_and_agents_say_that_sentence_too(saved, length, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    whole = Run(saved).checkpoints[-1].read_bytes()
    Path("cut.safetensors").write_bytes(whole[:length])
    with pytest.raises(LudusError, match="damaged"):
        make_agent("cut.safetensors").decide(HEX.start(), ludus.Rng(1))
    assert ludus_command("explain", ["hex", "--size", "3", "--agent", "cut.safetensors"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and told.startswith("ludus explain: ") and "damaged" in told


def test_a_training_whose_state_is_cut_short_at_many_lengths_says_that_it_cannot_go_on(saved, tmp_path):
    folder = shutil.copytree(saved, tmp_path / "run")
    (state,) = folder.glob("state-*.safetensors")
    whole = state.read_bytes()
    for length in [*range(0, 300), *range(300, len(whole), 997), len(whole) - 1]:
        state.write_bytes(whole[:length])
        with pytest.raises(LudusError, match="has no state from which its training could go on"):
            Trainer(HEX, TINY, Run(folder)).run.restore(*learner_of())
    state.write_bytes(whole)
    again = Trainer(HEX, TINY, Run(folder))
    again.resume()
    assert again.episode == 8


@cache
def learner_of():
    """One learner for all lengths: it is never changed."""
    trainer = Trainer(HEX, TINY, Run(Path("unused")))
    return trainer.learner, trainer._go_to


# ------------------------------------------------------------------------------------------------ older versions


@pytest.mark.parametrize("folder", [path.parent for path in OLD], ids=[path.parent.name for path in OLD])
def test_a_training_of_an_older_version_goes_on_or_says_why_not(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(folder, "run")
    before = [json.loads(line) for line in Path("run/games.jsonl").read_text().splitlines()]
    code = ludus_command("train", ["--resume", "run", "--episodes", str(len(before) + 4), "--truth", "0"])
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    assert (code == 0) == (folder.name not in OTHERWISE)
    if code == 0:
        after = [json.loads(line) for line in Path("run/games.jsonl").read_text().splitlines()]
        assert after[: len(before)] == before and len(after) == len(before) + 4
    else:
        assert code == 2 and told.err.startswith("ludus train: ") and told.err.count("\n") == 1
        assert "as an older version of Ludus showed it; train it again" in told.err


@pytest.mark.parametrize("folder", [path.parent for path in OLD], ids=[path.parent.name for path in OLD])
def test_a_network_of_an_older_version_plays_or_says_why_not(folder):
    for path in sorted((folder / "checkpoints").glob("*.safetensors")):
        with safe_open(path, "np") as file:
            assert file.metadata()["format"] == "ludus-network-1"
        game, agent = game_of(folder), make_agent(str(path))
        if folder.name in OTHERWISE:
            with pytest.raises(LudusError, match="as an older version of Ludus showed it; train it again"):
                accept(agent, game)
        else:
            accept(agent, game)
            assert agent.decide(game.start(), ludus.Rng(1)).action in game.start().actions()
