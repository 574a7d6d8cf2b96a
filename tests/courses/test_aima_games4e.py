"""The interface of AIMA's modules games.py and games4e.py: other squares, other orders of arguments, other results."""

import random

import pytest

from ludus.courses.aima.games4e import (
    ConnectFour,
    Game,
    GameState,
    TicTacToe,
    alpha_beta_player,
    alpha_beta_search,
    alphabeta_player,
    alphabeta_search,
    mcts_player,
    minimax_decision,
    minmax_decision,
    minmax_player,
    monte_carlo_tree_search,
    query_player,
    random_player,
)


class Steps(Game):
    """The tree of a lecture: states are letters, leaves are worth 3 to 14, and only the game knows whose turn it is."""

    def __init__(self):
        self.initial = "A"
        self.tree = {"A": "BCD", "B": "efg", "C": "hij", "D": "klm"}
        self.worth = dict(zip("efghijklm", (3, 12, 8, 2, 4, 6, 14, 5, 2), strict=True))

    def actions(self, state):
        return list(self.tree.get(state, ""))

    def result(self, state, move):
        return move

    def utility(self, state, player):
        return self.worth[state] if player == "MAX" else -self.worth[state]

    def to_move(self, state):
        return "MAX" if state == "A" else "MIN"


def test_states_have_four_fields_and_squares_count_from_the_bottom_left():
    game = ConnectFour()
    assert GameState._fields == ("to_move", "utility", "board", "moves") and repr(game) == "<ConnectFour>"
    assert game.initial.to_move == "X" and len(game.initial.moves) == 42 and (game.h, game.v, game.k) == (7, 6, 4)
    assert game.actions(game.initial) == [(x, 1) for x in range(1, 8)]
    state = game.result(game.initial, (4, 1))
    assert state.board == {(4, 1): "X"} and state.to_move == "O" and (4, 2) in game.actions(state)
    assert game.initial.board == {} and game.result(state, (4, 1)) is state  # a taken square changes nothing


def test_the_board_is_displayed_on_its_side(capsys):
    game = TicTacToe(h=2, v=3, k=2)
    game.display(game.result(game.result(game.initial, (1, 3)), (2, 1)))
    assert capsys.readouterr().out == ". . X \nO . . \n"


def test_play_game_is_a_method_that_prints_the_end_and_returns_the_first_players_utility(capsys):
    moves = iter([(1, 1), (1, 2), (2, 2)])
    result = TicTacToe(h=2, v=2, k=2).play_game(*[lambda game, state: next(moves)] * 2)
    assert result == 1 and capsys.readouterr().out == "X O \n. X \n"


def test_searches_take_the_state_first_and_return_a_move():
    game = TicTacToe()
    state = game.initial
    for move in [(1, 1), (3, 3), (1, 2), (2, 1)]:
        state = game.result(state, move)
    random.seed(1)
    for search in (minimax_decision, minmax_decision, alphabeta_search, alpha_beta_search, monte_carlo_tree_search):
        assert search(state, game) == (1, 3)


@pytest.mark.parametrize("search", [minimax_decision, alphabeta_search])
def test_the_tree_of_the_lecture_has_the_value_3_by_its_first_move(search):
    assert search("A", Steps()) == "B" and search("C", Steps()) == "h"


def test_alphabeta_never_loses_and_uct_beats_random(capsys):
    random.seed(2)
    assert TicTacToe().play_game(alphabeta_player, alphabeta_player) == 0
    assert all(TicTacToe().play_game(random_player, alphabeta_player) <= 0 for _ in range(3))
    results = [ConnectFour().play_game(mcts_player_of(60), random_player) for _ in range(10)]
    assert results.count(1) >= 8


def mcts_player_of(count):
    return lambda game, state: monte_carlo_tree_search(state, game, N=count)


def test_players_take_the_game_first(monkeypatch, capsys):
    game = TicTacToe(h=1, v=2, k=2)
    state = game.result(game.initial, (1, 1))
    monkeypatch.setattr("builtins.input", lambda prompt: "(1, 2)")
    for player in (random_player, minmax_player, alphabeta_player, alpha_beta_player, mcts_player, query_player):
        assert player(game, state) == (1, 2)
    shown = capsys.readouterr().out
    assert shown.startswith("current state:\nX . \navailable moves: [(1, 2)]\n\n")
    assert random_player(game, game.result(state, (1, 2))) is None
