"""`ludus review`, as a player calls it after a game."""

import json

import pytest

import ludus as package
from ludus.play.match import play
from ludus.play.sgf import write_sgf
from tests.cli.test_cli import ludus
from tests.play.players import Scripted
from tests.play.test_review import GAMES

HEX = GAMES[1][2]
PYTHON_GAME = '''
class Countdown:
    """Take one or two; whoever takes the last one wins."""

    num_actions = 2

    def __init__(self, left=4, player=0):
        self.left, self.player, self.over = left, player, left == 0

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return list(range(min(2, self.left)))

    def play(self, action):
        return Countdown(self.left - action - 1, 1 - self.player)
'''


@pytest.fixture
def record():
    game = package.make("hex", size=5)
    actions = [game.read(move) for move in HEX.split()]
    return game, play(game, [Scripted(*actions[0::2]), Scripted(*actions[1::2])])


def test_the_moves_of_a_game_as_a_table_and_in_words():
    text = ludus("review", "hex", "--size", "5", "--position", HEX)
    assert "gave it away" in text and "no choice" in text
    assert "move 5: X gave the win away: d1 loses, " in text and text.rstrip().endswith("O won.")


def test_the_same_for_programs():
    answer = json.loads(ludus("review", "hex", "--size", "5", "--position", HEX, "--json"))
    assert answer["game"] == {"name": "hex", "size": 5, "swap": False, "starter": 0}
    assert [move["ply"] for move in answer["moves"]] == list(range(1, 25))
    assert [move["move"] for move in answer["moves"] if move["grade"] == "gave_away"] == ["d1"]
    assert [turn["ply"] for turn in answer["turning_points"]] == [5] and "until move 5" in answer["summary"]


def test_game_files_and_records(tmp_path, record):
    game, played = record
    (tmp_path / "game.sgf").write_text(write_sgf(played, game))
    (tmp_path / "games.jsonl").write_text(played.line() + "\n" + played.line() + "\n")
    for file, more in (("game.sgf", ()), ("games.jsonl", ()), ("games.jsonl", ("--game-number", "1"))):
        answer = json.loads(ludus("review", str(tmp_path / file), "--json", *more))
        assert [turn["ply"] for turn in answer["turning_points"]] == [5] and "O won." in answer["summary"]
    refused = ludus("review", str(tmp_path / "games.jsonl"), "--game-number", "2", code=2)
    assert "has games 0 to 1, but no game 2" in refused


def test_a_game_of_yours(tmp_path):
    (tmp_path / "mine.py").write_text(PYTHON_GAME)
    named = f"{tmp_path}/mine.py:Countdown"
    answer = json.loads(ludus("review", named, "--position", "0 0 0 0", "--json"))
    assert [move["grade"] for move in answer["moves"]] == ["best", "forced", "gave_away", "forced"]
    (tmp_path / "mine.py").write_text(PYTHON_GAME.replace("return list(range(min(2, self.left)))", "return [self.lft]"))
    refused = ludus("review", named, "--position", "0", code=2)
    assert refused.count("\n") == 1 and "Countdown raised AttributeError" in refused


def test_a_search_judges_what_is_not_proven():
    fast = ("--seconds", "0", "--agent", "mcts:simulations=200")
    answer = json.loads(ludus("review", "go", "--size", "5", "--position", "C3 B3", *fast, "--json"))
    assert all("about" in move["sentence"] and not move["after_proven"] for move in answer["moves"])
    assert "The game was not finished." in answer["summary"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hex"], "say which game to review: its moves (--position), or a file"),
        (["hex", "--position", "a1 a1"], "move 2: a1 is not legal here"),
        (["hex", "--position", "z9"], "move 1: cannot read 'z9'"),
        (["nothing.sgf"], "cannot read nothing.sgf"),
        (["hex", "--record", "x.jsonl", "--position", "a1"], "leave out --position"),
        (["x.jsonl", "--position", "a1"], "leave out --position and --record"),
        (["hex", "--position", "a1", "--game-number", "1"], "say --record FILE, too"),
        (["hex", "--position", "a1", "--agent", "random"], "an analysis needs a tree search"),
        (["hex", "--position", "a1", "--seconds", "-1"], "seconds must be a number from 0"),
        (["hex", "--position", "a1", "--seed", "-1"], "seed must be a whole number"),
    ],
)
def test_mistakes_get_a_sentence(arguments, words):
    said = ludus("review", *arguments, code=2)
    assert words in said and said.count("\n") == 1


def test_a_record_of_a_game_from_elsewhere_says_what_to_do(tmp_path, record):
    line = record[1].line().replace('"name":"hex"', '"name":"Mine"')
    (tmp_path / "games.jsonl").write_text(line + "\n")
    assert "'Mine', which does not come with Ludus: name its class" in ludus(
        "review", str(tmp_path / "games.jsonl"), code=2
    )
