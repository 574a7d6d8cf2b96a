"""A game written in Python, with options, through every command that trains and plays it."""

import json

import pytest

import ludus
from ludus.agents import make_agent
from ludus.cli import run as ludus_command
from ludus.errors import LudusError
from ludus.games.python import game_with, options_type
from ludus.learn.config import game_of
from ludus.play.match import play

RACE = '''
class Race:
    """Count down by one or two; whoever says zero wins."""

    num_actions = 2

    def __init__(self, left=9, player=0, rules: str = "plain", past=()):
        self.left, self.player, self.rules = left, player, rules

    @property
    def over(self):
        return self.left <= 0

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return [] if self.over else [0, 1]

    def play(self, action):
        return Race(self.left - action - 1, 1 - self.player, self.rules)
'''
TINY = ["--episodes", "4", "--checkpoints", "3", "--simulations", "8", "--hidden", "8", "--truth", "0"]


@pytest.fixture
def trained(tmp_path, monkeypatch, capsys):
    """The folder of a small training with --left 12; we stand in another folder than the game does."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "race.py").write_text(RACE)
    monkeypatch.chdir(tmp_path / "home")
    assert ludus_command("train", ["race.py:Race", "--left", "12", *TINY, "--run", "../race"]) == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    capsys.readouterr()
    return tmp_path / "race"


def test_options_of_the_constructor_are_kept_with_the_training(trained):
    game = game_of(trained)
    assert game.options == {"left": 12} and game.start().left == 12


def test_its_networks_meet_each_other_from_any_folder(trained, capsys):
    assert ludus_command("topp", [str(trained), "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 6


def test_its_training_goes_on_from_any_folder(trained):
    assert ludus_command("train", ["--resume", str(trained), "--episodes", "6", "--truth", "0"]) == 0
    assert len((trained / "games.jsonl").read_text().splitlines()) == 6


def test_its_network_plays_it_with_its_options_and_refuses_others(trained):
    game = game_of(trained)
    for text in (str(trained), f"{trained},simulations=5"):
        agent = make_agent(text)
        assert play(game, [agent, make_agent("random")], seed=1).end == "rules"  # nobody has called accept()
    with pytest.raises(LudusError, match=r"trained for Race \(left 12\), not for Race \(left 13\)"):
        make_agent(str(trained)).accept(ludus.make(game.state_type, left=13))


def test_a_game_whose_file_is_gone_gets_one_sentence(trained, capsys):
    (trained.parent / "home" / "race.py").unlink()
    assert ludus_command("topp", [str(trained)]) == 2
    assert "race.py, which is not there; put race.py into this folder" in capsys.readouterr().err
    (trained.parent / "elsewhere" / "race.py").write_text(RACE)  # and the advice works
    assert ludus_command("topp", [str(trained), "--games", "1"]) == 0


def test_options_are_flags_of_matches_too(trained, capsys):
    where = str(trained.parent / "home" / "race.py:Race")
    assert ludus_command("match", ["random", "random", "--game", where, "--left", "3", "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    assert ludus_command("match", ["random", "random", "--game", where, "--right", "3"]) == 2


def test_the_saved_configuration_starts_the_same_game_and_flags_change_it(trained):
    config = ["--config", str(trained / "config.toml"), "--episodes", "1", "--truth", "0"]
    assert ludus_command("train", [*config, "--run", "two"]) == 0
    assert ludus_command("train", [*config, "--run", "three", "--left", "5"]) == 0
    (two, three) = (game_of(trained.parent / "elsewhere" / name) for name in ("two", "three"))
    assert two.options == {"left": 12} and three.options == {"left": 5}


def test_options_that_cannot_be_flags_are_kept_in_the_configuration(trained):
    config = trained / "config.toml"
    config.write_text(config.read_text().replace("left = 12\n", "left = 12\npast = [1, 2]\n"))
    assert game_of(trained).options == {"left": 12, "past": [1, 2]}
    assert ludus_command("train", ["--config", str(config), "--episodes", "1", "--truth", "0", "--run", "two"]) == 0
    assert game_of(trained.parent / "elsewhere" / "two").options == {"left": 12, "past": [1, 2]}


def test_flags_are_the_simple_parameters_of_the_constructor():
    class Shape:
        player, over = 0, True

        def __init__(self, size: int, ratio=0.5, wide=False, name="x", cells=(), seed: "int" = 3, *rest, _hidden=1):
            self.size = size

        def score(self, player):
            return 0

        def actions(self):
            return []

        def play(self, action):
            return self

    kind = options_type(Shape, taken={"name"})
    assert {f: kind.__dataclass_fields__[f].type for f in kind.__dataclass_fields__} == {
        "size": int, "ratio": float, "wide": bool, "seed": int,
    }  # fmt: skip
    assert game_with(Shape, kind(size=4, wide=True)).options == {"size": 4, "wide": True}
