"""Saved networks as agents: what they are called, which games they refuse, and the folder of a training as one."""

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

import ludus
from ludus.agents import make_agent, write_agent
from ludus.cli import run as ludus_command
from ludus.errors import BadOption
from ludus.learn.checkpoint import BadCheckpoint, load_checkpoint, read_checkpoint, save_checkpoint
from ludus.learn.measure import chooser
from ludus.learn.network import Network
from ludus.learn.settings import NetworkSettings
from ludus.learn.trainer import start
from tests.learn.test_school import HEX, network
from tests.learn.test_training import HEX as HEX3
from tests.learn.test_training import TINY

HEX5 = ludus.make("hex", size=5)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "hex3"
    trainer = start(folder, "hex", HEX3, TINY)
    trainer.train()
    trainer.run.close()
    return folder


@pytest.mark.parametrize("text", [
    "zoo:hex5", "zoo:hex5,simulations=200", "zoo:hex5,simulations=200,c=0.5", "zoo:hex5-series/0,choice=sample",
])  # fmt: skip
def test_a_network_is_called_what_made_it(text):
    assert write_agent(make_agent(text)) == text


def test_two_settings_of_one_file_have_two_names(run):
    path = f"{run}/checkpoints/000004.safetensors"
    names = {write_agent(make_agent(text)) for text in (path, f"{path}:simulations=5", f"{path},simulations=9")}
    assert names == {path, f"{path},simulations=5", f"{path},simulations=9"}


def test_the_folder_of_a_training_is_its_best_network(run):
    assert make_agent(str(run))._checkpoint.episode == 8  # the last one, as long as none is the best
    agent = make_agent(f"{run}:simulations=7")
    assert write_agent(agent) == f"{run},simulations=7"
    best = run / "best.safetensors"
    best.write_bytes((run / "checkpoints" / "000004.safetensors").read_bytes())
    try:
        assert make_agent(str(run))._checkpoint.episode == 4
    finally:
        best.unlink()


def test_a_folder_without_a_network_gets_one_sentence(tmp_path):
    (tmp_path / "config.toml").write_text("")
    with pytest.raises(BadCheckpoint, match="has no saved network yet"):
        make_agent(str(tmp_path))


def test_no_exploration_is_no_exploration():
    agent = make_agent("zoo:hex5,simulations=5,c=0")
    agent.decide(HEX5.start(), ludus.Rng(1))
    assert agent.c == 0 and "c=0" in write_agent(agent)
    assert agent._search.settings().rule.c == 0


@pytest.mark.parametrize("options", ["simulations=40", "simulations=40,threads=2,batch=4"])
def test_with_sigma_playouts_judge_some_leaves(options):
    """A critic that calls every position even is believed without sigma, and not asked with sigma = 1."""
    start = HEX5.start()

    def values(sigma):
        agent = make_agent(f"zoo:hex5,{options},sigma={sigma},playout=uniform,endgame=false")
        evaluator = agent.evaluator(start)
        with torch.no_grad():
            evaluator.network.critic[-1].weight.zero_()
            evaluator.network.critic[-1].bias.zero_()
        return set(agent.decide(start, ludus.Rng(1)).values.values())

    assert values(0) == {0} and len(values(1)) > 1


def test_one_simulation_asks_the_network_about_the_root_and_plays_its_likeliest_move():
    start = HEX5.start()
    searched = make_agent("zoo:hex5,simulations=1").decide(start, ludus.Rng(1))
    assert searched.action == make_agent("zoo:hex5,images=false").decide(start, ludus.Rng(1)).action


def test_a_game_says_how_many_leaves_playouts_judge():
    def judge(name, state):
        agent = make_agent(f"{name},simulations=1")
        agent.decide(state, ludus.Rng(1))
        return agent._search.settings().judge

    for name, game, kind in (("go9", ludus.make("go"), "quick"), ("othello8", ludus.make("othello"), "estimate")):
        mix = judge(f"zoo:{name}", game.start())
        assert (mix.sigma, mix.rollout.policy) == game.leaf_playouts == (0.5, kind)
    assert not hasattr(judge("zoo:hex5", HEX5.start()), "sigma")
    assert ludus.make("othello", size=6).leaf_playouts[0] == 0  # it has no patterns


