"""The page of the lessons in a real Chromium: forwards and back, formulas, sliders, links, keys, phones."""

import contextlib
import itertools
import re

import pytest

from tests.web.served import PATIENCE, settled

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright").expect
UCT = "#mcts,game=tic_tac_toe,rule=uct,c=1.4,seed=1"
ALPHABETA = "#alphabeta,game=tic_tac_toe,moves=b2.a3.c1.c2.c3,depth=4,pruning=on,ordering=off"
READY = "body[data-lesson]:not([data-busy])"


@pytest.fixture
def open_page(browser, server):
    """A function that opens the page at an address, for somebody who wants no movement; errors fail the test."""
    with contextlib.ExitStack() as stack:
        errors = []

        def opened(link="", width=1280, height=800, expects_errors=False, **how):
            how = {"reduced_motion": "reduce", "viewport": {"width": width, "height": height}} | how
            context = browser.new_context(**how)
            context.set_default_timeout(1000 * PATIENCE)
            stack.callback(context.close)
            page = context.new_page()
            if not expects_errors:
                page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
                page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(f"{server.address}/lessons{link}")
            page.wait_for_selector(READY)
            return page

        yield opened
        assert not errors


def press(page, button, times=1):
    """Presses a button, and waits until the page has gone on every time."""
    for _ in range(times):
        before = page.url
        page.locator(f"#{button}").click()
        page.wait_for_url(lambda url, before=before: url != before)


def step_of(page):
    return int(page.url.rpartition("/")[2])


def picture(page):
    """Everything that is seen of a step; the order in which stones were drawn cannot be seen."""
    settled(page)
    parts = ("#phases", "#words", "#tree", "#panel", "#counter")
    shown = {part: page.locator(part).evaluate("element => element.outerHTML") for part in parts}
    stones = page.locator("#board .layer-stones > *, #board .layer-marks > *, #board .layer-lit > *")
    return shown | {"board": sorted(stones.evaluate_all("all => all.map((one) => one.outerHTML)"))}


def words(page):
    return page.locator("#words").evaluate("element => element.textContent")


# ----------------------------------------------------------------------------------------- forwards and back


@pytest.mark.parametrize("link", [f"{UCT}/44", "#mcts,game=nim,stones=7,rule=rave,seed=2/30", f"{ALPHABETA}/0"])
def test_back_shows_what_was_seen_before(open_page, link):
    page = open_page(link)
    seen = [picture(page)]
    for _ in range(14):
        press(page, "next")
        seen.append(picture(page))
    assert all(one != other for one, other in itertools.pairwise(seen))
    for before in seen[-2::-1]:
        press(page, "back")
        assert picture(page) == before


@pytest.mark.parametrize("link", [UCT, ALPHABETA])
def test_an_address_holds_the_moment(open_page, link):
    page = open_page(f"{link}/0")
    press(page, "next", 6)
    other = open_page(page.url[page.url.index("#") :])
    assert step_of(page) == 6 and picture(other) == picture(page)


def test_four_phases_are_lit_in_turn(open_page):
    page = open_page(f"{UCT}/0")
    lit = []
    for _ in range(8):
        press(page, "next")
        lit.append(page.locator("#phases .now").inner_text())
    assert lit == ["Select", "Expand", "Simulate", "Back up"] * 2


def test_simulations_at_once(open_page):
    page = open_page(f"{UCT}/0")
    assert page.locator("[data-id='0']").text_content().endswith("of 0")
    press(page, "jump")
    assert page.locator("#counter").inner_text() == "Simulation 1" and step_of(page) == 4
    press(page, "ten")
    assert page.locator("#counter").inner_text() == "Simulation 11"
    assert "of 10 → 11" in page.locator("[data-id='0']").text_content()
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_selector("#counter:text('Simulation 10')")
    page.locator("#timeline input").fill("150")
    page.wait_for_selector("#counter:text('Simulation 150')")
    assert "of 149 → 150" in page.locator("[data-id='0']").text_content()
    page.keyboard.press("Home")


