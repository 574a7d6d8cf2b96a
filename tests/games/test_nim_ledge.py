"""Nim and Ledge against tiny rules written here again, from scratch, with lists."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadOption


@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 1), st.randoms(use_true_random=False))
def test_nim_against_plain_rules(stones, most, starter, dice):
    state, left, player = ludus.make("nim", stones=stones, most=most, starter=starter).start(), stones, starter
    while left:
        assert not state.over and state.player == player
        assert [a + 1 for a in state.actions()] == [k for k in range(1, most + 1) if k <= left]
        take = dice.choice(state.actions()) + 1
        state, left, player = state.play(take - 1), left - take, 1 - player
    assert state.over and state.score(1 - player) == 1 and state.score(player) == -1


def ledge_moves(board):
    """All moves on a list of 0 (empty), 1 (copper), 2 (gold), as (from, to); (0, None) picks up."""
    moves = [(0, None)] if board[0] else []
    for j, coin in enumerate(board):
        i = j - 1
        while coin and i >= 0 and board[i] == 0:
            moves.append((j, i))
            i -= 1
    return moves


@st.composite
def boards(draw):
    board = draw(st.lists(st.integers(0, 1), min_size=1, max_size=20))
    board[draw(st.integers(0, len(board) - 1))] = 2
    return board


@settings(max_examples=200)
@given(boards(), st.randoms(use_true_random=False))
def test_ledge_against_plain_rules(board, dice):
    game = ludus.make("ledge", coins=board)
    state, player = game.start(), 0
    while True:
        assert state.cells() == board and state.player == player and not state.over
        moves = {"take" if to is None else f"{start}-{to}": (start, to) for start, to in ledge_moves(board)}
        assert {game.write(a) for a in state.actions()} == set(moves)
        word = dice.choice(sorted(moves))
        start, to = moves[word]
        taken, board[start] = board[start], 0
        state, player = state.play(game.read(word)), 1 - player
        if to is None and taken == 2:
            break
        if to is not None:
            board[to] = taken
    assert state.over and state.score(1 - player) == 1 and state.actions() == []


def test_a_coin_does_not_hop():
    game = ludus.make("ledge", coins=". . c . . G")
    assert [game.write(a) for a in game.start().actions()] == ["2-0", "2-1", "5-3", "5-4"]


def test_taking_copper_goes_on_and_taking_gold_wins():
    state = ludus.make("ledge", coins="c G").after("take 1-0")
    assert not state.over and state.player == 0
    state = state.play(0)
    assert state.over and state.score(0) == 1


@pytest.mark.parametrize("board", ["", "c c", "G G", "G x", ". " * 64 + "G", 7, [0, 3], ["a"]])
def test_texts_that_are_no_boards_are_refused(board):
    with pytest.raises(BadOption):
        ludus.make("ledge", coins=board)


def test_a_list_makes_a_board():
    assert ludus.make("ledge", coins=[0, 1, 2]) == ludus.make("ledge", coins=". c G")
