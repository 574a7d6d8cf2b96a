"""Playing on the board of the page in a real browser: by mouse, finger and keyboard."""

from collections import deque

import pytest

import ludus
from ludus.web.layout import position_of
from tests.test_contract import GAMES
from tests.web.board_page import EXAMPLES, cell_named, click, count, example, middle_of, opened, show, shows
from tests.web.served import until

OPEN = [name for name in EXAMPLES if not example(name)["positions"][-1]["over"]]


# ------------------------------------------------------------------------------------------------ by mouse and finger


@pytest.mark.parametrize("name", OPEN)
def test_a_click_in_a_cell_plays_its_action_and_a_button_plays_the_others(boards, name):
    show(boards, name)
    position = example(name)["positions"][-1]
    for action, cell in list(position["cell_of"].items())[::5]:
        click(boards, cell)
        assert boards.evaluate("window.played.splice(0)") == [int(action)]
    for action in position["others"]:
        boards.click(f".board-others [data-action='{action}']")
        assert boards.evaluate("window.played.splice(0)") == [action]
    assert boards.evaluate("window.refused") == []


def test_others_are_called_as_people_call_them(boards):
    show(boards, "go")
    assert boards.locator(".board-others").inner_text() == "Pass"
    show(boards, "hex swap")
    assert boards.locator(".board-others").inner_text() == "Swap sides"


def test_a_button_that_is_pressed_while_the_machine_thinks_is_clicked(boards):
    """Thoughts come several times a second; the button on which the mouse is down stays the same."""
    show(boards, "go")
    box = boards.locator(".board-others button").bounding_box()
    boards.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    boards.mouse.down()
    boards.evaluate("view.heat({ 81: { share: 1, win: 0.4, proven: null } })")
    boards.mouse.up()
    assert until(boards, "window.played") == [81]
    assert boards.locator(".board-others").text_content() == "Pass40, wins 40 percent"


def test_a_click_anywhere_in_a_column_drops_a_disc_into_it(boards):
    show(boards, "connect_four")
    click(boards, 3)  # the top cell of column 4
    click(boards, 38)  # a disc that lies in column 4
    assert boards.evaluate("window.played") == [3, 3]


def test_a_coin_is_taken_up_first_and_then_put_down(boards):
    show(boards, "ledge", 0)
    click(boards, 6)
    shows(boards, ".target", 2)
    assert boards.evaluate("window.played") == []
    click(boards, 4)
    game = ludus.make("ledge")
    assert boards.evaluate("window.played") == [game.read("6-4")]


def test_where_several_moves_end_in_one_cell_buttons_ask_which(boards):
    show(boards, "hex")
    boards.evaluate("view.show(view.layout, { ...view.position, cell_of: { 0: 0, 1: 0 } })")
    click(boards, 0)
    assert boards.evaluate("window.played") == []
    boards.click(".board-others [data-action='1']")
    assert boards.evaluate("window.played") == [1]


# Writes down which cells begin to shake, since a shake may be over before anybody looks.
SHAKEN = """window.shaken = [];
document.addEventListener("animationstart", ({ target }) => {
  if (target.matches(".shakes[data-cell]")) window.shaken.push(target.dataset.cell);
});"""


@pytest.mark.parametrize(
    "name, cell, sentence",
    [
        ("hex", "d4", "There is a stone already."),
        ("othello", "d3", "There is a disc already."),
        ("othello", "a8", "A disc here would turn none over."),
        ("hex won", "a1", "The game is over."),
        ("nim", "1", "You cannot take that many at once."),
        ("nim", "15", "There is nothing to take here."),
        ("ledge", "2", "This coin cannot move now."),
        ("ledge", "11", "No coin can slide to here."),
    ],
)
def test_a_cell_that_cannot_be_played_shakes_its_head_and_says_why(boards, name, cell, sentence):
    show(boards, name)
    cell = cell_named(name, cell)
    boards.evaluate(SHAKEN)
    click(boards, cell)
    assert boards.evaluate("window.refused") == [sentence] and boards.evaluate("window.played") == []
    until(boards, "window.shaken", lambda shaken: str(cell) in shaken)
    assert boards.locator("[aria-live]").inner_text() == sentence
    boards.wait_for_selector(".shakes", state="detached")


def test_nobody_plays_when_it_is_not_their_turn(boards):
    show(boards, "hex", playable=False)
    click(boards, 0)
    assert boards.evaluate("window.played") == [] and boards.evaluate("window.refused") == ["It is not your turn."]
    boards.mouse.move(*middle_of(boards, 1))
    assert count(boards, ".layer-preview .ghost") == 0


def test_a_legal_move_shows_under_the_pointer_and_only_there(boards):
    show(boards, "hex")
    assert count(boards, ".ghost") == 0
    boards.mouse.move(*middle_of(boards, 0))
    shows(boards, ".layer-preview .ghost.p0[data-at='0']")
    shows(boards, ".ghost")
    boards.mouse.move(*middle_of(boards, cell_named("hex", "d4")))  # a stone stands there
    shows(boards, ".ghost", 0)
    show(boards, "nim")
    boards.mouse.move(*middle_of(boards, 7))
    shows(boards, ".leaving", 3)
    show(boards, "ledge", 0)
    boards.mouse.move(*middle_of(boards, 4))
    shows(boards, ".ghost.copper[data-at='4']")
    shows(boards, ".leaving[data-at='6']")


