"""Our agents on the course's own superclasses, and on ours."""

import json
import subprocess
import sys
from abc import ABC, abstractmethod

import numpy as np
import pytest

from ludus.courses import ntnu
from ludus.courses.ntnu import ActorClient, BasicClientActor, BasicClientActorAbs, HexPlayer, LudusActor, make_actor
from tests.courses.ntnu_rounds import PASSWORD, client_of, json_round, leaves, sit_down
from tests.oht.scripted import say, server, text_login, text_series


@pytest.fixture(autouse=True)
def home(folder, monkeypatch):
    sit_down(monkeypatch, folder)


class TheirsAbs(ABC):
    """A superclass of the course, as far as an actor can see it: hooks are called by position, str() is sent."""

    def __init__(self, IP_address=None, verbose=True):  # noqa: N803
        self.verbose, self.series_id = verbose, -1

    @abstractmethod
    def handle_get_action(self, state): ...
    @abstractmethod
    def handle_series_start(self, unique_id, series_id, player_map, num_games, game_params): ...
    @abstractmethod
    def handle_game_start(self, start_player): ...
    @abstractmethod
    def handle_game_over(self, winner, end_state): ...
    @abstractmethod
    def handle_series_over(self, stats): ...
    @abstractmethod
    def handle_tournament_over(self, score): ...
    @abstractmethod
    def handle_illegal_action(self, state, illegal_action): ...


def test_an_agent_of_ours_on_a_superclass_of_theirs(capsys):
    actor = make_actor(TheirsAbs, agent="mcts:simulations=50", seed=1)(verbose=False)
    assert isinstance(actor, TheirsAbs) and isinstance(actor, LudusActor)
    actor.handle_series_start(7, 2, [(7, 2), (1, 1)], 2, [4])
    actor.handle_game_start(2)
    assert actor.series_id == 2 and actor.starting_player == 2
    for state in ((2, *[0] * 16), [2, 0, 1, *[0] * 14], np.array([2, 0, 1, *[0] * 14])):
        action = actor.handle_get_action(state)
        assert str(action) == f"({action[0]}, {action[1]})" and json.loads(json.dumps(action)) == list(action)
    actor.handle_game_over(2, (1, *[0] * 16))
    actor.handle_series_over([(7, 2, 1, 1)])
    actor.handle_tournament_over(50)
    actor.handle_illegal_action((2, *[0] * 16), (0, 0))
    assert "the score is 50" in capsys.readouterr().out


def test_an_agent_of_ours_plays_by_both_protocols(folder, capsys):
    def by_text(link):
        text_login(link, "ann", PASSWORD, "Ann")
        stats = text_series(link, 4, 4, 1, 1)
        assert stats[0][2] == 4  # against a random player
        say(link, "Tournament end", 100)

    with server(folder, by_text) as there:
        leaves(make_actor(BasicClientActorAbs, agent="mcts:simulations=300", seed=1)(verbose=False), there.port)
    assert "the score is 100" in capsys.readouterr().out
    with server(folder, json_round) as there:
        client_of(there, folder, make_actor(ActorClient, agent="mcts:simulations=300", seed=1)).run()
    assert "Tournament over: score=100" in capsys.readouterr().err


def test_an_agent_can_be_an_object_and_has_its_time(folder):
    from ludus.agents import RandomAgent

    kind = make_actor(BasicClientActor, RandomAgent(), move_seconds=0.5)
    assert kind.__name__ == "LudusBasicClientActor" and kind.__module__ == __name__
    assert kind(verbose=False).hex_player.left.seconds == 0.5


def test_what_the_package_offers():
    assert set(ntnu.__all__) >= {"ActorClient", "BasicClientActor", "BasicClientActorAbs", "HexPlayer"}
    assert HexPlayer("random").choose((1, *[0] * 9)) in [(r, c) for r in range(3) for c in range(3)]


def test_importing_the_clients_does_not_import_torch():
    code = "import sys, ludus.courses.ntnu, ludus.cli.oht.play; assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
