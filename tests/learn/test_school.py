"""The parts of a training: networks, views, cases, games, lessons, checkpoints, the truth meter."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import ludus
from ludus.agents import make_agent
from ludus.errors import BadOption
from ludus.learn.case import Case
from ludus.learn.checkpoint import BadCheckpoint, load_checkpoint, save_checkpoint
from ludus.learn.evaluator import Images, NetworkEvaluator
from ludus.learn.learner import Learner, losses
from ludus.learn.network import Network
from ludus.learn.replay import Replay
from ludus.learn.self_play import SelfPlay
from ludus.learn.settings import CLASSIC, ZERO, LearnSettings, NetworkSettings, SearchSettings, TrainSettings
from ludus.learn.truth import load_meter, make_meter
from ludus.play.match import play
from tests.python_games import Noughts

HEX = ludus.make("hex", size=4)
SMALL = NetworkSettings(hidden=(32, 32))
QUICK = SearchSettings(simulations=20)


def network(game=HEX, settings=SMALL, seed=1):
    torch.manual_seed(seed)
    return Network(settings, game.planes_shape, game.num_actions).eval()


def some_games(game, count, settings=QUICK, parallel=3, seed=1, net=SMALL):
    player = SelfPlay(game, settings, NetworkEvaluator(game, network(game, net)), parallel, ludus.Rng(seed))
    games = player.games()
    return [next(games) for _ in range(count)]


# ------------------------------------------------------------------------------------------- networks


@pytest.mark.parametrize("settings", [
    NetworkSettings(hidden=()), NetworkSettings(hidden=(16,), activation="linear"),
    NetworkSettings(hidden=(16, 8, 8), activation="sigmoid"), NetworkSettings(hidden=(8, 8), activation="tanh"),
    NetworkSettings(net="conv", channels=8, blocks=2), NetworkSettings(net="conv", blocks=0, critic=False),
    NetworkSettings(net="patterns", channels=8),
])  # fmt: skip
@pytest.mark.parametrize("name", ["hex", "othello", "connect_four", "go", "nim", "tic_tac_toe"])
def test_networks_of_every_shape_read_every_game(settings, name):
    game = ludus.make(name)
    policies, values = NetworkEvaluator(game, network(game, settings)).evaluate([game.start()] * 3)
    assert policies.shape == (3, game.num_actions) and values.shape == (3,)
    assert policies.sum(1) == pytest.approx(1, abs=1e-5) and (abs(values) <= 1).all()


@pytest.mark.parametrize("wrong", [
    {"net": "transformer"}, {"activation": "swish"}, {"hidden": (0,)}, {"channels": 0}, {"blocks": -1}, {"reach": 0},
])  # fmt: skip
def test_shapes_that_cannot_be_are_refused(wrong):
    with pytest.raises(BadOption):
        NetworkSettings(**wrong)


@pytest.mark.parametrize("wrong", [
    {"episodes": 0}, {"checkpoints": 1}, {"seed": -1}, {"parallel": 0},
    {"network": NetworkSettings(critic=False)},
])  # fmt: skip
def test_trainings_that_cannot_be_are_refused(wrong):
    with pytest.raises(BadOption):
        TrainSettings(**wrong)


# ------------------------------------------------------------------------------------------- views


def test_a_network_sees_itself_as_player_0_whoever_it_is():
    """Transposing the board of Hex makes the players change places."""
    state, mirrored = HEX.after("b1 c3 d2"), ludus.make("hex", size=4, starter=1).after("a2 c3 b4")
    assert state.player == 1 and mirrored.player == 0
    judge = NetworkEvaluator(HEX, network())
    policies, values = judge.evaluate([state, mirrored])
    assert values[0] == pytest.approx(values[1])
    assert policies[0].reshape(4, 4) == pytest.approx(policies[1].reshape(4, 4).T)
    plain, other = NetworkEvaluator(HEX, network(), exchange=False).evaluate([state, mirrored])[1]
    assert plain != pytest.approx(other)


def case_of(state, action):
    policy, legal = np.zeros(16, np.float32), np.zeros(16, np.bool_)
    policy[action], legal[list(state.actions())] = 1, True
    return Case(state.planes(), state.player, policy, legal, 1.0)


@pytest.mark.parametrize("exchange", [True, False])
def test_cases_are_turned_as_a_whole(exchange):
    """The target is the cell below my own stone, in whatever way the board is turned."""
    replay = Replay(HEX, 100, exchange)
    for cell in range(11):
        state = HEX.start().play(cell).play(15)
        replay.add([case_of(state, cell + 4)])
    batch = replay.draw(200, np.random.default_rng(1))
    steps = set()
    for planes, policy, legal in zip(batch.planes, batch.policies, batch.legal, strict=True):
        own, target = int(planes[0].flatten().argmax()), int(policy.argmax())
        assert legal[target] and not legal[own]
        steps.add(abs(own - target))
    assert steps == ({4} if exchange else {4, 1})  # beside it, once rows have become columns


def test_the_buffer_forgets_the_oldest():
    replay = Replay(HEX, 5)
    state = HEX.start()
    replay.add([replace(case_of(state, a), score=a) for a in range(8)])
    assert len(replay) == 5 and sorted(replay.columns["scores"]) == [3, 4, 5, 6, 7]


# ------------------------------------------------------------------------------------------- actual games


@pytest.mark.parametrize("game", [HEX, ludus.make("othello", size=4), ludus.make("go", size=3), ludus.make("nim")])
@pytest.mark.parametrize("settings", [
    QUICK, replace(QUICK, rule="uct"), replace(QUICK, sigma=0.0), replace(QUICK, sigma_end=1.0),
    replace(ZERO.search, simulations=20, fast_simulations=5), replace(QUICK, seconds=0.01, growth=0.1, temperature=0),
])  # fmt: skip
def test_actual_games_are_legal_and_teach_what_they_should(game, settings):
    for played in some_games(game, 4, settings):
        state = game.start()
        for action in played.opening:
            state = state.play(action)
        lessons = {lesson.ply: lesson for lesson in played.lessons}
        for ply, action in enumerate(played.actions):
            if ply in lessons:
                assert list(lessons[ply].state.actions()) == list(state.actions())
                assert lessons[ply].policy.sum() == pytest.approx(1, abs=1e-5)
                assert set(np.flatnonzero(lessons[ply].policy)) <= set(state.actions())
            assert action in state.actions()
            state = state.play(action)
        assert state.over and state.score(0) == played.score
        for case in played.cases(game, LearnSettings()):
            assert case.score == (played.score if case.player == 0 else -played.score)
        if not settings.fast:
            assert len(played.lessons) == len(played.actions)


def test_a_visitors_game_is_learned_from_too():
    class Seen(Noughts):
        def planes(self):
            mine = [1.0 if cell == self.player else 0.0 for cell in self.cells]
            return np.array([mine], np.float32).reshape(1, 1, -1)

        def play(self, action):
            after = super().play(action)
            return Seen(after.cells, after.player)

    game = ludus.make(Seen)
    for played in some_games(game, 2, QUICK, parallel=2):
        assert played.lessons and played.cases(game, LearnSettings(discount=0.9))


def test_the_same_dice_play_the_same_games():
    first, again, other = (some_games(HEX, 5, seed=seed) for seed in (3, 3, 4))
    assert [g.actions for g in first] == [g.actions for g in again] != [g.actions for g in other]


def test_the_teacher_knows_the_truth():
    solver = ludus.search.solve.Solver()
    for played in some_games(HEX, 3, replace(QUICK, teacher="solver", teacher_seconds=100.0)):
        for lesson in played.lessons:
            values = solver.actions(lesson.state)
            assert lesson.score == max(values.values())
            assert all(values[int(a)] == lesson.score for a in np.flatnonzero(lesson.policy))


def test_the_score_fades_with_the_discount():
    played = some_games(HEX, 1)[0]
    scores = [abs(case.score) for case in played.cases(HEX, LearnSettings(discount=0.5))]
    assert scores == [0.5 ** (len(played.actions) - lesson.ply) for lesson in played.lessons]


# ------------------------------------------------------------------------------------------- learning


@pytest.mark.parametrize("optimizer", ["adagrad", "sgd", "rmsprop", "adam"])
def test_every_optimizer_learns_a_simple_target(optimizer):
    net, replay = network(), Replay(HEX, 200)
    for played in some_games(HEX, 6):
        replay.add(played.cases(HEX, LearnSettings()))
    learner = Learner(
        net, replay, LearnSettings(optimizer=optimizer, lr=0.02 if optimizer != "sgd" else 0.2, minibatch=64), 1
    )
    costs = [learner.train(0.0) for _ in range(60)]
    assert np.mean([c.actor for c in costs[-5:]]) < np.mean([c.actor for c in costs[:5]])


@pytest.mark.parametrize("optimizer", ["adagrad", "sgd", "rmsprop", "adam"])
@pytest.mark.parametrize("settings", [NetworkSettings(hidden=(16,)), NetworkSettings("conv", blocks=1, norm=True)])
def test_what_the_network_has_learned_is_asked_at_once(optimizer, settings):
    """The core has a copy of the weights, which must follow them."""
    replay, net = Replay(HEX, 10), network(HEX, settings)
    replay.add([case_of(HEX.after("a1 b2"), 10)])
    evaluator, learner = NetworkEvaluator(HEX, net), Learner(net, replay, LearnSettings(optimizer, lr=0.01), 1)
    before, _ = evaluator.evaluate([HEX.start()])
    learner.train(0.0)
    after, _ = evaluator.evaluate([HEX.start()])
    logits, _ = net(torch.from_numpy(HEX.start().planes()[None]))
    assert np.abs(after - before).max() > 1e-5
    assert np.abs(after - torch.softmax(logits, 1).detach().numpy()).max() < 1e-5


def test_the_loss_is_the_cross_entropy_over_legal_actions():
    replay = Replay(HEX, 10, symmetries=False)
    state = HEX.after("a1 b2")
    replay.add([case_of(state, 10)])
    net = network()
    batch = replay.draw(1, np.random.default_rng(0))
    loss = losses(net(batch.planes), batch, LearnSettings(), critic=True)
    policies, values = NetworkEvaluator(HEX, net).evaluate([state])
    legal = policies[0][list(state.actions())]
    assert loss.actor.item() == pytest.approx(-np.log(policies[0][10] / legal.sum()), rel=1e-4)
    assert loss.critic.item() == pytest.approx((values[0] - 1) ** 2, rel=1e-4)


def test_the_rate_falls_as_the_schedule_says():
    rates = {s: [Learner(network(), Replay(HEX, 1), LearnSettings(schedule=s, lr=1.0), 1).rate(p) for p in (0, 0.5, 1)]
             for s in ("constant", "linear", "cosine")}  # fmt: skip
    assert rates == {"constant": [1, 1, 1], "linear": [1, 0.5, 0.05], "cosine": [1, pytest.approx(0.5), 0.05]}


# ------------------------------------------------------------------------------------------- checkpoints


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "net.safetensors"
    save_checkpoint(path, network(), HEX, True, 7, {"recipe": "classic"})
    return path


def test_a_network_comes_back_as_it_was(saved):
    loaded = load_checkpoint(saved)
    state = HEX.after("b2")
    before, after = NetworkEvaluator(HEX, network()).evaluate([state]), loaded.evaluator(HEX).evaluate([state])
    assert (before[0] == after[0]).all() and before[1] == after[1]
    assert loaded.episode == 7 and loaded.game["size"] == 4


def test_damaged_foreign_and_mismatched_files_are_refused(saved, tmp_path):
    whole = saved.read_bytes()
    for broken, words in ((whole[: len(whole) // 2], "damaged"), (b"hello", "damaged"), (b"", "damaged")):
        bad = tmp_path / "bad.safetensors"
        bad.write_bytes(broken)
        with pytest.raises(BadCheckpoint, match=words):
            load_checkpoint(bad)
    from safetensors.torch import save

    bad.write_bytes(save({"x": torch.zeros(3)}))
    with pytest.raises(BadCheckpoint, match="no network of Ludus"):
        load_checkpoint(bad)
    with pytest.raises(BadCheckpoint, match="there is no file"):
        load_checkpoint(tmp_path / "nothing.safetensors")
    with pytest.raises(BadCheckpoint, match=r"trained for hex .*size 4.* not for hex .*size 5"):
        load_checkpoint(saved).evaluator(ludus.make("hex", size=5))


@pytest.mark.parametrize("options", ["", ":choice=sample", ":choice=epsilon,epsilon=0.5", ":simulations=20"])
def test_a_saved_network_is_an_agent(saved, options):
    record = play(HEX, [make_agent(f"{saved}{options}"), make_agent("random")], seed=1)
    assert record.end == "rules"


def test_a_greedy_network_always_plays_the_likeliest_legal_action(saved):
    agent, state = make_agent(str(saved)), HEX.after("a1 b2 c3")
    policies, _ = Images(load_checkpoint(saved).evaluator(HEX)).evaluate([state])
    best = max(state.actions(), key=lambda a: policies[0][a])
    assert {agent.decide(state, ludus.Rng(seed)).action for seed in range(5)} == {best}


# ------------------------------------------------------------------------------------------- the truth meter


class Perfect:
    """Knows the truth."""

    def __init__(self, game):
        self.solver, self.game = ludus.search.solve.Solver(), game
        self.critic = True

    def evaluate(self, states):
        policies = np.zeros((len(states), self.game.num_actions), np.float32)
        values = np.zeros(len(states), np.float32)
        for i, state in enumerate(states):
            worth = self.solver.actions(state)
            values[i] = max(worth.values())
            policies[i, [a for a, v in worth.items() if v == values[i]]] = 1
        return policies, values


def test_the_meter_knows_a_perfect_player_from_a_beginner(tmp_path):
    meter = make_meter(HEX, 60, seconds=600)
    truth = meter.measure(Perfect(HEX))
    assert truth.kept == 1 and truth.openings == 1 and truth.won_kept == 1
    beginner = meter.measure(NetworkEvaluator(HEX, network()))
    assert beginner.kept < 0.8
    meter.save(tmp_path / "truth.json")
    assert load_meter(tmp_path / "truth.json", HEX).measure(Perfect(HEX)) == truth


def test_every_problem_of_the_meter_has_a_wrong_answer():
    solver = ludus.search.solve.Solver()
    for problem, state in zip((meter := make_meter(HEX, 30, 600)).problems, meter.states, strict=True):
        values = solver.actions(state)
        assert set(problem.good) == {a for a, v in values.items() if v == problem.value}
        assert len(problem.good) < len(values)


def test_the_untrained_network_is_saved_first():
    assert CLASSIC.saved_episodes()[0] == 0 and CLASSIC.saved_episodes()[-1] == CLASSIC.last_episode == 200
    assert TrainSettings(episodes=200, checkpoints=5).saved_episodes() == [0, 50, 100, 150, 200]


@pytest.mark.parametrize("activation", ["linear", "sigmoid", "tanh", "relu"])
@pytest.mark.parametrize("critic", [True, False])
@pytest.mark.parametrize("shape", [
    {"hidden": ()}, {"hidden": (24, 16, 16)}, {"hidden": (24, 16, 16), "residual": False},
    {"net": "conv", "channels": 16, "blocks": 2}, {"net": "conv", "channels": 5, "blocks": 0},
    {"net": "conv", "channels": 24, "blocks": 1}, {"net": "patterns", "channels": 20},
])  # fmt: skip
@pytest.mark.parametrize("name", ["hex", "connect_four", "go", "ledge"])
def test_the_core_answers_as_pytorch_does(name, shape, activation, critic):
    game = ludus.make(name)
    net = network(game, NetworkSettings(activation=activation, critic=critic, **shape))
    rng, states = ludus.Rng(3), [game.start()]
    for _ in range(8):  # more and fewer than the rows that are multiplied at once
        state = states[-1].play(rng.choice(states[-1].actions()))
        states.append(state if not state.over else game.start())
    planes = np.stack([state.planes() for state in states])
    policies, values = NetworkEvaluator(game, net, exchange=False).evaluate(states)
    logits, worth = net(torch.from_numpy(planes))
    assert policies == pytest.approx(torch.softmax(logits, 1).detach().numpy(), abs=1e-5)
    assert values == pytest.approx(worth.detach().numpy(), abs=1e-5)


def test_what_a_network_learns_shows_at_once():
    net = network()
    judge = NetworkEvaluator(HEX, net)
    before = judge.evaluate([HEX.start()])[1]
    with torch.no_grad():
        net.critic.bias += 0.5
    assert judge.evaluate([HEX.start()])[1] != before
