"""The review page in a real browser: the losing move is named, and everything leads to it."""

import re

import pytest

pytest.importorskip("starlette", reason="the page needs the extra web: pip install 'ludus[web]'")
pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")

from playwright.sync_api import expect

import ludus
from ludus.play.match import play
from ludus.play.sgf import write_sgf
from tests.play.players import Scripted
from tests.play.test_review import GAMES
from tests.web.served import Server, Visit, settled

MOVES = GAMES[1][2].split()  # of a game of Hex 5x5 that move 5 loses
LINK = "hex,size=5/" + ".".join(MOVES)
SOON = 120_000  # milliseconds, for what a busy machine may take


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("runs"), "--workers", "1")
    yield server.address
    server.close()


@pytest.fixture
def visit(browser, site):
    visit = Visit(browser, site)
    yield visit
    visit.close()


@pytest.fixture
def page(visit):
    return visit.page


def open_review(page, site, link=LINK):
    page.goto(f"{site}/review#{link}")
    expect(page.locator("#points button")).to_have_count(1, timeout=SOON)
    expect(page.locator("#progress")).to_be_empty(timeout=SOON)


def title(page):
    return page.locator("#selected-title")


def stones(page):
    return page.locator("#board .piece")


# ------------------------------------------------------------------------------------------- what it says


def test_the_losing_move_is_named_and_selected(page, site):
    open_review(page, site)
    expect(title(page)).to_have_text("Move 5: Red d1")
    expect(page.locator("#verdict")).to_contain_text("Red gave the win away: d1 loses, ")
    expect(page.locator("#points")).to_contain_text("Move 5")
    expect(page.locator("#summary")).to_have_text(
        "Red led until move 5, and then gave the win away with d1. One move was a mistake, by Red. Blue won."
    )
    expect(stones(page)).to_have_count(5)
    expect(page.locator("#moves [data-grade=gave_away]")).to_have_text("5.d1")
    expect(page.locator("#moves button")).to_have_count(24)
    expect(page.locator("#graph .grade.gave_away")).to_have_count(1)


def test_the_better_move_is_shown_where_it_would_have_been_played(page, site):
    open_review(page, site)
    better = page.locator("[data-deed=better]")
    better.click()
    expect(stones(page)).to_have_count(4)
    name = better.inner_text().removeprefix("Show ")
    cell = page.locator(f"#board [aria-label^='{name},']")
    expect(cell).to_have_attribute("aria-label", f"{name}, empty, suggested")
    better.click()
    expect(stones(page)).to_have_count(5)


def test_a_link_with_a_selected_move_opens_there(page, site):
    open_review(page, site, LINK + "@9")
    expect(title(page)).to_have_text("Move 9: Red c2")
    expect(page.locator("#verdict")).to_have_text("Every move loses here.")
    page.reload()
    expect(title(page)).to_have_text("Move 9: Red c2")
    expect(stones(page)).to_have_count(9)


def test_another_game_by_another_link(page, site):
    open_review(page, site)
    page.evaluate("location.hash = 'nim,stones=10/2.3.1.1.3'")
    expect(page.locator(".bar .game")).to_have_text("Nim")
    expect(page.locator("#summary")).to_contain_text("No move was a mistake", timeout=SOON)
    expect(page.locator("#points button")).to_have_count(0)


# ------------------------------------------------------------------------------------------- by mouse and by keyboard


def test_a_click_on_the_graph_jumps_to_the_move(page, site):
    open_review(page, site)
    box = page.locator("#graph svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 40)
    expect(title(page)).to_have_text("Move 24: Blue e1")
    page.mouse.click(box["x"] + 2, box["y"] + 40)
    expect(title(page)).to_have_text("The start")
    expect(page.locator("#verdict")).to_have_text("The position before the first move: won for Red, proven.")
    expect(stones(page)).to_have_count(0)


def test_a_finger_drags_over_the_graph(page, site):
    open_review(page, site)
    box = page.locator("#graph svg").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 10, box["y"] + 40, steps=40)
    page.mouse.up()
    expect(title(page)).to_have_text("Move 24: Blue e1")
    expect(stones(page)).to_have_count(24)


def test_the_graph_by_keyboard(page, site):
    open_review(page, site)
    graph = page.get_by_role("slider", name="Win share over the game")
    graph.focus()
    expect(graph).to_have_attribute("aria-valuetext", "Move 5, d1, gave it away, won for Blue, proven")
    for key, said in (("ArrowRight", "Move 6"), ("ArrowLeft", "Move 5"), ("Home", "The start"), ("End", "Move 24")):
        page.keyboard.press(key)
        expect(title(page)).to_contain_text(said)
        expect(graph).to_have_attribute("aria-valuetext", re.compile(f"^{said}"))
    expect(stones(page)).to_have_count(24)


