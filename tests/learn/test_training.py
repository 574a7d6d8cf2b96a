"""Trainings as a student runs them: from the command line, stopped, killed, gone on with, and their tournaments."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import ludus
from ludus.cli.follow import Watch, meter_of
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.run import Run, json_lines
from ludus.learn.settings import RECIPES, LearnSettings, NetworkSettings, SearchSettings, TrainSettings
from ludus.learn.trainer import Trainer, start
from ludus.learn.watch import Watcher
from ludus.system import cores

LUDUS = str(Path(sys.executable).parent / "ludus")
HEX = ludus.make("hex", size=3)
TINY = TrainSettings(
    episodes=8, checkpoints=3, parallel=1, network=NetworkSettings(hidden=(16,)),
    search=SearchSettings(simulations=10), learn=LearnSettings(minibatch=16, minibatches=1),
)  # fmt: skip
TRAIN = [
    LUDUS,
    "train",
    "hex",
    "--size",
    "3",
    "--simulations",
    "20",
    "--hidden",
    "16",
    "--minibatch",
    "16",
    "--truth",
    "0",
]


def command(*arguments, cwd, code=0):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600, cwd=cwd)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
    return done.stdout if code == 0 else done.stderr


def listen():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_the_loop_is_that_of_the_textbooks(tmp_path):
    """The untrained network first; after every game its cases, then a minibatch; then, when it is time, a save."""
    trainer = start(tmp_path / "run", "hex", HEX, TINY)
    story = []
    add, learn, save = trainer.replay.add, trainer.learner.train, trainer.run.save
    trainer.replay.add = lambda cases: (story.append(f"{len(cases)} cases"), add(cases))
    trainer.learner.train = lambda progress: (story.append("minibatch"), learn(progress))[1]
    trainer.run.save = lambda *args: (story.append(f"saved {args[-1]}"), save(*args))
    moves = []
    trainer.train(lambda played, losses: moves.append(len(played.actions)))
    expected = ["saved 0"]
    for episode, length in enumerate(moves, 1):
        expected += [f"{length} cases", "minibatch"] + ([f"saved {episode}"] if episode in (4, 8) else [])
    assert story == expected and len(moves) == 8
    assert [load_checkpoint(path).episode for path in trainer.run.checkpoints] == [0, 4, 8]


def test_the_same_seed_is_the_same_training_and_another_is_not(tmp_path):
    def weights(name, seed):
        trainer = start(tmp_path / name, "hex", HEX, TrainSettings(**(vars(TINY) | {"seed": seed})))
        trainer.train(lambda played, losses: None)
        return [w.tolist() for w in trainer.learner.network.parameters()]

    assert weights("a", 5) == weights("b", 5) != weights("c", 6)


def test_many_games_side_by_side_teach_as_many_cases(tmp_path):
    trainer = start(tmp_path / "run", "hex", HEX, TrainSettings(**(vars(TINY) | {"parallel": 6, "episodes": 20})))
    trainer.train(lambda played, losses: None)
    games = list(json_lines(tmp_path / "run" / "games.jsonl"))
    assert len(games) == 20 and len(trainer.replay) == sum(len(game["actions"]) for game in games)


def test_a_resumed_training_has_everything_it_had(tmp_path):
    trainer = start(tmp_path / "run", "hex", HEX, TINY)

    def stop(played, losses):
        if trainer.episode == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.train(stop)
    trainer.run.close()
    again = Trainer(HEX, TINY, Run(tmp_path / "run"))
    again.resume()
    assert again.episode == 5 and len(again.replay) == len(trainer.replay)
    for old, new in zip(trainer.learner.network.parameters(), again.learner.network.parameters(), strict=True):
        assert (old == new).all()
    old, new = (t.learner.optimizer.state_dict()["state"] for t in (trainer, again))
    assert old.keys() == new.keys() and all((old[k]["exp_avg"] == new[k]["exp_avg"]).all() for k in old)
    again.train(lambda played, losses: None)
    assert again.episode == 8 and [load_checkpoint(p).episode for p in again.run.checkpoints] == [0, 4, 8]


def test_games_after_the_last_kept_state_are_learned_again(tmp_path):
    """As after kill -9: the state on disk is that of episode 0, the games are in the list of what came since."""
    trainer = start(tmp_path / "run", "hex", HEX, TINY)
    trainer.keep = lambda: None
    trainer.train(lambda played, losses: None)
    trainer.run.close()
    again = Trainer(HEX, TINY, Run(tmp_path / "run"))
    again.resume()
    assert again.episode == 8 and len(again.replay) == len(trainer.replay)
    assert (again.replay.columns["scores"] == trainer.replay.columns["scores"]).all()


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path):
    process = subprocess.Popen([*TRAIN, "--episodes", "5000", "--run", "run"], cwd=tmp_path, text=True,
                               stderr=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=listen)  # fmt: skip
    while process.poll() is None and not list(json_lines(tmp_path / "run" / "games.jsonl")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=300)
    assert process.returncode == 130 and "ludus train --resume run" in told and "Traceback" not in told


def test_a_short_training_and_its_tournament(tmp_path):
    train = ["train", "hex", "--size", "4", "--episodes", "40", "--simulations", "50", "--hidden", "32", "32",
             "--activation", "tanh", "--optimizer", "rmsprop", "--lr", "0.003", "--parallel", "8",
             "--checkpoints", "3", "--run", "runs/hex4"]  # fmt: skip
    told = json.loads(command(LUDUS, *train, "--json", cwd=tmp_path))
    assert told["episode"] == 40 and 0 < told["truth"] <= 1 and len(told["checkpoints"]) == 3
    assert set(told["believed"]) == {f"{column}{row}" for column in "abcd" for row in "1234"}
    folder = tmp_path / "runs" / "hex4"
    assert all((folder / name).stat().st_size > 10_000 for name in ("training.png", "openings.png"))
    assert "tanh" in (folder / "config.toml").read_text() and 'net = "mlp"' in (folder / "config.toml").read_text()
    result = json.loads(command(LUDUS, "topp", "runs/hex4", "--games", "5", "--json", cwd=tmp_path))
    assert [network["episode"] for network in result["networks"]] == [0, 20, 40]
    assert result["networks"][0].keys() == {"episode", "score", "elo", "interval"} and len(result["pairs"]) == 3
    assert result["games"] == 15 == sum(pair["games"] for pair in result["pairs"]) and result["different_games"] == 15
    words = command(LUDUS, "topp", "runs/hex4", "--games", "5", cwd=tmp_path)
    assert "raining" in words and "episode 40" in words
    again = command(LUDUS, *train, cwd=tmp_path, code=2)
    assert "there is a training in runs/hex4" in again


def test_every_recipe_and_rule_trains_to_the_end(tmp_path):
    short = ("--episodes", "12", "--checkpoints", "2", "--simulations", "16", "--truth", "40")
    for number, flags in enumerate((
        ("--recipe", "zero"),
        ("--recipe", "zero", "--rule", "gumbel", "--fast", "0", "--forced", "0"),
        ("--teacher", "solver", "--sigma-decay", "4"),
        ("--rule", "uct", "--no-critic", "--sigma-end", "1", "--rollout", "greedy"),
        ("--recipe", "zero", "--fast", "1", "--seconds", "0.01"),  # no game has a case
    )):  # fmt: skip
        told = command(LUDUS, "train", "hex", "--size", "3", *short, *flags, "--run", str(number), cwd=tmp_path)
        assert "first moves" in told or "--no-critic" in flags
        assert "games against the untrained network" in told


def test_the_best_network_is_kept_and_can_be_gone_back_to(tmp_path):
    folder = tmp_path / "one"
    command(*TRAIN, "--episodes", "40", "--checkpoints", "5", "--run", "one", cwd=tmp_path)  # without a meter
    assert load_checkpoint(folder / "best.safetensors").episode in (10, 20, 30, 40)
    command(LUDUS, "train", "--resume", "one", "--back", "--episodes", "50", "--truth", "0", cwd=tmp_path)
    assert load_checkpoint(Run(folder).checkpoints[-1]).episode == 50
    assert "episodes = 50" in (folder / "config.toml").read_text()


def test_what_tensorboard_reads_is_written(tmp_path):
    pytest.importorskip("tensorboard")
    command(*TRAIN, "--episodes", "4", "--checkpoints", "2", "--run", "one", "--tensorboard", cwd=tmp_path)
    assert list((tmp_path / "one" / "tensorboard").glob("events*"))


def test_the_saved_configuration_starts_the_same_training(tmp_path):
    command(*TRAIN, "--episodes", "4", "--checkpoints", "2", "--run", "one", cwd=tmp_path)
    command(LUDUS, "train", "--config", "one/config.toml", "--run", "two", "--truth", "0", cwd=tmp_path)
    one, two = ((tmp_path / name / "config.toml").read_text() for name in ("one", "two"))
    assert one == two


@pytest.mark.parametrize("text, words", [
    ('game = "hex"', "[game] name"),
    ("episodes = 5", "does not name a game"),
    ('episodes = "many"\n[game]\nname = "hex"', "episodes must be a whole number, not 'many'"),
    ('episodes = 4.5\n[game]\nname = "hex"', "episodes must be a whole number, not 4.5"),
    ('search = 3\n[game]\nname = "hex"', "search is a section"),
    ('[game]\nname = "hex"\n[search]\nsolver = "no"', "solver must be true or false, not 'no'"),
    ('[game]\nname = "hex"\n[network]\nhidden = 5', "hidden must be a list of whole numbers"),
    ('[game]\nname = "hex"\n[search]\nsecond = 5', "no setting 'second'"),
    ("[game", "is no TOML"),
    ('[game]\nname = "hex"\n[network]\nnet = "conv"\nhidden = [20, 30]', "--hidden is for layers of neurons"),
])  # fmt: skip
def test_wrong_toml_gets_one_sentence(text, words, tmp_path):
    (tmp_path / "my.toml").write_text(text)
    told = command(LUDUS, "train", "--config", "my.toml", cwd=tmp_path, code=2)
    assert words in told and len(told.strip().splitlines()) == 1 and not (tmp_path / "runs").exists()


def test_fewer_episodes_than_checkpoints_save_every_network(tmp_path):
    command(*TRAIN, "--episodes", "2", "--run", "one", cwd=tmp_path)
    assert [load_checkpoint(path).episode for path in Run(tmp_path / "one").checkpoints] == [0, 1, 2]


def test_a_game_with_more_actions_than_it_says_is_refused(tmp_path):
    source = (
        (Path(__file__).parent.parent / "python_games.py").read_text().replace("num_actions = 9", "num_actions = 5")
    )
    (tmp_path / "mine.py").write_text(source)
    told = command(LUDUS, "train", "mine.py:Noughts", cwd=tmp_path, code=2)
    assert "num_actions = 5, but 5 is a legal action" in told and not (tmp_path / "runs").exists()


@pytest.mark.parametrize("arguments, words", [
    (["train"], "say which game"),
    (["train", "hex", "--episodes", "0"], "episodes"),
    (["train", "hex", "--hidden", "x"], "hidden"),
    (["train", "hex", "--activation", "swish"], "swish"),
    (["train", "hex", "--no-critic"], "without a critic"),
    (["train", "hex", "--recipe", "magic"], "recipe must be classic, zero or textbook"),
    (["train", "hex", "--seed", "-1"], "seed must be a whole number from 0 to 18446744073709551615 (64 bits), not -1"),
    (["train", "hex", "--parallel", "0"], "parallel must be a whole number from 1 to 1000000000, not 0"),
    (["train", "hex", "--teacher", "solver", "--teacher-seconds", "0"], "teacher_seconds must be above 0"),
    (["train", "hex", "--c", "-1"], "train: c must be"),
    (["train", "hex", "--seed", str(2**64)], "seed must be a whole number from 0 to"),
    (["train", "hex", "--lr", "1000"], "lr must be a number above 0 and at most 100, not 1000.0"),
    (["train", "hex", "--seconds", "0"], "seconds must be a number above 0 and at most"),
    (["train", "hex", "--simulations", "0"], "simulations must be a whole number from 1 to"),
    (["train", "hex", "--net", "conv", "--hidden", "20", "30"], "--hidden is for layers of neurons, --net mlp"),
    (["train", "hex", "--net", "mlp", "--channels", "8"], "--channels is for convolutions, --net conv"),
    (["train", "hex", "--net", "patterns", "--blocks", "2"], "--blocks is for convolutions, --net conv"),
    (["train", "hex", "--net", "patterns", "--norm"], "--norm is for convolutions, --net conv"),
    (["train", "hex", "--reach", "2", "--net", "conv"], "--reach is for the lines of --net patterns"),
    (["train", "hex", "--reach", "6"], "reach must be a whole number from 1 to 5"),
    (["train", "hex", "--net", "conv", "--no-residual"], "--residual is for layers of neurons, --net mlp"),
    (["train", "hex", "--rule", "uct", "--noise", "0.3"], "--noise is for the priors of --rule puct"),
    (["train", "hex", "--recipe", "zero", "--epsilon", "0.3"], "--epsilon is for rollouts, but --sigma is 0"),
    (["train", "hex", "--fast-simulations", "8"], "--fast-simulations is for the share of moves that --fast gives"),
    (["train", "hex", "--hidden", "60000", "60000", "60000"], "weights, and at most 100,000,000 are allowed"),
    (["train", "tic_tac_toe", "--alternate-starter"], "tic_tac_toe has no option starter"),
    (["train", "hex", "--every", "-1"], "every must be 0 or more"),
    (["train", "hex", "--back"], "--back goes with --resume"),
    (["train", "hex", "--rule", "gumbel", "--growth", "0.1"], "gumbel"),
    (["train", "--config", "nothing.toml"], "cannot read nothing.toml"),
    (["train", "--resume", "nowhere"], "there is no training in nowhere"),
    (["topp", "nowhere"], "there is no training in nowhere"),
])  # fmt: skip
def test_mistakes_get_one_sentence_before_anything_starts(arguments, words, tmp_path):
    told = command(LUDUS, *arguments, cwd=tmp_path, code=2)
    assert words in told and len(told.strip().splitlines()) == 1 and not (tmp_path / "runs").exists()


def test_saved_networks_can_lie_further_apart_as_the_training_goes_on():
    assert replace(TINY, episodes=200, checkpoints=5, spacing="doubling").saved_episodes() == [0, 25, 50, 100, 200]
    assert replace(TINY, episodes=800, checkpoints=4, spacing="quadrupling").saved_episodes() == [0, 50, 200, 800]
    assert replace(TINY, episodes=3, checkpoints=9, spacing="doubling").saved_episodes() == [0, 1, 2, 3]


def test_fewer_networks_than_were_asked_for_are_announced(tmp_path):
    done = subprocess.run([*TRAIN, "--episodes", "4", "--checkpoints", "50", "--run", "one"], capture_output=True,
                          text=True, cwd=tmp_path)  # fmt: skip
    assert "5 networks will be saved, not 50" in done.stderr and len(Run(tmp_path / "one").checkpoints) == 5


def test_the_textbook_recipe_is_the_loop_of_the_textbooks(tmp_path):
    """Plain UCT, rollouts by an epsilon-greedy actor, no critic, one minibatch after each game, one game at a time."""
    book = RECIPES["textbook"]
    assert (book.parallel, book.learn.minibatches, book.network.critic) == (1, 1, False)
    assert (book.search.rule, book.search.rollout, book.search.sigma, book.search.sigma_end) == ("uct", "greedy", 1, 1)
    assert 0 < book.search.epsilon_end < book.search.epsilon < 1
    short = replace(book, episodes=3, search=replace(book.search, simulations=30))
    trainer = start(tmp_path / "run", "hex", HEX, short)
    costs = []
    trainer.train(lambda played, losses: costs.append((len(losses), len(played.opening))))
    assert costs == [(1, 0)] * 3


def test_help_imports_no_pytorch_and_a_training_not_its_compiler(tmp_path):
    for command, unwanted in (
        ("topp --help", "torch"), ("train hex --help", "torch"), ("train --resume x --help", "torch"),
        ("train nim --episodes 1 --truth 0 --run r", "torch._dynamo"), ("train nim --episodes 1 --run s", "matplotlib"),
    ):  # fmt: skip
        name, *flags = command.split()
        script = f"import sys\nfrom ludus.cli import run\ntry: run({name!r}, {flags!r})\nexcept SystemExit: pass\n"
        script += "print(*sys.modules)"
        told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True)
        assert unwanted not in told.stdout.splitlines()[-1].split(), command


def test_the_truth_meter_takes_no_longer_than_the_training_is_worth(tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr("ludus.learn.truth.make_meter", lambda game, count, seconds: given.append(seconds))
    for episodes in (1, 100, 10_000):
        trainer = SimpleNamespace(run=Run(tmp_path), settings=replace(TINY, episodes=episodes))
        assert meter_of(trainer, HEX, Watch()) is None
    assert given == [pytest.approx(0.55), pytest.approx(5.5), 10.0]


def test_a_training_cannot_be_made_shorter_than_it_is(tmp_path):
    command(*TRAIN, "--episodes", "4", "--checkpoints", "2", "--run", "one", cwd=tmp_path)
    told = command(LUDUS, "train", "--resume", "one", "--episodes", "3", "--truth", "0", cwd=tmp_path, code=2)
    assert "has finished 4 episodes already; --episodes must be more than that" in told
    assert "episodes = 4" in (tmp_path / "one" / "config.toml").read_text()
    assert len(list(json_lines(tmp_path / "one" / "games.jsonl"))) == 4


def test_how_much_is_learned_follows_from_how_much_is_played(tmp_path):
    settings = replace(TINY, learn=LearnSettings(minibatch=16, reuse=3.0))
    trainer, cases, minibatches = start(tmp_path / "run", "hex", HEX, settings), 0, 0

    def see(played, losses):
        nonlocal cases, minibatches
        cases, minibatches = cases + len(played.lessons), minibatches + len(losses)
        assert minibatches == 3 * cases // 16

    trainer.train(see)
    assert cases > 20


def test_both_sides_say_how_busy_they_are(tmp_path):
    trainer = start(tmp_path / "run", "hex", HEX, replace(TINY, episodes=60, parallel=8))
    watcher = Watcher(trainer, None)
    trainer.train(watcher.see)
    row = watcher.look()
    assert 0 <= row["learner_busy"] <= 1
    if cores() > 1:
        assert 0 < row["self_play_in_network"] < row["self_play_busy"] <= 1
    assert "teacher_busy" not in row  # there was no teacher
