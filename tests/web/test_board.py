"""The board of the page in a real browser: clicks, keys, marks, movement, and what a screen reader is told."""

from collections import deque
from contextlib import contextmanager

import pytest

import ludus
from ludus.web.layout import position_of
from tests.test_contract import GAMES
from tests.web.board_page import EXAMPLES, example, serve

ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
OPEN = [name for name in EXAMPLES if not example(name)["positions"][-1]["over"]]


@pytest.fixture(scope="module")
def address():
    with serve() as address:
        yield address


@contextmanager
def opened(browser, address, **how):
    """The page with the boards; whatever it complains about fails the test."""
    page = browser.new_page(**({"viewport": {"width": 900, "height": 800}} | how))
    complaints = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.wait_for_function("window.ready")
    yield page
    page.close()
    assert not complaints


@pytest.fixture
def page(browser, address):
    with opened(browser, address) as page:
        yield page


def show(page, name, at=-1, **how):
    page.evaluate("([name, at, how]) => example(name, at, how)", [name, at, {"animate": False} | how])


def cell_named(name, cell):
    layout = next(iter(example(name)["layouts"].values()))
    return [c["name"] for c in layout["cells"]].index(cell)


def middle_of(page, cell):
    box = page.locator(f"[data-cell='{cell}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page, cell):
    page.mouse.click(*middle_of(page, cell))


def name_of(page, cell):
    return page.locator(f"[data-cell='{cell}']").get_attribute("aria-label")


def count(page, selector):
    return page.locator(selector).count()


# ------------------------------------------------------------------------------------------------- by mouse and finger


@pytest.mark.parametrize("name", OPEN)
def test_a_click_in_a_cell_plays_its_action_and_a_button_plays_the_others(page, name):
    show(page, name)
    position = example(name)["positions"][-1]
    for action, cell in list(position["cell_of"].items())[::5]:
        click(page, cell)
        assert page.evaluate("window.played.splice(0)") == [int(action)]
    for action in position["others"]:
        page.click(f".board-others [data-action='{action}']")
        assert page.evaluate("window.played.splice(0)") == [action]
    assert page.evaluate("window.refused") == []


def test_others_are_called_as_people_call_them(page):
    show(page, "go")
    assert page.locator(".board-others").inner_text() == "Pass"
    show(page, "hex swap")
    assert page.locator(".board-others").inner_text() == "Swap sides"


def test_a_click_anywhere_in_a_column_drops_a_disc_into_it(page):
    show(page, "connect_four")
    click(page, 3)  # the top cell of column 4
    click(page, 38)  # a disc that lies in column 4
    assert page.evaluate("window.played") == [3, 3]


def test_a_coin_is_taken_up_first_and_then_put_down(page):
    show(page, "ledge", 0)
    click(page, 6)
    assert page.evaluate("window.played") == [] and count(page, ".target") == 2
    click(page, 4)
    game = ludus.make("ledge")
    assert page.evaluate("window.played") == [game.read("6-4")]


@pytest.mark.parametrize(
    "name, cell, sentence",
    [
        ("hex", "d4", "There is a stone already."),
        ("othello", "d3", "There is a disc already."),
        ("othello", "a8", "You cannot play here now."),
        ("hex won", "a1", "The game is over."),
        ("nim", "1", "You cannot take that many at once."),
        ("nim", "15", "There is nothing to take here."),
        ("ledge", "8", "This coin cannot move now."),
        ("ledge", "11", "No coin can slide to here."),
    ],
)
def test_a_cell_that_cannot_be_played_shakes_its_head_and_says_why(page, name, cell, sentence):
    show(page, name, 0 if (name, cell) == ("ledge", "11x") else -1)
    cell = cell_named(name, cell)
    click(page, cell)
    assert page.evaluate("window.refused") == [sentence] and page.evaluate("window.played") == []
    assert "shakes" in page.locator(f"[data-cell='{cell}']").get_attribute("class")
    assert page.locator("[aria-live]").inner_text() == sentence
    page.wait_for_selector(".shakes", state="detached")


def test_nobody_plays_when_it_is_not_their_turn(page):
    show(page, "hex", playable=False)
    click(page, 0)
    assert page.evaluate("window.played") == [] and page.evaluate("window.refused") == ["It is not your turn."]
    page.mouse.move(*middle_of(page, 1))
    assert count(page, ".layer-preview .ghost") == 0


def test_a_legal_move_shows_under_the_pointer_and_only_there(page):
    show(page, "hex")
    assert count(page, ".ghost") == 0
    page.mouse.move(*middle_of(page, 0))
    assert count(page, ".layer-preview .ghost.p0[data-at='0']") == 1 and count(page, ".ghost") == 1
    page.mouse.move(*middle_of(page, cell_named("hex", "d4")))  # a stone stands there
    assert count(page, ".ghost") == 0
    show(page, "nim")
    page.mouse.move(*middle_of(page, 7))
    assert count(page, ".leaving") == 3
    show(page, "ledge", 0)
    page.mouse.move(*middle_of(page, 4))
    assert count(page, ".ghost.copper[data-at='4']") == 1 and count(page, ".leaving[data-at='6']") == 1


def test_a_finger_plays_at_once_in_a_large_cell_and_aims_first_in_a_small_one(browser, address):
    with opened(browser, address, viewport={"width": 390, "height": 700}, has_touch=True) as page:
        show(page, "hex")
        page.touchscreen.tap(*middle_of(page, 0))
        assert page.evaluate("window.played.splice(0)") == [0]
        show(page, "go 19")
        page.touchscreen.tap(*middle_of(page, 60))
        assert page.evaluate("window.played") == [] and count(page, ".ghost[data-at='60']") == 1
        page.touchscreen.tap(*middle_of(page, 61))
        page.touchscreen.tap(*middle_of(page, 61))
        assert page.evaluate("window.played") == [61]


# --------------------------------------------------------------------------------------------------------- by keyboard


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
def test_arrows_lead_from_every_cell_to_every_other_on_every_board(page, flat, flipped):
    for name, options, _ in GAMES:
        game = ludus.make(name, **options)
        layout, position = position_of(game, game.start())
        told = [layout, position["labels"], {"flat": flat, "flipped": flipped}]
        near = page.evaluate(ARROW_MAP, told)
        for start in {0, len(near) // 2, len(near) - 1}:
            assert len(paths(near, start)) == len(layout["cells"]), (name, options)


def test_arrows_lead_to_scattered_cells_too(page):
    places = [(0, 0), (3, 1), (1, 4), (5, 5), (2, 2.2), (9, 0.3), (8, 7)]
    cells = [{"name": str(i), "x": x, "y": y, "outline": [[x, y]]} for i, (x, y) in enumerate(places)]
    layout = {"cells": cells, "sides": [], "lines": [], "dots": [], "signs": None, "turned": 0}
    near = page.evaluate(ARROW_MAP, [layout, [], {}])
    assert all(len(paths(near, start)) == len(cells) for start in range(len(cells)))


@pytest.mark.parametrize("name, flat", [("hex won", False), ("hex won", True), ("go capture", False)])
def test_the_cursor_goes_where_the_arrows_point_and_enter_plays_there(page, name, flat):
    page.evaluate("flat => view.options({ flat })", flat)
    show(page, name, 0)
    page.keyboard.press("Tab")
    layout = next(iter(example(name)["layouts"].values()))
    near = page.evaluate(ARROW_MAP, [layout, [], {"flat": flat}])
    at = int(page.get_attribute(".board-picture", "aria-activedescendant").split("-")[1])
    for target in range(len(layout["cells"])):
        for key in paths(near, at)[target]:
            page.keyboard.press(key)
        at = target
        active = page.get_attribute(".board-picture", "aria-activedescendant")
        assert page.evaluate("id => document.getElementById(id).dataset.cell", active) == str(target)
        assert count(page, f".ghost[data-at='{target}']") == 1 and page.locator(".ring").is_visible()
        page.keyboard.press("Enter" if target % 2 else " ")
        assert page.evaluate("window.played.splice(0)") == [target]


@pytest.mark.parametrize("flat", [False, True])
def test_on_hexagons_down_and_up_run_straight_and_left_and_right_go_to_the_side(page, flat):
    show(page, "hex", 0)
    layout = next(iter(example("hex")["layouts"].values()))
    near = page.evaluate(ARROW_MAP, [layout, [], {"flat": flat}])
    for cell, keys in enumerate(near):
        for there, back in (("ArrowDown", "ArrowUp"), ("ArrowRight", "ArrowLeft")):
            if there in keys and len(keys) == 4:
                assert near[keys[there]][back] == cell
    neighbours = ludus.make("hex").neighbours
    assert all(other in neighbours(cell) for cell, keys in enumerate(near) for other in keys.values())


def test_other_keys_are_left_to_the_page(page):
    show(page, "hex")
    page.evaluate("window.heard = []; addEventListener('keydown', (e) => heard.push([e.key, e.defaultPrevented]))")
    page.keyboard.press("Tab")
    for key in ("u", "ArrowLeft", "Control+ArrowLeft"):
        page.keyboard.press(key)
    assert [pair for pair in page.evaluate("heard") if pair[0] != "Tab"] == [
        ["u", False], ["ArrowLeft", True], ["Control", False], ["ArrowLeft", False],
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ movement


@pytest.mark.parametrize(
    "name, at, moving",
    [
        ("hex", -1, {"comes": 1}),
        ("connect_four", -1, {"falls": 1}),
        ("othello", -1, {"comes": 1, "turns": 2}),
        ("go capture", -1, {"comes": 1, "goes": 1}),
        ("nim", -1, {"goes": 3}),
        ("ledge", -1, {"slides": 1}),
        ("ledge take", -1, {"goes": 1}),
    ],
)
def test_a_move_is_seen(browser, address, name, at, moving):
    for motion in ("no-preference", "reduce"):
        with opened(browser, address, reduced_motion=motion) as page:
            show(page, name, at - 1)
            seen = page.evaluate(
                """([name, at]) => { example(name, at, { animate: true });
                  const seen = {};
                  for (const how of ["comes", "goes", "falls", "slides", "turns"]) {
                    const many = document.querySelectorAll(`.layer-stones > .${how}`).length;
                    if (many) seen[how] = many;
                  }
                  return seen; }""",
                [name, at],
            )
            assert seen == (moving if motion == "no-preference" else {})
            page.wait_for_selector(".goes", state="detached")
            assert count(page, ".layer-stones > *") == len(example(name)["positions"][at]["pieces"])


def test_the_winning_chain_lights_up_from_one_side_to_the_other(page):
    show(page, "hex won", -2)
    show(page, "hex won", -1, animate=True)
    waits = page.evaluate("[...document.querySelectorAll('.lit.lights')].map((e) => parseInt(e.style.getPropertyValue('--wait')))")
    assert len(waits) == len(example("hex won")["positions"][-1]["won"]) == len(set(waits)) >= 5
    points = page.evaluate(
        "[...document.querySelectorAll('.lit')].map((e) => e.getBBox()).map((b) => [b.x + b.width / 2, b.y + b.height / 2])"
    )
    chain = [point for _, point in sorted(zip(waits, points, strict=True))]
    for (x, y), (right, down) in zip(chain, chain[1:], strict=False):
        assert (right - x) ** 2 + (down - y) ** 2 < 110**2  # each touches the one before


# --------------------------------------------------------------------------------------------------------- what is seen


def test_the_last_move_is_always_marked_also_where_nothing_stands(page):
    for name in ("hex", "go", "othello", "connect_four", "tic_tac_toe", "nim", "ledge", "ledge take"):
        show(page, name)
        assert count(page, ".last") == len(example(name)["positions"][-1]["last"]) > 0


def test_the_heat_map_has_one_colour_and_the_share_of_wins_in_percent(page):
    show(page, "hex swap")
    page.evaluate(
        """view.heat({ 0: { share: 0.6, win: 0.553, proven: null }, 1: { share: 0.3, win: null, proven: 1 },
                       2: { share: 0, win: 0.2, proven: null }, 25: { share: 0.1, win: 0.47, proven: null } })"""
    )
    heat = page.evaluate("[...document.querySelectorAll('.heat')].map((e) => Number(e.getAttribute('fill-opacity')))")
    assert heat == [1, 0.5, 0]
    assert page.locator(".win").all_text_contents() == ["55"] and count(page, ".proof.good") == 1
    assert name_of(page, 0) == "a1, empty, wins 55 percent" and name_of(page, 1) == "b1, empty, wins for certain"
    assert page.locator(".board-others button").inner_text().split() == ["Swap", "sides", "47", ",", "wins", "47", "percent"]
    page.evaluate("view.heat(null)")
    assert count(page, ".heat") == count(page, ".win") == count(page, ".proof") == 0


def test_proven_moves_have_marks_of_their_own(page):
    show(page, "tic_tac_toe")
    page.evaluate("view.proven({ 1: 1, 3: 0, 5: -1 })")
    assert [count(page, f".proof.{kind}") for kind in ("good", "even", "bad")] == [1, 1, 1]
    assert name_of(page, 3) == "a2, empty, a certain draw"


def test_the_expected_line_is_numbered_and_a_hint_is_marked(page):
    show(page, "hex")
    page.evaluate("view.ghosts([[0, 0, 1], [1, 1, 2], [0, 0, 3]]); view.hint(5)")
    assert page.locator(".number").all_text_contents() == ["1", "2"]
    assert count(page, ".ghost.p0") == count(page, ".ghost.p1") == count(page, ".hint") == 1
    assert name_of(page, 5).endswith("suggested")
    page.evaluate("view.ghosts(null); view.hint(null)")
    assert count(page, ".ghost") == count(page, ".hint") == 0


def test_thoughts_belong_to_their_position(page):
    show(page, "hex")
    page.evaluate("view.hint(0); view.proven({ 1: 1 })")
    show(page, "hex", playable=False)
    assert count(page, ".hint") == count(page, ".proof") == 1
    show(page, "hex", -2)
    assert count(page, ".hint") == count(page, ".proof") == 0


def test_hex_lies_flat_by_choice_and_can_be_turned_around(page):
    show(page, "hex")
    place = lambda cell: middle_of(page, cell_named("hex", cell))  # noqa: E731
    assert place("a1")[1] < place("g1")[1]
    page.evaluate("view.options({ flat: true })")
    assert place("a1")[1] == pytest.approx(place("g1")[1], abs=1) and place("a1")[0] < place("g1")[0]
    one = page.locator(".label", has_text="1").bounding_box()
    assert one["y"] + one["height"] / 2 == pytest.approx(place("a1")[1], abs=3)
    page.evaluate("view.options({ flipped: true })")
    assert place("a1")[1] > place("g7")[1]


def test_letters_and_coordinates_are_a_choice(page):
    show(page, "hex")
    assert count(page, ".piece .sign") == 0 and count(page, ".label") == 14
    page.evaluate("view.options({ letters: true, coordinates: false })")
    assert sorted(page.locator(".piece .sign").all_text_contents()) == ["O"] * 3 + ["X"] * 3
    assert count(page, ".label") == 0
    show(page, "nim")
    assert page.locator(".label").all_text_contents() == ["10 stones"]  # which is no coordinate


def test_a_game_without_a_board_is_a_text_and_a_list_of_moves(page):
    show(page, "hex")
    show(page, "a class without")
    assert page.locator(".board-text").inner_text() == "Subtract(left=8, player=1)"
    assert not page.locator(".board-picture").is_visible() and count(page, ".board-others button") == 3
    show(page, "hex")
    assert page.locator(".board-picture").is_visible() and not page.locator(".board-text").is_visible()


# -------------------------------------------------------------------------------------------------------- what is heard


@pytest.mark.parametrize(
    "name, cell, heard",
    [
        ("hex", "b4", "b4, blue stone, last move"),
        ("hex", "a1", "a1, empty"),
        ("hex won", "c5", "c5, red stone, last move, winning line"),
        ("othello", "d5", "d5, black disc"),
        ("go over", "A1", "A1, empty, counts for Black"),
        ("connect_four", "7", "column 7, level 6, empty"),
        ("nim", "1", "1, a counter"),
        ("ledge", "8", "8, the gold coin"),
        ("a class with a board", "4", "4, stone of the first player"),
    ],
)
def test_every_cell_has_a_name(page, name, cell, heard):
    show(page, name)
    assert name_of(page, cell_named(name, cell)) == heard


@pytest.mark.parametrize(
    "name, at, heard",
    [
        ("hex", -1, "Blue plays b4."),
        ("go over", -1, "White passes."),
        ("connect_four", -1, "Red plays 6."),
        ("ledge", -1, "The second player plays 11-9."),
        ("nim", -1, "The second player plays 3."),
    ],
)
def test_a_move_is_told(page, name, at, heard):
    show(page, name, at - 1)
    show(page, name, at, animate=True)
    assert page.locator("[aria-live]").inner_text() == heard


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault(browser, address, faults_of, theme):
    with opened(browser, address, color_scheme=theme) as page:
        for name in EXAMPLES:
            show(page, name)
            page.evaluate("view.heat(Object.fromEntries(Object.keys(view.position.names).map((a) => [a, { share: 1, win: 0.5, proven: null }])))")
            assert faults_of(page) == [], name


def test_two_boards_on_one_page_do_not_share_ids(page):
    page.evaluate(
        """async () => { const { BoardView } = await import("/static/board.js");
          const div = document.createElement("div"); document.querySelector("main").append(div);
          new BoardView(div, { label: "Second" }).show(view.layout, view.position); }"""
    )
    assert page.evaluate(
        "(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id); return ids.length === new Set(ids).size; })()"
    )
