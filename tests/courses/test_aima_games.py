"""The notebook's games: boards, Tic-tac-toe, Connect Four, playing, and the players that are no searches."""

import copy
import pickle
import random

import pytest

from ludus.courses import aima
from ludus.courses.aima import (
    Board,
    ConnectFour,
    Game,
    TicTacToe,
    alphabeta_search,
    k_in_row,
    play_game,
    player,
    query_player,
    random_player,
)
from ludus.errors import IllegalAction, LudusError
from tests.courses.aima_games import LastOne, board

# ------------------------------------------------------------------------------------------------------ boards


def test_a_board_reads_empty_and_outside_squares_without_storing_them():
    made = Board(3, 2, to_move="X", utility=0)
    assert (made[0, 0], made[2, 1], made[3, 0], made[0, 2], made[-1, 0]) == (".", ".", "#", "#", "#")
    assert len(made) == 0 and (made.empty, made.off) == (".", "#")
    assert Board().width == Board().height == 8 and Board().to_move is None


def test_new_changes_squares_and_keeps_only_the_size_and_what_is_given():
    first = Board(width=3, height=2, to_move="X", utility=0, note="opening")
    second = first.new({(1, 0): "X"}, to_move="O")
    assert dict(first) == {} and dict(second) == {(1, 0): "X"}
    assert vars(second) == {"width": 3, "height": 2, "to_move": "O"}
    assert first.new({}).to_move is None


def test_equality_ignores_whose_turn_it_is_and_the_hash_does_not():
    one, other = Board(3, 3, to_move="X"), Board(3, 3, to_move="O")
    for made in (one, other):
        made[1, 1] = "X"
    assert one == other and hash(one) != hash(other)
    assert hash(one) == hash(one.new({}, to_move="X")) and one != one.new({(0, 0): "O"}, to_move="X")


def test_the_text_of_a_board_ends_with_a_line_end():
    made = Board(3, 2, to_move="O").new({(0, 1): "X", (2, 0): "O"})
    assert repr(made) == str(made) == ". . O\nX . .\n"


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b)), Board.copy])
def test_copies_keep_the_size_and_the_turn(way):
    made = ConnectFour().result(ConnectFour().initial, (3, 5))
    again = way(made)
    assert again == made and vars(again) == vars(made) and again is not made and type(again) is Board


class Wide(Board):
    """A student's board with another constructor."""

    def __init__(self, name, **kwds):
        super().__init__(9, 2, **kwds)
        self.name = name


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
def test_copies_of_a_students_board_are_of_its_class(way):
    made = Wide("mine", to_move="O")
    made[8, 1] = "X"
    again = way(made)
    assert type(again) is Wide and again == made and vars(again) == vars(made)
    again[0, 0] = "O"
    assert made[0, 0] == "."


# ------------------------------------------------------------------------------------------------------- rules


def test_a_line_goes_through_a_square_on_which_the_player_stands():
    made = Board(4, 2).new({(0, 0): "X", (1, 0): "X", (3, 0): "X"})
    assert k_in_row(made, "X", (0, 0), 2) and not k_in_row(made, "X", (0, 0), 3)
    assert not k_in_row(made, "X", (2, 0), 1) and not k_in_row(made, "X", (2, 0), 4)  # nobody is there yet


def test_a_game_of_tic_tac_toe():
    game = TicTacToe()
    assert game.squares == game.actions(game.initial) == {(x, y) for x in range(3) for y in range(3)}
    state = game.initial
    for square in [(0, 0), (1, 1), (1, 0), (2, 2), (2, 0)]:
        assert not game.is_terminal(state)
        state = game.result(state, square)
    assert str(state) == "X X X\n. O .\n. . O\n"
    assert game.is_terminal(state) and state.utility == 1 and state.to_move == "O"
    assert (game.utility(state, "X"), game.utility(state, "O")) == (1, -1)
    assert game.actions(state) == {(0, 1), (2, 1), (0, 2), (1, 2)}  # an end does not take squares away


def test_a_full_board_is_a_draw():
    game = TicTacToe(height=1, width=3, k=2)
    state = game.result(game.result(game.initial, (1, 0)), (0, 0))
    assert game.is_terminal(game.result(state, (2, 0))) and game.result(state, (2, 0)).utility == 1
    small = TicTacToe(height=1, width=2, k=2)
    end = small.result(small.result(small.initial, (0, 0)), (1, 0))
    assert small.is_terminal(end) and end.utility == 0


def test_connect_four_drops_stones_to_the_lowest_empty_square():
    game = ConnectFour()
    assert isinstance(game, TicTacToe) and isinstance(game, Game)
    assert (game.initial.width, game.initial.height, game.k, game.initial.to_move) == (7, 6, 4, "X")
    assert game.actions(game.initial) == {(x, 5) for x in range(7)}
    state = game.result(game.initial, (3, 5))
    assert game.actions(state) == {(x, 5) for x in range(7) if x != 3} | {(3, 4)}
    for y in (4, 3, 2, 1, 0):
        state = game.result(state, (3, y))
    assert game.actions(state) == {(x, 5) for x in range(7) if x != 3}


