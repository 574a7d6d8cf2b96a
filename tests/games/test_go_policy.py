"""What a Go player knows before looking ahead: quick play and hints."""

from collections import Counter

import pytest

import ludus
from ludus import _core
from ludus.search.mcts import Mcts, MctsSettings, Rave, Rollout

go5 = ludus.make("go", size=5)
quick = MctsSettings(judge=Rollout("quick")).native()


def answers(moves, draws=200):
    """How often quick play chooses what, after some moves on 5x5."""
    state, rng = go5.after(moves), ludus.Rng(1)
    return Counter(go5.write(_core.playout_action(state, quick, rng)) for _ in range(draws))


def bets(state):
    """The game's own bets on the actions, as a search begins with them."""
    search = Mcts(state, MctsSettings(Rave(hints=True)), ludus.Rng(1))
    search.run(1)
    return {go5.write(child.action): child.amaf_visits * child.amaf_value for child in search.children()}


def test_a_stone_that_was_set_into_atari_is_taken():
    """White A1 has one liberty left: A2."""
    assert answers("B1 E5 E4 A1")["A2"] > 170


def test_a_stone_that_was_put_into_atari_runs():
    """White has just closed in on A1."""
    assert answers("A1 B1")["A2"] > 170


def test_a_threatened_stone_is_saved_by_taking_the_enemy_beside_it():
    """
    . . .
    X O .    Black A2 is in atari, but so is White A1
    O . .
    """
    assert answers("A2 A1 E5 B2")["B1"] > 170


def test_a_touching_stone_is_answered_by_a_good_shape():
    """
    . x X x .
    . x O x .    the hanes, either way
    """
    seen = answers("C3 C2")
    assert seen["B3"] + seen["D3"] + seen["B2"] + seen["D2"] > 170


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_quick_play_is_always_legal_and_comes_to_an_end(size):
    game, rng = ludus.make("go", size=size), ludus.Rng(size)
    for _ in range(3):
        state = game.start()
        while not state.over:
            action = _core.playout_action(state, quick, rng)
            assert action in state.actions()
            state = state.play(action)


def test_quick_play_passes_when_only_own_eyes_are_left():
    state = go5.read_board(". X . X X\nX X X X X\nX X X X X\nX X X X X\nX X X X X", player=0)
    assert go5.write(_core.playout_action(state, quick, ludus.Rng(1))) == "pass"


def test_hints_like_captures_and_dislike_own_eyes_and_self_atari():
    state = go5.read_board(
        """
        . X . . .
        X X . . .
        . . . O .
        X . O . O
        O . . O .
    """,
        player=0,
    )
    bet = bets(state)
    assert bet["B1"] > 10  # takes A1
    assert bet["A5"] < 0 and bet["pass"] < 0  # an own eye; nothing to gain
    assert bet["E3"] < 0  # would have one liberty left


def test_hints_prefer_what_is_near_the_last_stone():
    bet = bets(go5.after("A1"))
    assert bet["B2"] > bet["E5"]


def test_games_without_hints_search_as_well():
    state = ludus.make("connect_four").after("4 1 4 1 4 2")
    search = Mcts(state, MctsSettings(Rave(hints=True), solver=True), ludus.Rng(1))
    search.run(2000)
    assert search.best().action == 3
