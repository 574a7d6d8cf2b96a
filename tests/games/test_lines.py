"""Tic-tac-toe and Connect Four: lines in every direction, lines that nearly are, full boards."""

import pytest

import ludus
from ludus.errors import BadBoard

connect_four = ludus.make("connect_four")
tic_tac_toe = ludus.make("tic_tac_toe")


def test_four_on_a_diagonal_wins():
    state = connect_four.read_board("""
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X O . . .
        . X O X . . .
        X O O O X . .
    """)
    assert state.over and state.score(0) == 1


def test_four_on_the_other_diagonal_wins():
    state = connect_four.after("7 6 6 5 5 4 5 4 4 1 4")
    assert state.over and state.score(0) == 1
    assert connect_four.draw(state, color=False).count("(X)") == 3  # and the last one is [X]


def test_four_upright_and_four_across_win():
    assert connect_four.after("1 2 1 2 1 2 1").score(0) == 1
    assert connect_four.after("1 7 2 7 3 6 4").score(0) == 1


def test_a_line_does_not_go_round_the_edge():
    """Three on top of a column and one at the foot of the next are no line."""
    state = connect_four.read_board("""
        X . . . . . .
        X . . . . . .
        X . . . . . .
        O . . . . . .
        O . . . . . .
        O X . . . . .
    """)
    assert not state.over


def test_a_full_board_without_a_line_is_a_draw():
    game = ludus.make("connect_four", width=4, height=4, line=4)
    state = game.read_board("""
        O O X O
        X X O X
        O O X O
        X X O X
    """)
    assert state.over and state.score(0) == 0 and state.score(1) == 0


def test_columns_of_one_digit_can_be_written_together():
    assert connect_four.after("4432") == connect_four.after("4 4 3 2")
    wide = ludus.make("connect_four", width=10, height=6)
    assert wide.after("10 1") == wide.after("10, 1")


def test_a_full_column_is_closed():
    state = connect_four.after("1 1 1 1 1 1")
    assert state.actions() == [1, 2, 3, 4, 5, 6]


def marked(plane):
    """The cells of a plane that are not 0, as a letter for the column and a number for the row from the bottom."""
    return {f"{'abcdefg'[column]}{6 - row}" for row in range(6) for column in range(7) if plane[row][column]}


def test_planes_show_cells_that_complete_a_line():
    state = connect_four.read_board("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        O . . . . . .
        O . O X . . .
        O X X X . X .
    """)  # nine stones: O to move
    *_, mine, theirs, rows = state.planes()
    assert marked(mine) == {"a4"} and marked(theirs) == {"e1"}
    assert {cell[1] for cell in marked(rows)} == set("246")  # where O plays if all other columns are full
    assert {cell[1] for cell in marked(connect_four.start().planes()[-1])} == set("135")


@pytest.mark.parametrize("width, height, line", [(5, 4, 3), (4, 4, 4), (7, 6, 4), (9, 8, 4), (6, 6, 5)])
def test_planes_agree_with_trying_every_cell(width, height, line):
    game, rng = ludus.make("connect_four", width=width, height=height, line=line), ludus.Rng(4)
    for _ in range(30):
        state = game.start()
        for _ in range(width * height // 2):
            if not state.over:
                state = state.play(rng.choice(state.actions()))
        if state.over:
            continue
        cells, planes = state.cells(), state.planes()
        for plane, stone in ((2, state.player + 1), (3, 2 - state.player)):
            for i in range(width * height):
                filled = [*cells[:i], stone, *cells[i + 1 :]]
                completes = cells[i] == 0 and has_line(filled, stone, width, height, line)
                assert planes[plane].flat[i] == completes


def has_line(cells, stone, width, height, line):
    return any(
        all(
            0 <= row + k * down < height and 0 <= column + k * right < width
            and cells[(row + k * down) * width + column + k * right] == stone
            for k in range(line)
        )
        for row in range(height) for column in range(width) for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )  # fmt: skip


@pytest.mark.parametrize("moves", ["a1 a2 b1 b2 c1", "a1 b1 a2 b2 a3", "a1 a2 b2 a3 c3", "c1 a1 b2 a2 a3"])
def test_three_in_a_row_win(moves):
    state = tic_tac_toe.after(moves)
    assert state.over and state.score(0) == 1 and state.actions() == []


def test_five_in_a_row_on_a_large_board():
    game = ludus.make("tic_tac_toe", width=15, height=15, line=5)
    assert not game.after("a1 a2 b1 b2 c1 c2 d1 d2").over
    assert game.after("a1 a2 b1 b2 c1 c2 d1 d2 e1").score(0) == 1
    assert not game.after("m1 a5 n1 b5 o1 c5 a2 d6 b2 e6").over  # round the edge is no line


def test_stones_must_stand_on_something():
    with pytest.raises(BadBoard, match="hangs in the air"):
        ludus.make("connect_four", width=2, height=2, line=2).read_board("X .\n. .")


def test_turns_must_fit_the_stones():
    with pytest.raises(BadBoard, match="3 X and 0 O"):
        tic_tac_toe.read_board("X X .\n. . .\n. . X")
    with pytest.raises(BadBoard, match="turn of player 1"):
        tic_tac_toe.read_board("X . .\n. . .\n. . .", player=0)
