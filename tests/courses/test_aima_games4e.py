"""The interface of AIMA's modules games.py and games4e.py: other squares, other orders of arguments, other results."""

import random

import pytest

from ludus.courses.aima.games4e import (
    ConnectFour,
    Fig52Game,
    GameState,
    TicTacToe,
    alpha_beta_cutoff_search,
    alpha_beta_player,
    alpha_beta_search,
    alphabeta_cutoff_search,
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


@pytest.mark.parametrize("search", [minimax_decision, alphabeta_search, alphabeta_cutoff_search])
def test_the_tree_of_the_book_has_the_value_3_by_its_first_move(search, capsys):
    game = Fig52Game()
    assert [search(state, game) for state in "ABCD"] == ["a1", "b1", "c1", "d3"]
    assert game.play_game(*[lambda game, state: search(state, game)] * 2) == 3


def test_a_cutoff_search_stops_behind_d_moves_and_takes_the_evaluation():
    game, asked = Fig52Game(), []

    def value(state):
        asked.append(state)
        return {"B": 1, "C": 5, "D": 3}.get(state, 0)

    assert alphabeta_cutoff_search("A", game, d=0, eval_fn=value) == "a2" and asked == ["B", "C", "D"]
    assert alpha_beta_cutoff_search is alphabeta_cutoff_search
    depths = set()

    def test(state, depth):
        depths.add(depth)
        return game.terminal_test(state)

    assert alphabeta_cutoff_search("A", game, 0, test) == "a1" and depths == {1, 2}  # the test takes the place of d


def test_a_cutoff_search_wins_and_defends_connect_four():
    game = ConnectFour()
    state = game.initial
    for move in [(1, 1), (7, 1), (2, 1), (7, 2), (3, 1)]:
        state = game.result(state, move)
    assert alphabeta_cutoff_search(state, game, d=2) == (4, 1)
    assert alphabeta_cutoff_search(state._replace(to_move="X"), game, d=1) == (4, 1)


def test_a_finished_game_has_no_move():
    game = TicTacToe(h=1, v=1, k=1)
    end = game.result(game.initial, (1, 1))
    assert end.utility == 1
    for search in (minimax_decision, alphabeta_search, alphabeta_cutoff_search, monte_carlo_tree_search):
        assert search(end, game) is None


def test_a_students_subclass_may_ask_for_lines_in_one_direction():
    game = TicTacToe(k=2)
    pair = {(1, 1): "X", (1, 2): "X"}
    assert game.k_in_row(pair, (1, 2), "X", (0, 1)) and not game.k_in_row(pair, (1, 2), "X", (1, 0))
    assert not game.k_in_row(pair, (1, 3), "X", (0, 1))  # nobody is there yet


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