def test_single_keys(page, site):
    open_review(page, site, LINK + "@1")
    page.keyboard.press("]")
    expect(title(page)).to_have_text("Move 2: Blue e3")
    page.keyboard.press("m")
    expect(title(page)).to_have_text("Move 5: Red d1")
    page.keyboard.press("b")
    expect(stones(page)).to_have_count(4)
    page.keyboard.press("[")
    expect(title(page)).to_have_text("Move 4: Blue a5")
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("to the next move that lost something")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("m")
    expect(title(page)).to_have_text("Move 5: Red d1")
    page.keyboard.press("t")
    page.wait_for_url("**/#hex**@4")


# ------------------------------------------------------------------------------------------- to and from other pages


def test_try_again_from_here_begins_a_branch_of_the_same_game(page, site):
    open_review(page, site)
    page.locator("[data-deed=again]").click()
    expect(page.locator("#elsewhere")).to_contain_text("You are looking at move 4.")
    expect(stones(page)).to_have_count(4)
    page.locator("#move").fill("b5")
    page.keyboard.press("Enter")
    expect(stones(page)).to_have_count(5)
    expect(page.locator("#moves .branch")).to_have_text("d1")
    page.get_by_role("link", name="Review").click()
    expect(page.locator("#moves button")).to_have_count(5)
    expect(page.locator("#moves [data-grade=best]")).to_have_count(3, timeout=SOON)


def test_the_game_of_the_play_page_is_reviewed(page, site):
    page.goto(f"{site}/#tic_tac_toe/b2.a2.c3.a1.a3.c1.b1.b3.c2")
    page.get_by_role("link", name="Want to see where it was decided?").click()
    expect(page.locator("#points button")).to_have_count(2, timeout=SOON)
    expect(page.locator("#summary")).to_contain_text("The game turned twice, the last time at move 7")


def test_a_file_is_loaded_and_a_bad_one_gets_a_sentence(visit, page, tmp_path):
    game = ludus.make("hex", size=5)
    actions = [game.read(move) for move in MOVES]
    record = play(game, [Scripted(*actions[0::2]), Scripted(*actions[1::2])])
    (tmp_path / "game.sgf").write_text(write_sgf(record, game))
    (tmp_path / "game.json").write_text(record.line() + "\n")
    (tmp_path / "bad.sgf").write_text("this is no game")
    visit.open("/review")
    visit.expect_errors("status of 400")  # the browser's word for the bad file
    expect(page.locator("#summary")).to_contain_text("No game has been played here yet.")
    field = page.locator("input[type=file]")
    field.set_input_files(tmp_path / "bad.sgf")
    expect(page.locator("#summary")).to_contain_text("no game file")
    for name in ("game.sgf", "game.json"):
        field.set_input_files(tmp_path / name)
        expect(page.locator("#verdict")).to_contain_text("Red gave the win away", timeout=SOON)
        page.keyboard.press("]")
        expect(title(page)).to_have_text("Move 6: Blue b5")
    field.set_input_files(tmp_path / "bad.sgf")
    page.wait_for_selector("#refusal.shown:has-text('no game file')")
    page.evaluate("clearTimeout(window.ludus.silence)")  # it would not go by itself
    field.set_input_files(tmp_path / "game.sgf")
    expect(page.locator("#refusal.shown")).to_have_count(0)  # it was about the file before


def test_the_graph_of_the_play_page_jumps_back(visit, page):
    """The machine's own judgement while it plays, without a review."""
    visit.open("/#hex,size=4")
    for moves in (2, 4):  # too few to win
        told = visit.told(lambda told: told["position"]["player"] == 0)
        page.locator("#move").fill(next(iter(told["position"]["names"].values())))
        page.keyboard.press("Enter")
        visit.told(lambda told, moves=moves: len(told["line"]) == moves)
    graph = page.locator("#record").get_by_role("slider", name="Win share over the game")
    graph.focus()
    page.keyboard.press("Home")
    visit.told(lambda told: told["node"] == 0)
    expect(graph).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("ArrowRight")
    visit.told(lambda told: told["node"] == told["line"][0]["node"])


# ------------------------------------------------------------------------------------------- everywhere


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(1280, 800), (390, 844), (1920, 1080)])
def test_it_fits_every_screen_and_has_no_serious_fault(browser, site, faults_of, theme, width, height):
    visit = Visit(browser, site, viewport={"width": width, "height": height}, color_scheme=theme)
    page = visit.page
    open_review(page, site)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for selector in ("#board svg", "#graph svg"):
        box = page.locator(selector).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
    small = page.evaluate(
        "[...document.querySelectorAll('button')].filter((one) => one.offsetParent && "
        "Math.min(one.offsetWidth, one.offsetHeight) < 40).map((one) => one.textContent)"
    )
    assert small == [] and faults_of(page) == []
    visit.close()