@pytest.mark.parametrize("wrong", [
    "c=-1", "epsilon=2", "simulations=-1", "seconds=0", "seconds=-1", "sigma=2", "sigma=-0.1", "playout=best",
])  # fmt: skip
def test_options_out_of_range_are_refused(wrong):
    with pytest.raises(BadOption):
        make_agent(f"zoo:hex5,{wrong}")


@pytest.mark.parametrize("command", [
    ["play", "hex", "--size", "6", "--against", "zoo:hex5"],
    ["gtp", "hex", "--size", "6", "--agent", "zoo:hex5"],
    ["match", "zoo:hex5", "random", "--game", "hex", "--size", "6"],
])  # fmt: skip
def test_a_network_of_another_size_is_refused_before_the_first_move(command, capsys):
    assert ludus_command(command[0], command[1:]) == 2
    told = capsys.readouterr()
    assert "was trained for hex (size 5" in told.err and told.out == ""


def test_a_network_that_reads_other_planes_is_refused(tmp_path):
    """What a network of an older version saw of a game may not be what the game shows today."""
    game = ludus.make("connect_four")
    old = Network(NetworkSettings(hidden=(8,)), (2, 6, 7), 7)
    save_checkpoint(tmp_path / "now.safetensors", old, game, True, 7, {})
    about, weights = read_checkpoint(tmp_path / "now.safetensors")
    save_file(weights, tmp_path / "old.safetensors", about | {"planes": "[2, 6, 7]"})
    checkpoint = load_checkpoint(tmp_path / "old.safetensors")
    for refuse in (checkpoint.accept, checkpoint.accept_as_beginning):
        with pytest.raises(BadCheckpoint, match="as an older version of Ludus showed it; train it again"):
            refuse(game)


def test_weights_that_are_no_numbers_are_refused(tmp_path):
    net = network()
    with torch.no_grad():
        net.actor.bias[0] = float("nan")
    save_checkpoint(tmp_path / "bad.safetensors", net, HEX, True, 7, {})
    with pytest.raises(BadCheckpoint, match="some of its weights are not finite"):
        load_checkpoint(tmp_path / "bad.safetensors")


@pytest.mark.parametrize("name, options", [("connect_four", {}), ("hex", {"size": 4}), ("othello", {"size": 6})])
def test_a_bare_network_plays_alike_in_every_image_of_a_board(tmp_path, name, options):
    """An untrained network has another policy for each image; the agent has the mean of them."""
    game, rng = ludus.make(name, **options), ludus.Rng(1)
    state = game.start()
    for _ in range(5):
        state = state.play(rng.choice(state.actions()))
    torch.manual_seed(1)
    net = Network(NetworkSettings(hidden=(16,)), game.planes_shape, game.num_actions).eval()
    save_checkpoint(tmp_path / "net.safetensors", net, game, True, 0, {})
    agent, plain = make_agent(f"{tmp_path}/net.safetensors"), make_agent(f"{tmp_path}/net.safetensors,images=false")
    turns = [turn for turn in game.symmetries if not turn.swaps_players]
    assert len(turns) > 1
    expected = np.zeros(game.num_actions)
    for turn in turns:
        policies, _ = plain.evaluator(state).judge(turn.turn_planes(game.planes(state))[None], [state.player])
        for action in range(game.num_actions):
            expected[action] += policies[0][turn.actions[action]]
    policy, _ = agent.policy_and_value(state)
    legal = list(state.actions())
    assert [policy[a] for a in legal] == pytest.approx(expected[legal] / expected[legal].sum(), abs=1e-5)
    alone, _ = plain.policy_and_value(state)
    assert [alone[a] for a in legal] != pytest.approx(expected[legal] / expected[legal].sum(), abs=1e-5)
    assert (
        chooser(game, agent, rng)([state]) == [max(legal, key=lambda a: policy[a])] == [agent.decide(state, rng).action]
    )
    assert write_agent(plain) == f"{tmp_path}/net.safetensors,images=false"