def test_ten_simulations_are_those_of_ten_steps(open_page):
    page, other = open_page(f"{UCT}/0"), open_page(f"{UCT}/0")
    press(page, "ten")
    press(other, "jump", 10)
    assert picture(page) == picture(other)


def test_the_lesson_ends(open_page):
    page = open_page(f"{UCT}/100000")
    assert page.locator("#counter").inner_text() == "Simulation 500" and page.locator("#next").is_disabled()


# ------------------------------------------------------------------------------------------ what is shown


def test_the_formula_is_filled_in_and_the_largest_marked(open_page):
    page = open_page(f"{UCT}/101")
    assert page.locator("#phases .now").inner_text() == "Select"
    rows = page.locator("#panel .rows li:not(.soft)").evaluate_all("rows => rows.map((row) => row.textContent)")
    values = [float(re.search(r"=\s(\d\.\d\d)", row)[1]) for row in rows]
    assert len(rows) == 6 and page.locator("#panel .rows .soft").inner_text() == "and 3 smaller"
    assert all(re.match(r"R [abc][123]\d\.\d\d\s\+\s1\.4\s×\s√\(ln 25 / \d\)\s=\s\d\.\d\d", row) for row in rows), rows
    chosen = page.locator("#panel .chosen").evaluate("row => row.textContent")
    assert rows.index(chosen) == 0 and values[0] == max(values)
    assert chosen[2:4] in words(page) and f"=\u00a0{values[0]:.2f}" in words(page)
    assert page.locator(".tree-node.lit").count() == 2


def test_the_new_node_appears_and_numbers_change_along_the_path(open_page):
    page = open_page(f"{UCT}/100")
    nodes = "[data-id]:not(.stub)"
    press(page, "next", 2)
    assert page.locator("#phases .now").inner_text() == "Expand"
    fresh = page.locator(".tree-node.fresh")
    assert fresh.count() == 1 and fresh.text_content().endswith("–of 0")
    name = fresh.get_attribute("data-id")
    press(page, "next", 2)
    changed = page.locator(".tree-node.changed")
    assert changed.count() == page.locator("#panel tr").count() == page.locator(f"{nodes}.lit").count() >= 2
    assert "of 0 → 1" in page.locator(f"[data-id='{name}']").text_content()
    assert all("→" in text for text in changed.all_text_contents())
    press(page, "next")
    assert page.locator(".tree-node.changed").count() == 0


def test_a_playout_runs_on_the_board(open_page):
    page = open_page(f"{UCT}/2", reduced_motion="no-preference")
    press(page, "next")
    moves = page.locator("#panel [data-at]").count()
    assert moves >= 4
    page.wait_for_selector("#panel [data-at].now")  # on its way
    page.wait_for_selector(f"#panel [data-at='{moves - 1}'].now")
    stones = page.locator("#board .layer-stones > *")
    expect(stones).to_have_count(1 + moves)
    press(page, "back")
    press(page, "next")
    press(page, "next")  # somebody who is in a hurry: the end of the game stands there at once
    assert page.locator("#phases .now").inner_text() == "Back up"
    assert stones.count() == 1 + moves


def test_a_collapsed_part_of_the_tree_opens(open_page):
    page = open_page("#mcts,game=hex,size=4,rule=uct,c=1.4,seed=1/400")
    settled(page)
    stub, shown = page.locator(".tree-node.stub").first, page.locator(".tree-node:not(.stub)")
    nodes = shown.count()
    stub.focus()
    page.keyboard.press("Enter")
    expect(shown).not_to_have_count(nodes)
    assert shown.count() > nodes and step_of(page) == 400


def test_a_large_tree_stays_readable(open_page):
    page = open_page("#mcts,game=hex,size=5,rule=uct,c=1.4,seed=1/800")
    settled(page)
    assert 10 < page.locator(".tree-node").count() <= 80
    assert page.locator(".tree-node.lit").count() >= 2


# --------------------------------------------------------------------------------------------- settings


