"""Boards as SVG: well-formed, described in words, everything drawn; and nothing in show/ knows a game."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludus
from ludus.errors import LudusError
from ludus.show import svg
from tests.games.test_board import SMALL, Shown, random_states
from tests.python_games import Subtract

SVG = "{http://www.w3.org/2000/svg}"
SHOW = Path(ludus.__file__).parent / "show"


def parts(text, tag, **attributes):
    found = ElementTree.fromstring(text).iter(SVG + tag)
    wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
    return [e for e in found if all(e.get(name) == value for name, value in wanted.items())]


@pytest.mark.parametrize("name, options", SMALL, ids=str)
def test_every_cell_and_piece_is_drawn_inside_the_picture(name, options):
    game = ludus.make(name, **options)
    *_, state = random_states(game, 1)
    for at in (game.start(), state):
        board, text = game.board(at), svg(at)
        width, height = (float(ElementTree.fromstring(text).get(side)) for side in ("width", "height"))
        assert max(width, height) <= 560
        assert len([e for e in parts(text, "polygon") if e.get("data-cell")]) == len(board.cells)
        pieces = [e for e in parts(text, "circle") if e.get("data-piece")]
        assert [e.get("data-player") for e in pieces] == [
            None if p.player is None else str(p.player) for p in board.pieces
        ]
        assert all(0 < float(e.get("cx")) < width and 0 < float(e.get("cy")) < height for e in pieces)
        assert len(parts(text, "circle", data_mark="last")) == len(board.last)
        assert len(parts(text, "circle", data_mark="owned")) == len(board.owners)
        assert len(parts(text, "polyline")) == len(board.sides)
        written = [e.text for e in parts(text, "text")]
        assert all(label.text in written for label in board.labels)


def test_a_picture_says_what_it_shows():
    game = ludus.make("hex", size=3)
    text = svg(game.after("b2 a1 c1 b1 a3"))
    root = ElementTree.fromstring(text)
    assert root.get("role") == "img" and root.get("aria-label") == root.find(SVG + "title").text == game.aim
    assert root.find(SVG + "desc").text == "O: a1, b1. X: c1, b2, a3. The last move: a3. The winning line: c1, b2, a3."
    assert svg(game.start(), title='<"&>').count("&lt;") == 2  # in the title and in the label, both escaped
    assert ElementTree.fromstring(svg(game.start(), title='<"&>')).find(SVG + "title").text == '<"&>'


def test_the_winning_chain_is_lit_and_sides_have_the_colours_of_the_players():
    text = svg(ludus.make("hex", size=3).after("b2 a1 c1 b1 a3"))
    lit = [e for e in parts(text, "polygon") if e.get("fill") == "#ffe68a"]
    assert [e.find(SVG + "title").text for e in lit] == ["c1", "b2", "a3"]
    assert [e.get("stroke") for e in parts(text, "polyline")] == ["#d55e00"] * 2 + ["#0072b2"] * 2


def test_letters_stand_on_warm_and_cool_stones_and_on_black_and_white_ones_only_when_asked():
    hexes, go = ludus.make("hex", size=3).after("b2 a1"), ludus.make("go", size=5).after("C3 D2")

    def letters(text):
        return {e.text for e in parts(text, "text")} & {"X", "O"}

    assert letters(svg(hexes)) == {"X", "O"} and letters(svg(hexes, letters=False)) == set()
    assert letters(svg(go)) == set() and letters(svg(go, letters=True)) == {"X", "O"}
    assert [e.get("fill") for e in parts(svg(go), "circle", data_piece="stone")] == ["#ffffff", "#2b2b2b"]  # D2, C3


def test_heat_labels_and_the_chosen_action_are_drawn():
    game = ludus.make("go", size=5)
    state = game.start()
    heat = {action: action / 25 for action in state.actions()}
    text = svg(state, heat=heat, labels={12: "53", 25: "2%"}, chosen=12)
    cells = {e.get("data-action"): e.get("fill") for e in parts(text, "polygon") if e.get("data-action")}
    assert cells["0"] == "#ffffff" and cells["25"] == "#4c9966" and len(set(cells.values())) > 20
    written = [e.text for e in parts(text, "text")]
    assert "53" in written and "pass 2%" in written
    assert len(parts(text, "polygon", data_mark="chosen")) == 1
    assert "pass" not in "".join(e.text for e in parts(svg(state), "text"))
    half = svg(state, heat={0: 0.5, 1: -0.5}, top=1.0)
    colors = [e.get("fill") for e in parts(half, "polygon") if e.get("data-action") in ("0", "1")]
    assert colors == ["#a6ccb2", "#d2acbf"]


def test_every_native_state_draws_itself_in_a_notebook():
    for name in ludus.games():
        state = ludus.make(name).start()
        assert state._repr_html_() == svg(state) and ElementTree.fromstring(state._repr_html_()).tag == SVG + "svg"


def test_a_visitors_state_is_drawn_if_it_describes_a_board():
    assert len(parts(svg(Shown().play(4)), "circle", data_piece="stone")) == 1
    with pytest.raises(LudusError, match=r"Subtract.* has no board to draw"):
        svg(Subtract())


def test_nothing_that_draws_knows_a_game():
    for path in SHOW.glob("*.py"):
        source = path.read_text()
        named = re.findall(
            rf"[\"']({'|'.join(ludus.games())})[\"']|ludus\.games\.(?!board)\w+|\.name (?:==|in)", source
        )
        assert not named, f"{path.name} knows {named}"
