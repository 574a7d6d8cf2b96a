"""Every game of ours keeps the contract, at several sizes and with every option; and broken games are found out."""

import re

import pytest

import ludus
from ludus.errors import BrokenGame
from ludus.testing import check_game

GAMES = [
    ("nim", {}, 300),
    ("nim", {"stones": 1, "most": 1}, 20),
    ("nim", {"stones": 40, "most": 7, "starter": 1}, 300),
    ("ledge", {}, 300),
    ("ledge", {"coins": "G"}, 10),
    ("ledge", {"coins": ". c c . G c . . c", "starter": 1}, 300),
    ("ledge", {"coins": ". " * 30 + "c " * 10 + "G . . c"}, 20),
    ("tic_tac_toe", {}, 1000),
    ("tic_tac_toe", {"width": 4, "height": 3, "line": 3}, 300),
    ("tic_tac_toe", {"width": 15, "height": 15, "line": 5}, 20),
    ("tic_tac_toe", {"width": 9, "height": 8, "line": 4}, 50),
    ("connect_four", {}, 500),
    ("connect_four", {"width": 4, "height": 4, "line": 3}, 300),
    ("connect_four", {"width": 9, "height": 9, "line": 4}, 100),
    ("connect_four", {"width": 16, "height": 7, "line": 5}, 50),
    ("othello", {}, 60),
    ("othello", {"size": 4}, 500),
    ("othello", {"size": 4, "passing": False}, 500),
    ("othello", {"size": 6, "passing": False}, 100),
    ("othello", {"size": 10}, 30),
    ("othello", {"size": 16, "passing": False}, 10),
    ("hex", {"size": 3}, 500),
    ("hex", {"size": 3, "swap": True, "starter": 1}, 500),
    ("hex", {"size": 5, "starter": 1}, 200),
    ("hex", {"size": 8}, 60),
    ("hex", {"size": 9, "swap": True}, 50),
    ("hex", {"size": 11}, 30),
    ("hex", {"size": 19}, 10),
    ("go", {"size": 2}, 200),
    ("go", {"size": 3, "superko": "draw"}, 200),
    ("go", {"size": 5}, 100),
    ("go", {"size": 5, "superko": "draw", "komi": 0}, 100),
    ("go", {"size": 9}, 30),
    ("go", {"size": 13, "max_length": 100}, 20),
    ("go", {"size": 19}, 4),
]


@pytest.mark.parametrize("name, options, games", GAMES, ids=lambda v: str(v) if not isinstance(v, int) else "")
def test_game_keeps_the_contract(name, options, games):
    assert check_game(ludus.make(name, **options), games=games) > games


class Subtract:
    """Take 1, 2 or 3 from a number; who reaches 0 wins. A whole game in Python."""

    num_actions = 3

    def __init__(self, left=10, player=0):
        self.left, self.player = left, player

    @property
    def over(self):
        return self.left == 0

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return list(range(min(3, self.left)))

    def play(self, action):
        return type(self)(self.left - action - 1, 1 - self.player)


def test_a_python_game_keeps_the_contract():
    assert check_game(Subtract, games=300) > 300
    assert check_game(ludus.make(Subtract, left=21), games=100) > 100


def test_compiled_rollouts_play_a_python_game():
    wins, draws, losses = ludus.rollouts(ludus.make(Subtract).start(), 2000, ludus.Rng(1))
    native = ludus.rollouts(ludus.make("nim", stones=10, most=3).start(), 2000, ludus.Rng(1))
    assert (wins, draws, losses) == native  # the same dice, the same games


def broken(**changes):
    return type("Broken", (Subtract,), changes)


@pytest.mark.parametrize(
    "game, complaint",
    [
        (broken(player=property(lambda s: 7, lambda s, v: None)), "player must be 0 or 1, not 7"),
        (broken(score=lambda s, p: 1), "scores must add up to zero"),
        (broken(score=lambda s, p: 0.5 if p else -0.5), "score(0) must be +1, 0 or -1"),
        (broken(actions=lambda s: [2, 1, 0][: s.left]), "must be ascending"),
        (broken(actions=lambda s: []), "actions() is empty although the game is not over"),
        (broken(actions=lambda s: [0]), "actions() must be empty once the game is over"),
        (broken(actions=lambda s: [5] if s.left else []), "not below num_actions, which is 3"),
        (broken(actions=lambda s: ["a"] if s.left else []), "whole numbers"),
        (broken(over=lambda s: s.left == 0), "over must be a property"),
        (broken(play=lambda s, a: None), "play() must return the next state"),
        (broken(play=lambda s, a: setattr(s, "left", s.left - 1) or s), "leave the old one as it is"),
        (broken(write=staticmethod(lambda a: "x"), read=staticmethod(lambda t: 0)), "reads as another"),
    ],
)
def test_a_broken_game_is_told_what_is_wrong(game, complaint):
    with pytest.raises(BrokenGame, match=re.escape(complaint)):
        check_game(game, games=50)


def test_a_game_that_changes_the_old_state_is_found_out():
    class Shared(Subtract):
        def play(self, action):
            following = Shared(self.left - action - 1, 1 - self.player)
            self.left = following.left
            return following

    with pytest.raises(BrokenGame, match="changed the state it was called on"):
        check_game(Shared, games=50)


def test_a_class_without_the_five_members_is_no_game():
    with pytest.raises(BrokenGame, match="has no member player, over, score, actions, play"):
        ludus.make(int)


class Fair:
    """Broken in ways that only compiled code meets."""

    def __init__(self, **members):
        self.__dict__.update(members)


@pytest.mark.parametrize(
    "members, complaint",
    [
        ({}, "has no member"),
        ({"over": False, "actions": lambda: 3}, "must return a list of whole numbers"),
        ({"over": False, "actions": lambda: [-1]}, "an action is a whole number from 0 up"),
        ({"over": False, "actions": lambda: []}, "is empty although"),
        ({"over": False, "actions": lambda: [0], "play": lambda a: None}, "must return the next state"),
        ({"over": True, "score": lambda p: "won"}, "score\\(\\) must return a number"),
        ({"over": True, "score": lambda p: 30}, "between -1 and \\+1"),
    ],
)
def test_compiled_code_names_what_a_python_state_lacks(members, complaint):
    with pytest.raises(BrokenGame, match=complaint):
        ludus.rollouts(Fair(**members), 1, ludus.Rng())


def test_an_error_inside_a_python_game_comes_through():
    def fail():
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        ludus.rollouts(Fair(over=False, actions=fail), 1, ludus.Rng())