def test_the_slider_changes_the_rule(open_page):
    page = open_page(f"{UCT}/101")
    page.locator("#settings [name=c]").fill("0.4")
    page.wait_for_url(lambda url: "c=0.4" in url)
    page.wait_for_selector(READY)
    assert step_of(page) == 101 and "c = 0.4" in page.locator("#settings").inner_text()
    press(page, "start")
    press(page, "ten")
    press(page, "next")
    assert re.search(r"\+\s0\.4\s×", page.locator("#panel").text_content())


def test_a_slider_stays_in_the_hand(open_page):
    """A new lesson that arrives while somebody moves the slider does not take it away."""
    page = open_page(f"{UCT}/101")
    box = page.locator("#settings [name=c]").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.47, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, y)
    page.wait_for_url(lambda url: "c=2" in url)
    page.mouse.move(box["x"] + box["width"] * 0.02, y)
    page.mouse.up()
    page.wait_for_url(lambda url: "c=0," in url)


def test_every_rule_and_game_can_be_chosen(open_page):
    page = open_page(f"{UCT}/0")
    for rule, formula in (("ε-greedy", "share"), ("PUCT", "prior"), ("RAVE", "AMAF")):
        page.locator("#settings [name=rule]").select_option(label=rule)
        page.wait_for_url(lambda url, rule=rule: f"rule={rule.replace('ε-', 'epsilon_').lower()}" in url)
        page.wait_for_selector(READY)
        press(page, "ten")
        press(page, "next")
        assert formula in page.locator("#panel").text_content()
    for game in ("Nim, 7 stones", "Hex 3×3", "Othello 4×4", "Corners"):
        page.locator("#settings [name=game]").select_option(label=game)
        page.wait_for_selector(f".bar .game:text-is('{game}')")
        page.wait_for_selector(READY)
        page.keyboard.press("Home")
        press(page, "next", 3)


def test_priors_of_a_network_where_one_fits(open_page):
    page = open_page("#mcts,game=hex,size=5,rule=puct,c=1,seed=1/0")
    page.locator("#settings [name=priors]").select_option(label="priors of hex5")
    page.wait_for_url(lambda url: "priors=network" in url)
    page.wait_for_selector(READY)
    press(page, "next", 2)
    assert "the network hex5 gives c3 the largest prior" in words(page)


def test_a_position_is_typed(open_page):
    page = open_page(f"{UCT}/7")
    page.get_by_role("button", name="Position…").click()
    page.get_by_label("Moves before the lesson begins").fill("b2 a1 c1")
    page.get_by_label("Seed of the random numbers").fill("5")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(lambda url: "moves=b2.a1.c1" in url and "seed=5" in url)
    page.locator("dialog").wait_for(state="detached")
    page.keyboard.press("Home")
    expect(page.locator("#words")).to_contain_text("Blue is to move")
    expect(page.locator("#board .layer-stones > *")).to_have_count(3)


def test_a_wrong_position_is_told_in_the_dialog_and_the_lesson_stays(open_page):
    page = open_page(f"{UCT}/7", expects_errors=True)
    before = picture(page)
    page.get_by_role("button", name="Position…").click()
    page.get_by_label("Moves before the lesson begins").fill("b2 b2")
    page.get_by_role("button", name="Begin").click()
    complaint = page.locator("dialog [role=alert]", has_text="b2 is not legal here; legal: a1")
    complaint.wait_for()
    assert picture(page) == before and complaint.inner_text().endswith("c3.")
    page.get_by_label("Moves before the lesson begins").fill("b2 a1")
    page.keyboard.press("Enter")
    page.wait_for_url("**moves=b2.a1**")
    page.locator("dialog").wait_for(state="detached")
    expect(page.locator("button[name=more]")).to_be_focused()


def test_a_setting_that_cannot_be_keeps_the_lesson(open_page):
    page = open_page(f"{ALPHABETA}/9", expects_errors=True)
    page.select_option("[name=game]", label="Connect Four 4×4")
    page.wait_for_url("**game=connect_four**depth=4**")
    page.get_by_label("Depth").fill("9")
    page.keyboard.press("Enter")
    page.locator("#words.bad").wait_for()
    assert "choose depth 5" in words(page)
    assert page.get_by_label("Depth").input_value() == "4" and page.locator("#tree").is_visible()
    press(page, "next")