def test_a_finger_plays_at_once_in_a_large_cell_and_aims_first_in_a_small_one(browser, address):
    with opened(browser, address, viewport={"width": 390, "height": 700}, has_touch=True) as page:
        show(page, "hex")
        page.touchscreen.tap(*middle_of(page, 0))  # the browser makes a click of it a moment later
        assert until(page, "window.played") == [0]
        page.evaluate("window.played = []")
        show(page, "go 19")
        for cell in (100, 101):
            page.touchscreen.tap(*middle_of(page, cell))
            shows(page, f".ghost[data-at='{cell}']")
            assert page.evaluate("window.played") == []
        page.touchscreen.tap(*middle_of(page, 101))
        assert until(page, "window.played") == [101]


# -------------------------------------------------------------------------------------------------------- by keyboard


def paths(near, start):
    """The keys that lead from one cell to each of the others."""
    found, queue = {start: []}, deque([start])
    while queue:
        cell = queue.popleft()
        for key, other in near[cell].items():
            if other not in found:
                found[other] = [*found[cell], key]
                queue.append(other)
    return found


ARROW_MAP = """async ([layout, labels, options]) => {
  const { shownAs } = await import("/static/board_geometry.js");
  const { arrowMap } = await import("/static/board_keys.js");
  return arrowMap(shownAs(layout, labels, { coordinates: true, ...options }).cells);
}"""


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("flipped", [False, True])
def test_arrows_lead_from_every_cell_to_every_other_on_every_board(boards, flat, flipped):
    for name, options, _ in GAMES:
        game = ludus.make(name, **options)
        layout, position = position_of(game, game.start())
        told = [layout, position["labels"], {"flat": flat, "flipped": flipped}]
        near = boards.evaluate(ARROW_MAP, told)
        for start in {0, len(near) // 2, len(near) - 1}:
            assert len(paths(near, start)) == len(layout["cells"]), (name, options)


def test_arrows_lead_to_scattered_cells_too(boards):
    places = [(0, 0), (3, 1), (1, 4), (5, 5), (2, 2.2), (9, 0.3), (8, 7)]
    cells = [{"name": str(i), "x": x, "y": y, "outline": [[x, y]]} for i, (x, y) in enumerate(places)]
    layout = {"cells": cells, "sides": [], "lines": [], "dots": [], "signs": None, "turned": 0}
    near = boards.evaluate(ARROW_MAP, [layout, [], {}])
    assert all(len(paths(near, start)) == len(cells) for start in range(len(cells)))


@pytest.mark.parametrize("name, flat", [("hex won", False), ("hex won", True), ("go capture", False)])
def test_the_cursor_goes_where_the_arrows_point_and_enter_plays_there(boards, name, flat):
    boards.evaluate("flat => view.options({ flat })", flat)
    show(boards, name, 0)
    boards.keyboard.press("Tab")
    layout = next(iter(example(name)["layouts"].values()))
    near = boards.evaluate(ARROW_MAP, [layout, [], {"flat": flat}])
    at = int(boards.get_attribute(".board-picture", "aria-activedescendant").split("-")[1])
    for target in range(len(layout["cells"])):
        for key in paths(near, at)[target]:
            boards.keyboard.press(key)
        at = target
        active = boards.get_attribute(".board-picture", "aria-activedescendant")
        assert boards.evaluate("id => document.getElementById(id).dataset.cell", active) == str(target)
        shows(boards, f".ghost[data-at='{target}']")
        shows(boards, ".ring:visible")
        boards.keyboard.press("Enter" if target % 2 else " ")
        assert boards.evaluate("window.played.splice(0)") == [target]


@pytest.mark.parametrize("flat", [False, True])
def test_on_hexagons_down_and_up_run_straight_and_left_and_right_go_to_the_side(boards, flat):
    show(boards, "hex", 0)
    layout = next(iter(example("hex")["layouts"].values()))
    near = boards.evaluate(ARROW_MAP, [layout, [], {"flat": flat}])
    for cell, keys in enumerate(near):
        for there, back in (("ArrowDown", "ArrowUp"), ("ArrowRight", "ArrowLeft")):
            if there in keys and len(keys) == 4:
                assert near[keys[there]][back] == cell
    neighbours = ludus.make("hex").neighbours
    assert all(other in neighbours(cell) for cell, keys in enumerate(near) for other in keys.values())


def test_other_keys_are_left_to_the_page(boards):
    show(boards, "hex")
    boards.evaluate("window.heard = []; addEventListener('keydown', (e) => heard.push([e.key, e.defaultPrevented]))")
    boards.keyboard.press("Tab")
    for key in ("u", "ArrowLeft", "Control+ArrowLeft"):
        boards.keyboard.press(key)
    assert [pair for pair in boards.evaluate("heard") if pair[0] != "Tab"] == [
        ["u", False], ["ArrowLeft", True], ["Control", False], ["ArrowLeft", False],
    ]  # fmt: skip


def test_the_cursor_of_the_keyboard_gives_way_to_the_pointer_and_comes_back(boards):
    show(boards, "hex")
    boards.keyboard.press("Tab")
    shows(boards, ".ring:visible")
    boards.mouse.move(*middle_of(boards, 0))
    shows(boards, ".ring:visible", 0)
    shows(boards, ".ghost[data-at='0']")
    boards.keyboard.press("ArrowDown")
    shows(boards, ".ring:visible")
    shows(boards, ".ghost[data-at='0']", 0)
