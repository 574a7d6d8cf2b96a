"""The command line as a newcomer meets it: help, results, mistakes."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from ludus import games

LUDUS = str(Path(sys.executable).parent / "ludus")


def ludus(*arguments, code=0, cwd=None, input=None):
    done = subprocess.run([LUDUS, *arguments], capture_output=True, text=True, timeout=600, cwd=cwd, input=input)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def test_help_lists_every_command():
    text = ludus("--help")
    assert all(
        word in text
        for word in (
            "play",
            "match",
            "tournament",
            "games",
            "demo",
            "solve",
            "explain",
            "check",
            "gtp",
            "othello-agent",
            "bench",
        )
    )


@pytest.mark.parametrize(
    "command",
    [
        "play",
        "match",
        "tournament",
        "games",
        "demo",
        "solve",
        "explain",
        "review",
        "check",
        "gtp",
        "othello-agent",
        "bench",
    ],
)
def test_every_command_has_help(command):
    assert f"ludus {command}" in ludus(command, "--help")


def test_no_command_and_a_wrong_one_say_what_there_is():
    subprocess.run([LUDUS], check=False)
    assert "there is no command 'paly'; there are serve, play" in ludus("paly", code=2)


def test_games_lists_all_with_options():
    rows = json.loads(ludus("games", "--json"))
    assert [row["game"] for row in rows] == games()
    assert rows[5]["options"] == {"size": 7, "swap": False, "starter": 0}
    assert "hex" in ludus("games")


def test_demo_trains_holds_a_tournament_and_says_what_to_try(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = ludus("demo", "--size", "3", "--episodes", "24", "--games", "2")
    assert "episode 24" in text and "raining" in text and "What to try next" in text
    assert (tmp_path / "runs" / "demo" / "training.png").exists()
    assert "episodes" in ludus("demo", "--episodes", "0", code=2)


def test_check_judges_a_game():
    assert "hex keeps the contract" in ludus("check", "hex", "--games", "20")
    assert "did you mean othello" in ludus("check", "otello", code=2)


GOOD = """
class Race:
    num_actions = 2

    def __init__(self, left=9, player=0):
        self.left, self.player = left, player

    @property
    def over(self):
        return self.left <= 0

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return [] if self.over else [0, 1]

    def play(self, action):
        return Race(self.left - action - 1, 1 - self.player)
"""


def test_check_judges_a_visitors_game(tmp_path):
    path = tmp_path / "race.py"
    path.write_text(GOOD)
    assert "keeps the contract" in ludus("check", f"{path}:Race")
    path.write_text(GOOD.replace("1 - self.player)", "self.player + 1)"))
    assert "player must be 0 or 1, not 2" in ludus("check", f"{path}:Race", code=2)
    assert "cannot load the game" in ludus("check", f"{path}:Rice", code=2)


def test_bench_measures_against_openspiel():
    fast = ["--seconds", "0.02", "--repeats", "2", "--json"]
    rows = json.loads(ludus("bench", "rollouts", "--against", "openspiel", *fast))
    assert {(row["game"], str(row["options"])) for row in rows} >= {("hex", "{'size': 11}"), ("connect_four", "{}")}
    for row in rows:
        assert row["ludus"] > 0
        if row["peer"]:
            assert row["ratio"] > 1  # far below any goal: it only shows that both sides ran


def test_bench_measures_copies():
    assert all(row["nanoseconds"] > 0 for row in json.loads(ludus("bench", "copies", "--json")))
    assert "no game 'chess'" in ludus("bench", "rollouts", "--game", "chess", code=2)


def test_bench_measures_self_play():
    pytest.importorskip("torch", reason="self-play asks a network")
    small = ("--size", "3", "--simulations", "4", "--threads", "2", "--seconds", "0.5")
    rows = json.loads(ludus("bench", "self-play", *small, "--json"))
    assert {(row["net"], row["judge"]) for row in rows} == set(product(("mlp", "conv"), ("critic", "rollouts")))
    assert {(row["threads"], row["parallel"]) for row in rows} == {(1, 1), (1, 128), (2, 128)}
    assert all(row["positions_per_second"] > 0 < row["evaluations_per_second"] for row in rows)
    assert all(0 < row["in_network"] < 1 for row in rows)
    assert "seconds must be above 0" in ludus("bench", "self-play", "--seconds", "0", code=2)
