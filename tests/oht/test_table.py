"""Games as the protocols of the tournament see them: flat cells, rows and columns, players 1 and 2."""

import random

import pytest

from ludus.errors import BadOption
from ludus.games import make
from ludus.protocols.oht.table import Table, check, fits_a_record, params_of

GAMES = [("hex", {"size": 4}), ("tic_tac_toe", {}), ("connect_four", {}), ("othello", {"size": 4})]


def play_at_random(table, seed):
    """Plays a game to its end by rows and columns alone, as a client would."""
    dice = random.Random(seed)
    while not table.state.over:
        columns = table.columns
        moves = [divmod(cell, columns) for cell in range(len(table.flat()) - 1)]
        legal = [move for move in moves if table.action_at(move) is not None]
        table.play(table.action_at(dice.choice(legal)))


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("starter", [1, 2])
def test_the_starter_moves_first_and_the_cells_show_the_numbers_of_the_series(name, options, starter):
    table = Table(make(name, **options), starter)
    before = table.flat()
    assert before[0] == table.mover == starter
    action = next(iter(table.state.actions()))
    row, column = table.move_of(action)
    table.play(action)
    cell = 1 + row * table.columns + column
    assert (before[cell], table.flat()[cell]) == (0, starter)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_whole_games_by_rows_and_columns_end_with_the_winner_of_the_rules(name, options):
    for seed in range(20):
        table = Table(make(name, **options), 1 + seed % 2)
        play_at_random(table, seed)
        first = table.number_of(0)
        by_rules = {1.0: first, -1.0: 3 - first, 0.0: 0}[table.state.score(0)]
        assert table.winner == by_rules
        assert table.game.after(table.actions).score(0) == table.state.score(0)


def test_player_1_joins_the_first_and_the_last_row():
    table = Table(make("hex", size=3), 1)
    for move in [(0, 1), (0, 0), (1, 1), (1, 0), (2, 1)]:
        table.play(table.action_at(move))
    assert table.state.over and table.winner == 1
    assert table.flat()[1:] == [2, 1, 0, 2, 1, 0, 0, 1, 0]
    assert table.moves == [(0, 1), (0, 0), (1, 1), (1, 0), (2, 1)]


def test_player_2_joins_the_first_and_the_last_column_also_when_it_begins():
    table = Table(make("hex", size=3), 2)
    for move in [(1, 0), (0, 0), (1, 1), (0, 1), (1, 2)]:
        table.play(table.action_at(move))
    assert table.state.over and table.winner == 2


def test_the_neighbours_are_those_of_the_course():
    """Both (r-1, c+1) and (r+1, c-1) touch (r, c); (r+1, c+1) does not."""
    joined = Table(make("hex", size=3), 1)
    for move in [(0, 2), (0, 0), (1, 1), (1, 0), (2, 0)]:
        joined.play(joined.action_at(move))
    apart = Table(make("hex", size=3), 1)
    for move in [(0, 0), (0, 2), (1, 1), (1, 2), (2, 2)]:
        apart.play(apart.action_at(move))
    assert joined.state.over and not apart.state.over


@pytest.mark.parametrize("move", [(-1, 0), (0, -1), (0, 3), (3, 0), (10**6, 0), (0, 10**6)])
def test_what_is_off_the_board_is_no_move(move):
    assert Table(make("hex", size=3), 1).action_at(move) is None


def test_a_taken_cell_is_no_move():
    table = Table(make("hex", size=3), 1)
    table.play(table.action_at((1, 1)))
    assert table.action_at((1, 1)) is None


def test_only_the_lowest_free_cell_of_a_column_is_a_move_in_connect_four():
    table = Table(make("connect_four"), 1)
    assert table.action_at((5, 3)) == 3 and table.action_at((4, 3)) is None
    table.play(3)
    assert table.action_at((5, 3)) is None and table.action_at((4, 3)) == 3


def test_a_forced_pass_is_played_for_the_player():
    game = make("othello", size=4)
    passes = 0
    for seed in range(50):
        table = Table(game, 1)
        play_at_random(table, seed)
        passes += len(table.actions) - len(table.moves)
    assert passes > 0


@pytest.mark.parametrize(
    ("name", "options"), [("go", {"size": 5}), ("nim", {}), ("ledge", {}), ("hex", {"size": 5, "swap": True})]
)
def test_games_that_do_not_fit_are_refused(name, options):
    with pytest.raises(BadOption, match="does not fit"):
        check(make(name, **options))


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_games_that_fit_are_accepted(name, options):
    check(make(name, **options))


def test_clients_are_told_the_size_or_rows_and_columns():
    assert params_of(make("hex", size=6)) == [6]
    assert params_of(make("connect_four")) == [6, 7]


def test_a_board_of_18_fits_a_record_of_the_text_protocol_and_one_of_19_does_not():
    assert fits_a_record(make("hex", size=18)) and not fits_a_record(make("hex", size=19))


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_move_means_the_action_whose_cell_it_is_on_the_board(name, options):
    """Looking it up without a board, which is slow to make, comes to the same."""
    dice = random.Random(5)
    for seed in range(10):
        table = Table(make(name, **options), 1 + seed % 2)
        while not table.state.over:
            by_cell = {cell: action for action, cell in table.game.board(table.state).cell_of.items()}
            assert by_cell, "a position in which nothing can be chosen was not played on"
            for cell in range(-1, len(table.flat()) + table.columns):
                assert table.action_at(divmod(cell, table.columns)) == by_cell.get(cell)
            table.play(by_cell[dice.choice(sorted(by_cell))])
