"""Boards and states as JSON: what a page needs to draw them, and ids by which it knows a layout again."""

import json

import pytest

import ludus
from ludus.play.talk import names_of
from ludus.web.layout import layout_of, position_of
from tests.python_games import Subtract
from tests.test_contract import GAMES
from tests.web.board_page import EXAMPLES, Shown, example

LAYOUT = {"id", "box", "cells", "sides", "lines", "dots", "colors", "signs", "unit", "turned", "players"}
POSITION = {
    "layout", "player", "over", "pieces", "cell_of", "others", "names", "last", "won", "owners", "labels", "aim",
    "words", "text",
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_layouts_and_positions_have_one_shape_and_are_json(name):
    told = example(name)
    assert json.loads(json.dumps(told)) == told
    for layout in told["layouts"].values():
        assert set(layout) == LAYOUT
    for position in told["positions"]:
        assert set(position) == POSITION
        assert position["layout"] in told["layouts"] or (position["layout"] is None and position["text"])


@pytest.mark.parametrize("name, options, _", [g for g in GAMES if g[1].get("size", 0) < 12], ids=str)
def test_every_legal_action_is_a_cell_or_among_the_others(name, options, _):
    game, rng = ludus.make(name, **options), ludus.Rng(3)
    state = game.start()
    while not state.over:
        layout, position = position_of(game, state)
        actions = {str(action) for action in state.actions()}
        assert {*position["cell_of"], *map(str, position["others"])} == actions == set(position["names"])
        assert all(0 <= cell < len(layout["cells"]) for cell in position["cell_of"].values())
        assert position["player"] == state.player and not position["over"]
        state = state.play(rng.choice(state.actions()))
    _, position = position_of(game, state)
    assert position["over"] and not position["cell_of"] and not position["others"]


def test_a_layout_stays_the_same_object_through_a_game_and_has_an_id_of_its_geometry():
    game = ludus.make("hex", size=5)
    first, _ = position_of(game, game.start())
    later, position = position_of(game, game.after("c3 b2"))
    assert later is first and position["layout"] == first["id"]
    others = [ludus.make("hex", size=6), ludus.make("go", size=5), ludus.make("othello", size=6)]
    ids = {first["id"], *(position_of(other, other.start())[0]["id"] for other in others)}
    ids.add(layout_of(game.board(game.start(), flat=True))["id"])
    assert len(ids) == 5


def test_the_diamond_of_hex_says_how_far_it_was_turned():
    game = ludus.make("hex", size=4)
    assert layout_of(game.board(game.start()))["turned"] == 60
    assert layout_of(game.board(game.start(), flat=True))["turned"] == 0
    assert game.board(game.start()).turned(-60).turned_by == 0


def test_what_stands_on_a_board():
    game = ludus.make("hex", size=3)
    layout, position = position_of(game, game.after("b2 a1 c1 b1 a3"))
    names = [cell["name"] for cell in layout["cells"]]
    assert {(names[cell], kind, player) for cell, kind, player in position["pieces"]} == {
        ("b2", "stone", 0), ("a1", "stone", 1), ("c1", "stone", 0), ("b1", "stone", 1), ("a3", "stone", 0),
    }  # fmt: skip
    assert [names[cell] for cell in position["last"]] == ["a3"]
    assert {names[cell] for cell in position["won"]} == {"c1", "b2", "a3"}
    assert "X: c1, b2, a3." in position["words"] and layout["signs"] == ["X", "O"]


def test_go_has_owners_at_the_end_and_a_pass_among_the_others():
    told = example("go over")
    assert told["positions"][0]["others"] == [25] and told["positions"][0]["names"]["25"] == "pass"
    assert sorted(told["positions"][-1]["owners"].values()) == [0] * 5 + [1] * 10
    assert told["positions"][-1]["labels"][0] == {"text": "A", "x": 0, "y": 4.85}


def test_a_game_without_a_board_has_a_text_and_a_list_of_moves():
    game = ludus.make(Subtract)
    layout, position = position_of(game, game.start())
    assert layout is None and position["text"] == "Subtract(left=10, player=0)"
    assert position["others"] == [0, 1, 2] and position["names"] == {"0": "0", "1": "1", "2": "2"}


def test_a_text_has_no_colours_even_in_a_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    game = ludus.make("nim")
    assert "\x1b" in game.draw(game.start())
    monkeypatch.setattr(type(game), "board", lambda self, state: None)
    _, position = position_of(game, game.start())
    assert "15 stones" in position["text"] and "\x1b" not in position["text"]


def test_a_large_heap_has_another_layout_when_its_cells_have_other_names():
    game = ludus.make("nim", stones=250, most=120)
    (one, _), (other, position) = position_of(game, game.start()), position_of(game, game.after("3"))
    assert one["id"] != other["id"] and other["cells"][-1]["name"] == "247"
    assert len(position["others"]) == 20


@pytest.mark.parametrize(
    "kind, names",
    [
        ("hex", ("Red", "Blue")),
        ("connect_four", ("Red", "Blue")),
        ("go", ("Black", "White")),
        ("othello", ("Black", "White")),
        ("nim", ("the first player", "the second player")),
        (Shown, ("the first player", "the second player")),
        (Subtract, ("the first player", "the second player")),
    ],
)
def test_what_people_call_the_players(kind, names):
    game = ludus.make(kind)
    assert names_of(game.board(game.start())) == names
