"""Pictures and maps that are made from boards with matplotlib, and the curves of a tournament."""

import pytest
from matplotlib.figure import Figure

import ludus
from ludus.show.board_picture import draw_board
from ludus.show.openings import openings_map, openings_plot
from ludus.show.plots import strength_plot
from tests.games.test_board import SMALL, random_states
from tests.python_games import Subtract


@pytest.mark.parametrize("name, options", SMALL, ids=str)
def test_a_board_is_drawn_with_its_heat_and_labels(name, options):
    game = ludus.make(name, **options)
    *_, before, _ = random_states(game, 1)
    board = game.board(before)
    axes = Figure().add_subplot()
    heat = dict.fromkeys(before.actions(), 1.0)
    draw_board(axes, board, heat, {a: f"<{a}>" for a in heat}, before.actions()[0], "a title")
    written = " ".join(text.get_text() for text in axes.texts)
    assert all(f"<{action}>" in written for action in before.actions())
    assert all(label.text in written for label in board.labels) and axes.get_title() == "a title"
    circles = [patch for patch in axes.patches if type(patch).__name__ == "Circle"]
    assert len(circles) == len(board.pieces) + len(board.last)


def test_the_map_of_openings_of_hex_is_the_diamond():
    game = ludus.make("hex", size=3)
    true = {a: 1 if game.write(a) in ("c1", "a2", "b2", "c2", "a3") else -1 for a in range(9)}
    assert openings_map(game, dict.fromkeys(true, 0.0) | {8: 0.5}, true).splitlines() == [
        "    believed    true",
        "      =           -",
        "     = =         + -",
        "    = = =       + + +",
        "     = =         - +",
        "      +           -",
        "    for X, who moves first: + this move wins, - it loses, = even",
    ]


def test_the_map_of_openings_names_moves_that_are_not_cells():
    drop = openings_map(ludus.make("connect_four", width=4, height=3, line=3), dict.fromkeys(range(4), 0.2), {
        0: -1, 1: 0, 2: 1, 3: 1})  # fmt: skip
    assert "    + + + +     - = + +\n" in drop
    nim = openings_map(ludus.make("nim", starter=1), dict.fromkeys(range(3), 0.2), {0: -1, 1: -1, 2: 1})
    assert "1 +  2 +  3 +    1 -  2 -  3 +" in nim and "for player 1, who moves first" in nim
    go = openings_map(ludus.make("go", size=2), dict.fromkeys(range(5), 0.2), dict.fromkeys(range(5), -1))
    assert "    pass +      pass -\n" in go
    own = openings_map(ludus.make(Subtract), dict.fromkeys(range(3), 0.2), dict.fromkeys(range(3), -1))
    assert "0 +  1 +  2 +" in own


def test_plots_are_pngs():
    for game in (ludus.make("hex", size=4), ludus.make("nim"), ludus.make(Subtract)):
        values = dict.fromkeys(game.start().actions(), 0.5)
        assert openings_plot(game, values, values).startswith(b"\x89PNG")
    assert strength_plot([(0, -50.0, -80.0, -20.0), (100, 50.0, 20.0, 80.0)], "a title").startswith(b"\x89PNG")