@pytest.mark.parametrize(
    ("drawing", "move", "utility"),
    [
        (". . . . . . .\n" * 5 + "X X X . O O O", (3, 5), 1),
        (". . . . . . .\n" * 2 + "X . . . . . .\n" * 3 + "O O O . . . .", (0, 1), 1),
        (". . . . . . .\n. . . . . . .\n. . . . . . .\n. . X O . . .\n. X O O . . .\nX O X X . O .", (3, 2), 1),
        (". . . . . . .\n. . . . . . .\nO . . . . . .\nX O . . . . .\nO X O . . . .\nX O X . . . .", (3, 5), 0),
    ],
)
def test_four_in_a_line_in_every_direction_win(drawing, move, utility):
    game = ConnectFour()
    assert game.result(board(drawing, "X"), move).utility == utility


def test_four_on_a_falling_diagonal_win_for_o():
    game = ConnectFour()
    state = board(". . . . . . .\n. . . . . . .\nO . . . . . .\nX O . . . . .\nO X O . . . .\nX O X . X . .", "O")
    assert game.result(state, (3, 5)).utility == -1


@pytest.mark.parametrize("square", [(3, 4), (3, 6), (7, 5), None])
def test_squares_that_are_no_moves_are_refused_with_a_sentence(square):
    game = ConnectFour()
    with pytest.raises(IllegalAction, match="legal are"):
        game.result(game.initial, square)


def test_a_taken_square_is_refused():
    game = TicTacToe()
    with pytest.raises(IllegalAction, match=r"\(1, 1\) is not an empty square"):
        game.result(game.result(game.initial, (1, 1)), (1, 1))


# ----------------------------------------------------------------------------------------------------- playing


def test_a_star_import_gives_every_name_of_the_notebook():
    names = (
        "Board ConnectFour CountCalls Game TicTacToe alphabeta_search alphabeta_search_tt cache cache1 cutoff_depth "
        "h_alphabeta_search infinity k_in_row minimax_search minimax_search_tt play_game player random_player report"
    )
    assert set(names.split()) <= set(aima.__all__) and all(hasattr(aima, name) for name in aima.__all__)


def script(*moves):
    """A strategy that plays these moves."""
    left = list(moves)
    return lambda game, state: left.pop(0)


def test_play_game_returns_the_last_state_and_prints_every_move_if_asked(capsys):
    game = TicTacToe(height=2, width=2, k=2)
    end = play_game(game, {"X": script((0, 0), (1, 1)), "O": script((1, 0))}, verbose=True)
    assert end.utility == 1 and end == {(0, 0): "X", (1, 0): "O", (1, 1): "X"}
    expected = (
        "Player X move: (0, 0)\nX .\n. .\n\nPlayer O move: (1, 0)\nX O\n. .\n\nPlayer X move: (1, 1)\nX O\n. X\n\n"
    )
    assert capsys.readouterr().out == expected
    play_game(game, {"X": script((0, 0), (1, 1)), "O": script((1, 0))})
    assert capsys.readouterr().out == ""


def test_a_player_without_a_strategy_is_named():
    with pytest.raises(LudusError, match="nobody plays 'O'; there are strategies for 'X'"):
        play_game(TicTacToe(), {"X": random_player})


def test_random_players_play_the_same_again_after_the_same_seed():
    def games():
        random.seed(5)
        return [play_game(ConnectFour(), {"X": random_player, "O": random_player}) for _ in range(5)]

    assert games() == games()


def test_our_strategies_take_the_game_and_the_state_in_either_order(monkeypatch):
    game = TicTacToe(height=1, width=2, k=2)
    state = game.result(game.initial, (0, 0))
    monkeypatch.setattr("builtins.input", lambda prompt: "1 0")
    for strategy in (random_player, query_player, player(alphabeta_search), player("greedy")):
        assert strategy(game, state) == strategy(state, game) == (1, 0)


# ---------------------------------------------------------------------------------------------------- a person


def asked(monkeypatch, *answers):
    left = list(answers)

    def answer(prompt):
        assert prompt == "Your move? "
        if not left:
            raise EOFError
        return left.pop(0)

    monkeypatch.setattr("builtins.input", answer)


@pytest.mark.parametrize("typed", ["(3, 5)", "3,5", " 3 5 ", "(3,5", "3"])
def test_query_player_shows_the_board_and_the_legal_moves_and_reads_one(monkeypatch, capsys, typed):
    asked(monkeypatch, typed)
    game = ConnectFour()
    assert query_player(game, game.initial) == (3, 5)
    shown = capsys.readouterr().out
    assert shown.startswith("current state:\n. . . . . . .\n")
    assert "available moves: [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (6, 5)]\n\n" in shown


def test_query_player_asks_again_until_a_legal_move_is_typed(monkeypatch, capsys):
    asked(monkeypatch, "", "9", "(3, 4)", "__import__('os').getcwd()", "1", "1 0")
    assert query_player(TicTacToe(), TicTacToe().initial) == (1, 0)
    shown = capsys.readouterr().out
    assert "'9' is not a legal move; choose one of [(0, 0)," in shown
    assert "'1' may be any of [(1, 0), (1, 1), (1, 2)]" in shown
    assert shown.count("is not a legal move") == 4


def test_query_player_reads_words_and_says_when_the_input_ends(monkeypatch, capsys):
    game = LastOne()
    asked(monkeypatch, "three", "Two")
    assert query_player(game, game.initial) == "two"
    assert "available moves: ['one', 'two']" in capsys.readouterr().out
    assert query_player(game, LastOne(0).initial) is None
    assert capsys.readouterr().out.endswith("available moves: []\n\nno legal moves: passing turn to next player\n")
    with pytest.raises(LudusError, match="the input ended"):
        query_player(game, game.initial)
