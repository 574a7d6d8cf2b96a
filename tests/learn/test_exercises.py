"""Exercises: positions made by native threads and labelled by the exact solver."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import ludus
from ludus.cli.train import read
from ludus.errors import BadOption, LudusError
from ludus.learn.case import Case
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.exercise_file import ExerciseFile
from ludus.learn.exercises import Counts, Exercises
from ludus.learn.learner import Learner, actor_costs
from ludus.learn.network import Network
from ludus.learn.replay import Replay
from ludus.learn.run import Run
from ludus.learn.settings import ExerciseSettings, LearnSettings, NetworkSettings, SearchSettings, TrainSettings
from ludus.learn.trainer import Trainer, learner_threads, start
from ludus.learn.truth import make_meter
from ludus.learn.watch import Watcher
from ludus.search.solve import Solver
from tests.python_games import Noughts

SOME = TrainSettings(
    episodes=6, checkpoints=2, parallel=2, network=NetworkSettings(hidden=(16,)), search=SearchSettings(simulations=8),
    learn=LearnSettings(minibatch=16, reuse=32.0), exercises=ExerciseSettings(exercises=0.5, exercise_seconds=60.0),
)  # fmt: skip
ONLY = replace(SOME, exercises=replace(SOME.exercises, exercises=1.0))


def exercises_of(game, count, settings=SOME, spared=(), starts=None):
    """So many exercises, made with an untrained network."""
    torch.manual_seed(1)
    evaluator = NetworkEvaluator(game, Network(settings.network, game.planes_shape, game.num_actions).eval())
    exercises = Exercises(game, settings, evaluator, starts or [game.start()])
    exercises.spared = set(spared)
    exercises.begin(ludus.Rng(1))
    try:
        exercises.wait_for(count)
    finally:
        exercises.stop()
    return exercises


def without_exchange(settings):
    return replace(settings, learn=replace(settings.learn, exchange=False, symmetries=False))


def reached(game):
    """All states of a small game by their observation and who is to move."""
    states, found = [game.start()], {}
    while states:
        state = states.pop()
        name = (state.planes().tobytes(), tuple(state.actions()))
        if not state.over and name not in found:
            found[name] = state
            states += [state.play(action) for action in state.actions()]
    return found


COLUMNS = ("planes", "policies", "legal", "scores")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name, options", [
    ("tic_tac_toe", {}), ("hex", {"size": 3}), ("nim", {"stones": 12}),
    ("connect_four", {"width": 4, "height": 3, "line": 3}),
])  # fmt: skip
def test_exercises_tell_the_truth(name, options, threads):
    """Also where several threads share one table."""
    game, solver = ludus.make(name, **options), Solver(1 << 20)
    settings = replace(SOME, exercises=replace(SOME.exercises, exercise_threads=threads))
    replay = exercises_of(game, 200, without_exchange(settings)).replay
    states, values = reached(game), set()
    for planes, policy, legal, score in zip(*(replay.columns[name][:200] for name in COLUMNS), strict=True):
        state = states[planes.tobytes(), tuple(np.flatnonzero(legal))]
        truth = solver.actions(state)
        assert score == max(truth.values())
        good = [action for action, value in truth.items() if value == score] if score > -1 else []
        assert list(np.flatnonzero(policy)) == good and len(set(policy[good])) <= 1
        assert policy.sum() == pytest.approx(1 if good else 0)
        values.add(int(score))
    assert {-1, 1} <= values


def test_exercises_come_from_all_stages_of_the_game():
    replay = exercises_of(ludus.make("hex", size=4), 300).replay
    left = replay.columns["legal"][:300].sum(1)
    assert left.max() == 16 and left.min() <= 6 and len(set(left)) >= 9


def test_positions_of_the_truth_meter_are_spared():
    """Also turned by half a turn, and with the players exchanged."""
    game = ludus.make("hex", size=3)
    meter = make_meter(game, 20, seconds=60.0)
    keys = meter.keys()
    for state, problem in zip(meter.states, meter.problems, strict=True):
        assert {state.key, game.after([8 - action for action in problem.actions]).key} <= keys
        mirrored = [3 * (action % 3) + action // 3 for action in problem.actions]
        assert ludus.make("hex", size=3, starter=1).after(mirrored).key in keys
    seen = {(s.planes().tobytes(), tuple(s.actions())) for s in meter.states}

    def met(spared):
        replay = exercises_of(game, 1000, without_exchange(SOME), spared).replay
        rows = zip(replay.columns["planes"][:1000], replay.columns["legal"][:1000], strict=True)
        return sum((planes.tobytes(), tuple(np.flatnonzero(legal))) in seen for planes, legal in rows)

    assert met(()) > 0 and met(keys) == 0


def test_a_watcher_spares_the_positions_of_its_meter(tmp_path):
    game = ludus.make("hex", size=3)
    trainer, meter = start(tmp_path / "run", "hex", game, SOME), make_meter(game, 20, seconds=60.0)
    Watcher(trainer, meter)
    assert trainer.exercises.spared == meter.keys()


def test_positions_that_are_too_hard_are_left_for_later_ones():
    """The opening of Connect Four takes seconds; a training that cannot wait takes positions with more stones."""
    settings = replace(SOME, exercises=replace(SOME.exercises, exercise_seconds=0.005))
    exercises = exercises_of(ludus.make("connect_four"), 30, settings)
    assert exercises.counts.first_ply > 0 and exercises.counts.tried > exercises.counts.made >= 30
    assert 0 < exercises.counts.solved < 1


def test_most_exercises_are_quick_ones_and_some_are_early():
    """Each game draws how long a position may take: most draw little time, some enough for early positions."""
    settings = replace(SOME, exercises=replace(SOME.exercises, exercise_seconds=0.2))
    exercises = exercises_of(ludus.make("connect_four", width=6, height=5), 3000, without_exchange(settings))
    planes = exercises.replay.columns["planes"][:3000].reshape(3000, 5, 5, 6)
    stones = planes[:, :2].sum((1, 2, 3))
    assert stones.min() < 8 and (stones >= 15).mean() > 0.3
    assert exercises.counts.solved > 0.8


def test_waiting_for_a_processor_does_not_make_a_position_hard():
    """Many threads on few cores: what counts is the work of a thread, not how long it had to wait for its turn."""
    settings = replace(SOME, exercises=replace(SOME.exercises, exercise_seconds=5.0, exercise_threads=64))
    exercises = exercises_of(ludus.make("hex", size=5), 3000, settings)
    assert exercises.counts.solved > 0.99 and exercises.counts.first_ply < 2


def test_a_position_can_be_begun_by_either_player():
    game = ludus.make("hex", size=3)
    starts = [game.start(), ludus.make("hex", size=3, starter=1).start()]
    replay = exercises_of(game, 200, without_exchange(SOME), starts=starts).replay
    planes, legal = replay.columns["planes"][:200], replay.columns["legal"][:200]
    first = planes.reshape(200, *game.planes_shape)[legal.all(1)]
    assert len({planes.tobytes() for planes in first}) == 2  # the empty board, seen by both


# ------------------------------------------------------------------------------------------- learning from them


def test_a_minibatch_has_its_share_of_exercises():
    game = ludus.make("hex", size=3)
    network = Network(NetworkSettings(hidden=()), game.planes_shape, game.num_actions)
    cases, exercises = Replay(game, 10), Replay(game, 10)
    policy, legal = np.full(9, 1 / 9, np.float32), np.ones(9, np.bool_)
    learner = Learner(network, cases, LearnSettings(minibatch=8), 1, exercises, 2)
    case = Case(game.start().planes(), 0, policy, legal, 1.0)
    exercises.add([replace(case, score=-1.0)])
    assert learner.batch().scores.tolist() == [-1.0] * 8  # there is nothing else yet
    cases.add([case])
    assert sorted(learner.batch().scores.tolist()) == [-1.0] * 2 + [1.0] * 6


def test_a_lost_position_teaches_the_critic_alone():
    game = ludus.make("hex", size=3)
    torch.manual_seed(1)
    network = Network(NetworkSettings(hidden=()), game.planes_shape, game.num_actions)
    replay = Replay(game, 1)
    replay.add([Case(game.start().planes(), 0, np.zeros(9, np.float32), np.ones(9, np.bool_), -1.0)])
    before = {name: weight.clone() for name, weight in network.named_parameters()}
    Learner(network, replay, LearnSettings(weight_decay=0.0), 1).train(0.0)
    changed = {name.partition(".")[0] for name, w in network.named_parameters() if not torch.equal(w, before[name])}
    assert changed == {"critic"}


def test_any_action_that_keeps_the_value_will_do():
    """An exercise costs nothing where only good actions have a share, whatever share; a case of a game does."""
    game = ludus.make("tic_tac_toe", width=2, height=2, line=2)
    policy, legal = np.array([0.5, 0.5, 0, 0], np.float32), np.ones(4, np.bool_)
    replay = Replay(game, 2, exchange=False, symmetries=False)
    replay.add([Case(game.start().planes(), 0, policy, legal, 1.0, any=any_will_do) for any_will_do in (True, False)])
    batch = replace(replay.draw(2, np.random.default_rng(1)), any=torch.tensor([True, False]))
    logs = torch.tensor([[0.9, 0.1 - 2e-9, 1e-9, 1e-9]] * 2).log()
    costs = actor_costs(logs, batch)
    assert costs.tolist() == pytest.approx([0.0, -0.5 * np.log(0.9) - 0.5 * np.log(0.1)], abs=1e-6)
    wrong = actor_costs(torch.tensor([[0.1, 0.1, 0.4, 0.4]] * 2).log(), batch)
    assert wrong[0].item() == pytest.approx(-np.log(0.2))


def test_games_and_exercises_are_learned_together(tmp_path):
    trainer = start(tmp_path / "run", "hex", ludus.make("hex", size=3), SOME)
    games = []
    trainer.train(lambda played, losses: games.append(played))
    assert len(games) == 6 and all(games) and len(trainer.replay) > 0 and len(trainer.exercises.replay) > 0


def test_with_exercises_alone_no_game_is_played(tmp_path):
    game = ludus.make("hex", size=3)
    trainer, losses = start(tmp_path / "run", "hex", game, ONLY), []
    watcher = Watcher(trainer, None)

    def see(played, some):
        assert played is None
        losses.append(len(some))
        watcher.see(played, some)

    trainer.train(see)
    assert losses == [100 * 32 // 16] * 6  # every exercise is learned 32 times
    assert len(trainer.replay) == 0 and len(trainer.exercises.replay) == 600
    row = watcher.look()
    assert row["exercises"] >= 600 and 0 < row["exercises_solved"] <= 1 and row["exercises_per_second"] > 0
    trainer.run.close()
    again = Trainer(game, replace(ONLY, episodes=8), Run(tmp_path / "run"))
    again.resume()
    again.train()
    assert again.episode == 8 and len(again.exercises.replay) == 800  # none is made twice
    first = 600
    for name, column in trainer.exercises.replay.columns.items():
        assert np.array_equal(again.exercises.replay.columns[name][:first], column[:first])


@pytest.mark.parametrize("cut", [0, 1, -20, -1])
def test_exercises_on_disk_survive_a_line_that_was_cut_off(tmp_path, cut):
    """What was written whole before it is read, and so is what is written after it."""
    game = ludus.make("hex", size=3)
    exercises = exercises_of(game, 50)
    exercises.file = file = ExerciseFile(tmp_path / "exercises.jsonl")
    exercises.read()  # a file that is not there yet
    exercises.begin(ludus.Rng(2))
    exercises.wait_for(300)
    exercises.stop()
    blocks = list(file.blocks(game))
    assert sum(map(len, blocks)) == 300
    file.add(blocks[0], game)
    text = file.path.read_bytes()
    last = text.rindex(b"\n", 0, -1) + 1
    file.path.write_bytes(text[: last + cut] if cut >= 0 else text[:cut])
    exercises.replay.count = 0
    exercises.read()
    assert exercises.replay.count == 300
    file.add(blocks[0], game)
    assert sum(map(len, file.blocks(game))) == 300 + len(blocks[0])
    assert list(file.blocks(ludus.make("hex", size=4))) == []  # another board


def test_a_learner_that_has_the_machine_for_itself_uses_all_of_it(monkeypatch):
    """Not for small minibatches, and not beside self-play, which has a thread for every core."""
    monkeypatch.setattr("ludus.learn.trainer.cores", lambda: 6)
    game = ludus.make("hex", size=5)

    def threads(settings, channels):
        shape = NetworkSettings(net="conv", channels=channels)
        network = Network(shape, game.planes_shape, game.num_actions)
        return learner_threads(network, game, replace(settings, learn=LearnSettings(minibatch=256)))

    assert threads(ONLY, 32) == 6 and threads(ONLY, 1) == 1 and threads(SOME, 32) == 1


def test_exercises_follow_the_cases_that_were_learned():
    exercises = exercises_of(ludus.make("tic_tac_toe"), 2000, ONLY)
    exercises.begin(ludus.Rng(2))
    exercises.refill()
    assert exercises.replay.count == 2000  # none has been learned yet
    exercises.learned(100)  # minibatches of 16
    while exercises.replay.count < 2050:
        exercises.refill()
    exercises.refill()
    exercises.stop()
    assert exercises.replay.count == 2050


def test_where_nothing_is_solved_one_sentence_says_so(tmp_path):
    trainer = start(tmp_path / "run", "hex", ludus.make("hex", size=3), SOME)
    watcher = Watcher(trainer, None)
    assert watcher.warnings() == []
    trainer.exercises.counts = Counts(0, 40, 9.0, 61.0)
    assert "no position could be solved" in watcher.warnings()[0]
    with pytest.raises(LudusError, match="none of 40 positions could be solved"):
        trainer.exercises.wait_for(1)


@pytest.mark.parametrize("game, words", [
    (ludus.make("go", size=9), "exercises need an exact solver, and there is none for Go"),
    (ludus.make(Noughts), "exercises are made by the core"),
])  # fmt: skip
def test_games_without_exercises_are_refused(game, words, tmp_path):
    with pytest.raises(BadOption, match=words):
        start(tmp_path / "run", "any", game, SOME)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("flags, words", [
    (["--exercises", "1.5"], "exercises must be a number from 0 to 1"),
    (["--exercises", "1", "--exercise-seconds", "0"], "exercise_seconds must be a number above 0"),
    (["--exercise-threads", "2"], "--exercise-threads is for the exercises that --exercises asks for"),
    (["--exercises", "1", "--simulations", "9"], "--simulations is for games, and with --exercises 1 none are played"),
])  # fmt: skip
def test_flags_that_mean_nothing_are_refused(flags, words):
    with pytest.raises(BadOption, match=words):
        read(["hex", *flags])
