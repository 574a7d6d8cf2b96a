"""What the board of the page shows and tells in a real browser: movement, marks, names of cells, no serious fault."""

from itertools import pairwise

import pytest

from tests.web.board_page import EXAMPLES, cell_named, count, example, middle_of, name_of, opened, show

# --------------------------------------------------------------------------------------------------------- movement


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


def test_the_winning_chain_lights_up_from_one_side_to_the_other(boards):
    show(boards, "hex won", -2)
    show(boards, "hex won", -1, animate=True)
    lit = boards.evaluate(
        """[...document.querySelectorAll(".lit.lights")].map((face) => {
          const { x, y, width, height } = face.getBBox();
          return [parseInt(face.style.getPropertyValue("--wait")), [x + width / 2, y + height / 2]];
        })"""
    )
    assert len(lit) == len(example("hex won")["positions"][-1]["won"]) == len({wait for wait, _ in lit}) >= 5
    chain = [point for _, point in sorted(lit)]
    for (x, y), (right, down) in pairwise(chain):
        assert (right - x) ** 2 + (down - y) ** 2 < 110**2  # each touches the one before


# ----------------------------------------------------------------------------------------------------- what is seen


def test_the_last_move_is_always_marked_also_where_nothing_stands(boards):
    for name in ("hex", "go", "othello", "connect_four", "tic_tac_toe", "nim", "ledge", "ledge take"):
        show(boards, name)
        assert count(boards, ".last") == len(example(name)["positions"][-1]["last"]) > 0


def test_the_heat_map_has_one_colour_and_the_share_of_wins_in_percent(boards):
    show(boards, "hex swap")
    boards.evaluate(
        """view.heat({ 0: { share: 0.6, win: 0.553, proven: null }, 1: { share: 0.3, win: null, proven: 1 },
                       2: { share: 0, win: 0.2, proven: null }, 25: { share: 0.1, win: 0.47, proven: null } })"""
    )
    heat = boards.evaluate("[...document.querySelectorAll('.heat')].map((e) => Number(e.getAttribute('fill-opacity')))")
    assert heat == [1, 0.5, 0]
    assert boards.locator(".win").all_text_contents() == ["55"] and count(boards, ".proof.good") == 1
    assert name_of(boards, 0) == "a1, empty, wins 55 percent" and name_of(boards, 1) == "b1, empty, wins for certain"
    assert boards.locator(".board-others button").text_content() == "Swap sides47, wins 47 percent"
    boards.evaluate("view.heat(null)")
    assert count(boards, ".heat") == count(boards, ".win") == count(boards, ".proof") == 0


def test_proven_moves_have_marks_of_their_own(boards):
    show(boards, "tic_tac_toe")
    boards.evaluate("view.proven({ 1: 1, 3: 0, 5: -1 })")
    assert [count(boards, f".proof.{kind}") for kind in ("good", "even", "bad")] == [1, 1, 1]
    assert name_of(boards, 3) == "a2, empty, a certain draw"


def test_the_expected_line_is_numbered_and_a_hint_is_marked(boards):
    show(boards, "hex")
    boards.evaluate("view.ghosts([[0, 0, 1], [1, 1, 2], [0, 0, 3]]); view.hint(5)")
    assert boards.locator(".number").all_text_contents() == ["1", "2"]
    assert count(boards, ".ghost.p0") == count(boards, ".ghost.p1") == count(boards, ".hint") == 1
    assert name_of(boards, 5).endswith("suggested")
    boards.evaluate("view.ghosts(null); view.hint(null)")
    assert count(boards, ".ghost") == count(boards, ".hint") == 0


def test_thoughts_belong_to_their_position(boards):
    show(boards, "hex")
    boards.evaluate("view.hint(0); view.proven({ 1: 1 })")
    show(boards, "hex", playable=False)
    assert count(boards, ".hint") == count(boards, ".proof") == 1
    show(boards, "hex", -2)
    assert count(boards, ".hint") == count(boards, ".proof") == 0


def test_hex_lies_flat_by_choice_and_can_be_turned_around(boards):
    show(boards, "hex")
    place = lambda cell: middle_of(boards, cell_named("hex", cell))  # noqa: E731
    assert place("a1")[1] < place("g1")[1]
    boards.evaluate("view.options({ flat: true })")
    assert place("a1")[1] == pytest.approx(place("g1")[1], abs=1) and place("a1")[0] < place("g1")[0]
    one = boards.locator(".label", has_text="1").bounding_box()
    assert one["y"] + one["height"] / 2 == pytest.approx(place("a1")[1], abs=3)
    boards.evaluate("view.options({ flipped: true })")
    assert place("a1")[1] > place("g7")[1]


def test_colour_is_not_the_only_sign_of_a_player(boards):
    show(boards, "hex")
    assert count(boards, ".p1 .second") == count(boards, ".layer-stones .p1") == 3 and count(boards, ".p0 .second") == 0
    assert count(boards, ".seconds") == count(boards, ".side.p1") == 2
    show(boards, "go")
    assert not any(dot.is_visible() for dot in boards.locator(".second").all())  # black and white are told apart


def test_letters_and_coordinates_are_a_choice(boards):
    show(boards, "hex")
    assert count(boards, ".piece .sign") == 0 and count(boards, ".label") == 14
    boards.evaluate("view.options({ letters: true, coordinates: false })")
    assert sorted(boards.locator(".piece .sign").all_text_contents()) == ["O"] * 3 + ["X"] * 3
    assert count(boards, ".label") == 0
    show(boards, "nim")
    assert boards.locator(".label").all_text_contents() == ["10 stones"]  # which is no coordinate


def test_a_game_without_a_board_is_a_text_and_a_list_of_moves(boards):
    show(boards, "hex")
    show(boards, "a class without")
    assert boards.locator(".board-text").inner_text() == "Subtract(left=8, player=1)"
    assert not boards.locator(".board-picture").is_visible() and count(boards, ".board-others button") == 3
    show(boards, "hex")
    assert boards.locator(".board-picture").is_visible() and not boards.locator(".board-text").is_visible()


# ---------------------------------------------------------------------------------------------------- what is heard


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
def test_every_cell_has_a_name(boards, name, cell, heard):
    show(boards, name)
    assert name_of(boards, cell_named(name, cell)) == heard


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
def test_a_move_is_told(boards, name, at, heard):
    show(boards, name, at - 1)
    show(boards, name, at, animate=True)
    assert boards.locator("[aria-live]").inner_text() == heard


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault(browser, address, faults_of, theme):
    with opened(browser, address, color_scheme=theme) as page:
        for name in EXAMPLES:
            show(page, name)
            page.evaluate(
                """view.heat(Object.fromEntries(Object.keys(view.position.names)
                     .map((action) => [action, { share: 1, win: 0.5, proven: null }])))"""
            )
            assert faults_of(page) == [], name


def test_two_boards_on_one_page_do_not_share_ids(boards):
    boards.evaluate(
        """async () => { const { BoardView } = await import("/static/board.js");
          const div = document.createElement("div"); document.querySelector("main").append(div);
          new BoardView(div, { label: "Second" }).show(view.layout, view.position); }"""
    )
    ids = boards.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids)) > 2 * 49
