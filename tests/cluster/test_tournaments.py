"""Tournaments on a real Ray of several nodes: the same games as here, whatever happens to the nodes."""

from dataclasses import replace
from pathlib import Path

import pytest

import ludus
from ludus.cluster.start import ray_at
from ludus.play.tournament import Tournament, run

pytest.importorskip("ray", reason="Ray is not installed: pip install 'ludus[cluster]'")
from ludus.cluster.games import Games

HEX = ludus.make("hex", size=4)
PLAYERS = Path(__file__).parent.parent / "play" / "players.py"


def timeless(records):
    """The records in their order, without the seconds that moves took."""
    ordered = sorted(records, key=lambda record: record.number)
    return [replace(r, turns=tuple(replace(t, seconds=0.0, left=None) for t in r.turns)) for r in ordered]


def numbers_in(folder):
    from ludus.play.record import read_records

    return sorted(record.number for record in read_records(folder / "games.jsonl"))


def played_on(nodes, tournament, folder, watch=lambda crew, played: None):
    """The outcome of a tournament on the cluster, and its crew; `watch` is told how many games have been played."""
    crews, played = [], 0

    def hire(tournament, games):
        crews.append(Games(tournament))
        return crews[0]

    def see(records):
        nonlocal played
        for _ in records:
            played += 1
            watch(crews[0], played)

    with ray_at(nodes.address):
        return run(tournament, folder, see, hire=hire), crews[0]


def test_nodes_that_are_killed_cost_no_game_and_the_games_are_those_of_one_machine(nodes, tmp_path):
    agents = ("mcts:simulations=1500", "mcts:simulations=2500", "random")
    tournament = Tournament(HEX, agents, games=16, seed=3)
    there = [nodes.add(), nodes.add()]

    def exchange_one(crew, played):
        if played % 5 == 0 and crew.lost == 0:  # again, if no game was under way there at this very moment
            nodes.kill(there.pop(0))
            there.append(nodes.add())

    outcome, crew = played_on(nodes, tournament, tmp_path / "there", exchange_one)
    nodes.kill(*there)
    assert crew.lost > 0
    assert numbers_in(tmp_path / "there") == [meeting.number for meeting in tournament.meetings]
    here = run(tournament, tmp_path / "here")
    assert timeless(outcome.records) == timeless(here.records)


def test_when_all_nodes_are_gone_the_games_go_on_with_the_next_one_that_comes(nodes, tmp_path):
    tournament = Tournament(HEX, ("mcts:simulations=1500", "random"), games=12, seed=4)
    there = [nodes.add()]

    def exchange(crew, played):
        if played == 3:
            nodes.kill(there.pop())
            there.append(nodes.add())

    outcome, _ = played_on(nodes, tournament, tmp_path, exchange)
    nodes.kill(*there)
    assert len(outcome.records) == 12
    assert numbers_in(tmp_path) == [meeting.number for meeting in tournament.meetings]


def test_an_agent_that_ends_its_process_loses_its_game_there_as_here(nodes, tmp_path):
    tournament = Tournament(HEX, (f"{PLAYERS}:Leaver", "random"), games=4, seed=5)
    node = nodes.add()
    outcome, crew = played_on(nodes, tournament, tmp_path / "there")
    nodes.kill(node)
    assert crew.lost == 0 and {record.end for record in outcome.records} == {"crash"}
    assert timeless(outcome.records) == timeless(run(tournament, tmp_path / "here").records)


def test_a_game_in_python_travels(nodes, tmp_path):
    """Its class goes with the tournament: the nodes need not have its file in the same place."""
    (tmp_path / "race.py").write_text(RACE)
    game = ludus.make(f"{tmp_path / 'race.py'}:Race", left=15)
    tournament = Tournament(game, ("mcts:simulations=20", "random"), games=4, seed=1)
    (tmp_path / "race.py").rename(tmp_path / "elsewhere.py")
    node = nodes.add()
    outcome, _ = played_on(nodes, tournament, tmp_path / "run")
    nodes.kill(node)
    assert [record.end for record in outcome.records] == ["rules"] * 4
    assert all(list(record.replay(game))[-1].over for record in outcome.records)


RACE = '''
class Race:
    """Count down by one or two; whoever says zero wins."""

    num_actions = 2

    def __init__(self, left=9, player=0):
        self.left, self.player = left, player

    @property
    def over(self):
        return self.left <= 0

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return [] if self.over else [a for a in (0, 1) if a < self.left]

    def play(self, action):
        return Race(self.left - action - 1, 1 - self.player)
'''