@pytest.mark.parametrize(
    "link, said",
    [
        ("#mcts/hex,size=3", "the step after the “/” must be a number"),
        ("#nim", "the one called Monte Carlo tree search"),
    ],
)
def test_a_bad_address_says_which_part_is_wrong(open_page, link, said):
    assert said in words(open_page(link))


def test_what_is_wrong_is_told_and_the_nearest_good_lesson_offered(open_page):
    page = open_page("#mcts,game=hex,size=9/3", expects_errors=True)
    assert words(page).startswith("Hex 9×9 has 81 possible moves") and page.locator("#next").is_disabled()
    page.locator("#words a").click()
    page.wait_for_selector("#next:enabled")
    press(page, "next")


def test_pruning_is_compared(open_page):
    page = open_page(f"{ALPHABETA}/0")
    press(page, "jump")
    assert page.locator("#phases .now").inner_text() == "Cut-off" and "cannot matter" in words(page)
    assert page.locator(".tree-node.crossed").count() >= 1
    press(page, "ten")
    assert words(page).startswith("Done. The move a1 is best, worth 0. The search looked at 20 positions;")
    page.get_by_label("Pruning").uncheck()
    page.wait_for_url(lambda url: "pruning=off" in url)
    page.wait_for_selector(READY)
    press(page, "ten")
    assert "The search looked at 49 positions." in words(page) and "49 of 49" in page.locator("#panel").inner_text()
    assert page.locator(".tree-node.crossed").count() == 0


# --------------------------------------------------------------------------------------- keys, phones, people


def test_keys(open_page):
    page = open_page(f"{UCT}/0")
    for key, step in (("ArrowRight", 1), (" ", 2), ("ArrowLeft", 1), ("Shift+ArrowRight", 4), ("End", 44), ("Home", 0)):
        page.keyboard.press(key)
        page.wait_for_url(lambda url, step=step: url.endswith(f"/{step}"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("next simulation")
    page.keyboard.press("ArrowRight")  # not while a dialog is open
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert step_of(page) == 0
    page.locator("#settings [name=c]").focus()
    page.keyboard.press("ArrowRight")  # the slider's, not the lesson's
    page.wait_for_url(lambda url: "c=1.5" in url)
    assert step_of(page) == 0


SIZES = """stage => {
  const sizes = [];
  const seen = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  while (seen.nextNode()) {
    const at = seen.currentNode.parentElement;
    if (!seen.currentNode.textContent.trim() || at.closest(".unseen, title, [hidden]")) continue;
    if (!at.getClientRects().length) continue;
    const scale = at instanceof SVGElement ? at.getScreenCTM().a : 1;
    sizes.push([parseFloat(getComputedStyle(at).fontSize) * scale, seen.currentNode.textContent]);
  }
  return sizes;
}"""


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("link", [f"{UCT}/101", f"{UCT}/103", f"{UCT}/104", f"{ALPHABETA}/20"])
def test_it_reads_well_from_the_last_row(open_page, link, size):
    page = open_page(link, *size)
    settled(page)
    texts = page.locator("#stage").evaluate(SIZES) + page.locator("#caption").evaluate(SIZES)
    assert len(texts) > 20
    assert min(texts)[0] >= 20, min(texts)
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1]  # all of it is on the screen


def test_a_phone(open_page):
    page = open_page(f"{UCT}/98", 390, 844, has_touch=True, is_mobile=True)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("#next").tap()
    page.wait_for_url(lambda url: url.endswith("/99"))
    for button in ("next", "back", "start", "jump", "ten"):
        box = page.locator(f"#{button}").bounding_box()
        assert box["width"] >= 40 and box["height"] >= 40 and box["y"] + box["height"] <= 844


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("link", [f"{UCT}/101", f"{UCT}/103", f"{ALPHABETA}/20", "#mcts,game=othello,size=4/44"])
def test_axe_finds_no_serious_fault(open_page, faults_of, link, scheme):
    page = open_page(link, color_scheme=scheme)
    assert faults_of(page) == []
    page.get_by_role("button", name="Position…").click()
    assert faults_of(page) == []
