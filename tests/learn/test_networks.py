"""Networks: the core computes what PyTorch does, on every board; heads for every size; what else a case can teach."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import ludus
from ludus.agents import make_agent
from ludus.errors import BadOption
from ludus.game import sized
from ludus.learn.case import UNKNOWN, Case
from ludus.learn.checkpoint import BadCheckpoint, load_checkpoint, save_checkpoint
from ludus.learn.evaluator import NetworkEvaluator, ask
from ludus.learn.learner import Learner, losses
from ludus.learn.network import make_network
from ludus.learn.replay import Replay
from ludus.learn.self_play import Lesson, Played
from ludus.learn.settings import LearnSettings, NetworkSettings

GAMES = [
    ("hex", {"size": 3}), ("hex", {"size": 5}), ("hex", {"size": 8}), ("hex", {"size": 11}), ("othello", {"size": 6}),
    ("go", {"size": 7}), ("connect_four", {}), ("tic_tac_toe", {}),
]  # fmt: skip
SHAPES = [
    NetworkSettings(hidden=(50, 50)),
    NetworkSettings(net="conv", heads="dense"),
    NetworkSettings(net="conv", channels=24, blocks=2, heads="dense", norm=True, activation="tanh", critic=False),
    NetworkSettings(net="conv", channels=40, blocks=1, heads="pooled", owners=True),
    NetworkSettings(net="conv", channels=8, blocks=2, heads="pooled", norm=True, activation="sigmoid", summary=20),
    NetworkSettings(net="patterns", channels=24, heads="dense", reach=2),
    NetworkSettings(net="patterns", heads="pooled", owners=True),
]


def made(game, settings, seed=1):
    """A network whose normalisation has seen something, so that it changes what the network says."""
    torch.manual_seed(seed)
    network = make_network(settings, game.planes_shape, game.num_actions)
    network.train()
    network(torch.randn(16, *game.planes_shape))
    return network.eval()


PAIRS = [
    (name, options, settings)
    for name, options in GAMES
    for settings in SHAPES
    if settings.heads != "pooled" or name != "connect_four"  # whose actions are columns, not cells
]


@pytest.mark.parametrize("name, options, settings", PAIRS)
def test_the_core_computes_what_pytorch_does(name, options, settings):
    game = ludus.make(name, **options)
    network = made(game, settings)
    evaluator = NetworkEvaluator(game, network)
    planes = np.random.default_rng(0).random((13, *game.planes_shape)).astype(np.float32)
    policies, values = evaluator.weights().network().judge(planes)
    expected, expected_values = ask(network, planes, torch.device("cpu"))
    assert np.abs(policies - expected).max() < 2e-5 and np.abs(values - expected_values).max() < 2e-5


def saved(path, game, settings):
    save_checkpoint(path, made(game, settings), game, True, 0, {})
    return load_checkpoint(path)


def test_a_network_with_pooled_heads_plays_boards_of_every_size(tmp_path):
    checkpoint = saved(tmp_path / "n.safetensors", ludus.make("hex", size=4), NetworkSettings("conv", heads="pooled"))
    agent = make_agent(str(tmp_path / "n.safetensors"))
    for size in (3, 4, 7):
        game = ludus.make("hex", size=size)
        policies, values = checkpoint.evaluator(game).evaluate([game.start()])
        assert policies.shape == (1, size * size) and policies.sum() == pytest.approx(1, abs=1e-5) and abs(values) < 1
        agent.accept(game)
        assert agent.decide(game.start(), ludus.Rng(1)).action in game.start().actions()
    with pytest.raises(BadCheckpoint, match=r"trained for hex .*, not for othello"):
        checkpoint.accept(ludus.make("othello", size=4))


def test_a_network_with_dense_heads_plays_one_size(tmp_path):
    checkpoint = saved(tmp_path / "n.safetensors", ludus.make("hex", size=4), NetworkSettings("conv", heads="dense"))
    with pytest.raises(BadCheckpoint, match=r"trained for hex \(size 4.*not for hex \(size 5"):
        checkpoint.accept(ludus.make("hex", size=5))
    with pytest.raises(BadCheckpoint, match="only networks with --heads pooled"):
        checkpoint.accept_as_beginning(ludus.make("hex", size=5))


def test_pooled_heads_need_actions_that_are_cells():
    heads = {}
    for name in ("hex", "go", "connect_four"):
        game = ludus.make(name)
        heads[name] = make_network(NetworkSettings("conv"), game.planes_shape, game.num_actions).settings.heads
    assert heads == {"hex": "pooled", "go": "pooled", "connect_four": "dense"}
    with pytest.raises(BadOption, match="say --heads dense"):
        make_network(NetworkSettings("conv", heads="pooled"), game.planes_shape, game.num_actions)


def test_options_that_follow_from_the_size_do_so_again():
    assert sized(ludus.make("go", size=9), 5) == ludus.make("go", size=5)
    assert sized(ludus.make("go", size=9, komi=3.5), 5) == ludus.make("go", size=5, komi=3.5)
    assert sized(ludus.make("hex", size=5, starter=1), 7) == ludus.make("hex", size=7, starter=1)
    with pytest.raises(BadOption, match="has no option size"):
        sized(ludus.make("tic_tac_toe"), 4)


# ------------------------------------------------------------------------------------------- what cases teach


@pytest.mark.parametrize("name, options", [("hex", {"size": 4}), ("othello", {"size": 4}), ("go", {"size": 3})])
def test_owners_of_cells_turn_with_the_board(name, options):
    """If a position were the end of its game, the owners would be the stones that the network sees on it."""
    game, rng = ludus.make(name, **options), ludus.Rng(3)
    replay, state = Replay(game, 100), game.start()
    legal, policy = np.ones(game.num_actions, np.bool_), np.full(game.num_actions, 1 / game.num_actions, np.float32)
    for _ in range(8):
        cells = np.array(state.cells(), np.int8)
        replay.add([Case(game.planes(state), state.player, policy, legal, 0.0, 1.0, cells)])
        state = state.play(rng.choice(state.actions()))
    batch = replay.draw(200, np.random.default_rng(1))
    seen = (batch.planes[:, 0] - batch.planes[:, 1]).flatten(1)
    assert (seen == batch.owners).all() and batch.owners.any()


def test_where_nobody_played_on_the_owners_teach_nothing():
    game = ludus.make("hex", size=3)
    replay = Replay(game, 10)
    legal, policy = np.ones(9, np.bool_), np.full(9, 1 / 9, np.float32)
    replay.add([Case(game.planes(game.start()), 0, policy, legal, 0.0)])
    batch = replay.draw(4, np.random.default_rng(1))
    assert (batch.owners == UNKNOWN).all()
    said = [torch.zeros(4, 9), torch.zeros(4), torch.full((4, 9), 0.7)]
    assert losses(said, batch, LearnSettings(), True).whole == losses(said[:2], batch, LearnSettings(), True).whole


def test_a_network_learns_whose_cells_they_will_be():
    """On boards whose final owners are the stones that stand there, the third head learns to tell them."""
    torch.manual_seed(1)
    game, rng = ludus.make("hex", size=4), ludus.Rng(3)
    settings = LearnSettings(minibatch=64, lr=0.01, schedule="constant", owner_weight=5.0)
    network = make_network(NetworkSettings("conv", blocks=1, owners=True), game.planes_shape, game.num_actions)
    replay = Replay(game, 500)
    legal, policy = np.ones(16, np.bool_), np.full(16, 1 / 16, np.float32)
    for _ in range(60):
        state = game.start()
        for _ in range(5):
            state = state.play(rng.choice(state.actions()))
            cells = np.array(state.cells(), np.int8)
            replay.add([Case(game.planes(state), state.player, policy, legal, 0.0, 1.0, cells)])
    learner = Learner(network, replay, settings, 1)
    for _ in range(60):
        learner.train(0.0)
    batch = replay.draw(200, np.random.default_rng(5))
    with torch.no_grad():
        _, _, owners = network.with_owners(batch.planes)
    assert (owners.round() == batch.owners).float().mean() > 0.95


def lesson(state, ply, surprise=0.0, value=0.5, score=None):
    return Lesson(state, ply, np.full(9, 1 / 9, np.float32), value, surprise, score)


def test_the_search_s_own_value_is_mixed_into_what_the_critic_learns():
    game = ludus.make("hex", size=3)
    states = list(game.states([0, 1, 2]))
    played = Played([], [0, 1, 2], -1.0, [lesson(states[0], 0), lesson(states[1], 1), lesson(states[2], 2, score=1.0)])
    plain, mixed = (
        [case.score for case in played.cases(game, LearnSettings(value_mix=mix, discount=0.5))] for mix in (0, 0.4)
    )
    assert plain == [-0.125, 0.25, 1.0]  # a proven score is neither mixed nor discounted
    assert mixed == pytest.approx([0.6 * -0.125 + 0.4 * 0.5, 0.6 * 0.25 + 0.4 * 0.5, 1.0])


def test_surprising_positions_weigh_more_and_all_weights_are_one_on_average():
    game = ludus.make("hex", size=3)
    states = list(game.states([0, 1, 2]))
    played = Played(
        [], [0, 1, 2], 1.0, [lesson(states[0], 0, 0.0), lesson(states[1], 1, 1.0), lesson(states[2], 2, 2.0)]
    )
    assert played.weights(0.0) == [1, 1, 1]
    assert played.weights(0.5) == pytest.approx([0.5, 1.0, 1.5])
    weights = [case.weight for case in played.cases(game, LearnSettings(surprise=0.5))]
    assert weights == pytest.approx([0.5, 1.0, 1.5])


def test_a_minibatch_by_weights_is_the_minibatch_with_repeated_cases():
    game = ludus.make("hex", size=3)
    network = made(game, NetworkSettings(hidden=(16,)))
    replay = Replay(game, 10, symmetries=False)
    legal, policy = np.ones(9, np.bool_), np.full(9, 1 / 9, np.float32)
    replay.add([Case(game.planes(state), state.player, policy, legal, 1.0) for state in game.states([0, 1])])
    batch = replay.draw(2, np.random.default_rng(0))
    twice = replace(batch, weights=torch.tensor([2.0, 0.0]))
    only = replace(batch, **{name: getattr(batch, name)[[0, 0]] for name in ("planes", "policies", "legal", "scores")})
    one, other = (losses(network(b.planes), b, LearnSettings(), True).whole for b in (twice, only))
    assert one.item() == pytest.approx(other.item(), rel=1e-5)


def test_the_learning_rate_of_every_schedule():
    game = ludus.make("hex", size=3)
    rates = {}
    for schedule in ("constant", "linear", "cosine", "restarts"):
        learner = Learner(made(game, NetworkSettings()), Replay(game, 1), LearnSettings(lr=1.0, schedule=schedule), 1)
        rates[schedule] = [learner.rate(progress) for progress in (0, 0.125, 0.2499, 0.25, 0.5, 1)]
    assert rates["constant"] == [1] * 6
    assert rates["linear"] == pytest.approx([1, 0.875, 0.7501, 0.75, 0.5, 0.05])
    assert rates["restarts"] == pytest.approx([1, 0.5, 0.05, 1, 1, 0.05], abs=1e-3)
