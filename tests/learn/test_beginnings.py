"""How a training begins: with a saved network, on small boards, with a network of the user's own."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import nn

import ludus
from ludus.agents import make_agent
from ludus.errors import BadOption
from ludus.learn.checkpoint import BadCheckpoint, load_checkpoint
from ludus.learn.run import Run, json_lines
from ludus.learn.settings import ExerciseSettings, LearnSettings, NetworkSettings, SearchSettings, TrainSettings
from ludus.learn.trainer import Trainer, start
from ludus.learn.watch import Watcher
from tests.learn.test_training import LUDUS, command

POOLED = NetworkSettings("conv", channels=8, blocks=1, heads="pooled")
TINY = TrainSettings(
    episodes=14, checkpoints=2, parallel=1, network=POOLED,
    search=SearchSettings(simulations=8), learn=LearnSettings(minibatch=16, minibatches=1),
)  # fmt: skip


def hex_of(size):
    return ludus.make("hex", size=size)


def weights_of(path):
    return {name: tensor.clone() for name, tensor in load_checkpoint(path).network.state_dict().items()}


def test_a_training_begins_with_a_network_of_another_size(tmp_path):
    start(tmp_path / "three", "hex", hex_of(3), TINY).train()
    first = sorted((tmp_path / "three" / "checkpoints").iterdir())[-1]
    settings = replace(TINY, from_network=str(first), network=NetworkSettings())  # its shape is that of the network
    trainer = start(tmp_path / "four", "hex", hex_of(4), settings)
    trainer.train()
    untrained = sorted((tmp_path / "four" / "checkpoints").iterdir())[0]
    before, after = weights_of(first), weights_of(untrained)
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert load_checkpoint(untrained).network.settings == POOLED
    assert Run(tmp_path / "four").finished() == 14


def test_what_cannot_be_a_beginning_is_refused_before_there_is_a_folder(tmp_path):
    dense = replace(TINY, network=NetworkSettings("conv", channels=8, blocks=1, heads="dense"))
    start(tmp_path / "three", "hex", hex_of(3), dense)._save_if_due()
    run = Run(tmp_path / "three")
    run.save(start(tmp_path / "other", "hex", hex_of(3), dense).learner, hex_of(3), dense, 0)
    for text, words in ((str(tmp_path / "three"), "only networks with --heads pooled"), ("zoo:none", "no network")):
        with pytest.raises(ludus.errors.LudusError, match=words):
            start(tmp_path / "new", "hex", hex_of(4), replace(TINY, from_network=text))
    assert not (tmp_path / "new").exists()


def test_boards_one_after_the_other_each_twice_as_long():
    settings = replace(TINY, sizes=(5, 7, 9))
    assert [settings.stage(p / 70) for p in (0, 9, 10, 29, 30, 69, 70)] == [0, 0, 1, 1, 2, 2, 2]
    assert TINY.stage(0.5) == 0


def test_a_training_goes_through_boards_of_several_sizes_and_goes_on_after_a_stop(tmp_path):
    settings = replace(TINY, sizes=(3, 4, 5))  # 2, 4 and 8 games
    game = hex_of(5)
    trainer = start(tmp_path / "run", "hex", game, settings)
    boards = []

    class Enough(Exception):
        pass

    def watch(played, losses):
        boards.append(trainer.source.game.size)
        if len(boards) == 4:
            raise Enough

    with pytest.raises(Enough):
        trainer.train(watch)
    trainer.run.close()
    run = Run(tmp_path / "run")
    run.open()
    again = Trainer(game, settings, run)
    again.resume()
    assert again.episode == 4 and again.source.game == hex_of(4) and len(again.replay) > 0
    again.train(lambda played, losses: boards.append(again.source.game.size))
    assert boards == [3] * 2 + [4] * 4 + [5] * 8
    rows = list(json_lines(tmp_path / "run" / "games.jsonl"))
    assert len(rows) == 14 and [row["size"] for row in rows] == boards
    assert load_checkpoint(run.checkpoints[-1]).game["size"] == 5


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"sizes": (3, 5)}, "the last of --sizes must be the size of the game"),
        ({"sizes": (3, 4), "network": NetworkSettings("conv", heads="dense")}, "--heads pooled"),
        ({"sizes": (0, 4)}, "size must be"),
    ],
)
def test_boards_that_do_not_go_together_are_refused(tmp_path, changes, words):
    with pytest.raises(BadOption, match=words):
        start(tmp_path / "run", "hex", hex_of(4), replace(TINY, **changes))
    assert not (tmp_path / "run").exists()


def test_exercises_that_a_later_board_cannot_have_are_refused_at_once(tmp_path):
    settings = replace(TINY, sizes=(3, 12), exercises=ExerciseSettings(exercises=0.5))
    with pytest.raises(BadOption, match=r"there is none for Hex.size=12"):
        start(tmp_path / "run", "hex", hex_of(12), settings)
    assert not (tmp_path / "run").exists()


def test_the_command_line_knows_from_and_sizes(tmp_path):
    flags = ["--episodes", "6", "--checkpoints", "2", "--simulations", "8", "--minibatch", "16", "--truth", "0"]
    shape = ["--heads", "pooled", "--channels", "8", "--blocks", "1"]
    command(LUDUS, "train", "hex", "--size", "3", *flags, *shape, "--run", "a", cwd=tmp_path)
    command(
        LUDUS, "train", "hex", "--size", "4", *flags, "--from", "a", "--sizes", "3", "4", "--run", "b", cwd=tmp_path
    )
    assert load_checkpoint(Path(tmp_path / "b/checkpoints/000006.safetensors")).network.settings.heads == "pooled"
    command(LUDUS, "train", "--resume", "b", "--episodes", "8", "--truth", "0", cwd=tmp_path)
    assert len(list(json_lines(tmp_path / "b/games.jsonl"))) == 8
    told = command(LUDUS, "train", "hex", "--size", "4", *flags, "--from", "nowhere", cwd=tmp_path, code=2)
    assert "there is no file 'nowhere'" in told


class Mine(nn.Module):
    """A network that the core does not know."""

    def __init__(self, cells=9):
        super().__init__()
        self.body, self.actor, self.critic = nn.Linear(4 * cells, 24), nn.Linear(24, cells), nn.Linear(24, 1)

    def forward(self, planes):
        seen = torch.relu(self.body(planes.flatten(1)))
        return self.actor(seen), torch.tanh(self.critic(seen)).squeeze(1)


def test_a_network_of_the_user_s_own_is_trained_by_the_same_loop(tmp_path):
    torch.manual_seed(1)
    settings = replace(TINY, episodes=30, parallel=8, checkpoints=3)
    trainer = start(tmp_path / "run", "hex", hex_of(3), settings, Mine())
    assert trainer.source.evaluator.native(hex_of(3).start()) is None
    before = {name: tensor.clone() for name, tensor in trainer.learner.network.state_dict().items()}
    trainer.train()
    after = trainer.learner.network.state_dict()
    assert all(not torch.equal(before[name], after[name]) for name in before)
    assert "against the untrained network" in Watcher(trainer, None).verdict()
    trainer.run.close()
    run = Run(tmp_path / "run")
    run.open()
    again = Trainer(hex_of(3), replace(settings, episodes=40), run, network=Mine())
    again.resume()
    assert again.episode == 30 and all(torch.equal(after[k], v) for k, v in again.learner.network.state_dict().items())
    again.train()
    assert again.episode == 40
    with pytest.raises(BadCheckpoint, match=r"a network of your own.*Mine.*load_weights"):
        make_agent(str(run.checkpoints[-1]))


def test_a_device_that_is_not_there_is_refused(tmp_path):
    for device in ("cuda", "mps"):
        there = torch.cuda.is_available() if device == "cuda" else torch.backends.mps.is_available()
        if not there:
            with pytest.raises(BadOption, match=f"no {device} device here; say --device cpu"):
                start(tmp_path / "run", "hex", hex_of(3), replace(TINY, learn=LearnSettings(device=device)))


def test_the_number_of_search_games_grows_with_the_training(tmp_path):
    search = SearchSettings(simulations=4, simulations_end=40, sigma=0, sigma_end=0, solver=False)
    for parallel in (1, 4):
        settings = replace(TINY, episodes=60, parallel=parallel, search=search)
        trainer, asked = start(tmp_path / f"run{parallel}", "hex", hex_of(3), settings), []
        trainer.train(lambda played, losses, asked=asked: asked.append(played.evaluations / len(played.actions)))
        assert sum(asked[-20:]) > 2 * sum(asked[:20])


def test_a_training_of_an_older_version_goes_on_with_the_network_that_it_had(tmp_path):
    """Older trainings had dense heads, no owners and no mixed values, and said nothing about them."""
    flags = [
        "--episodes",
        "4",
        "--checkpoints",
        "2",
        "--simulations",
        "8",
        "--truth",
        "0",
        "--channels",
        "8",
        "--blocks",
        "1",
    ]
    old = ["--recipe", "zero", "--heads", "dense", "--no-owners", "--value-mix", "0"]
    command(LUDUS, "train", "hex", "--size", "3", *flags, *old, "--run", "run", cwd=tmp_path)
    path = tmp_path / "run" / "config.toml"
    new = (
        "heads",
        "summary",
        "norm",
        "owners",
        "owner_weight",
        "value_mix",
        "surprise",
        "precision",
        "device",
        "sizes",
    )
    path.write_text("".join(line for line in path.open() if line.split(" = ")[0] not in new))
    command(LUDUS, "train", "--resume", "run", "--episodes", "8", "--truth", "0", cwd=tmp_path)
    settings = load_checkpoint(tmp_path / "run/checkpoints/000008.safetensors").network.settings
    assert settings.heads == "dense" and not settings.owners
