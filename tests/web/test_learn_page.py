"""The learn page in a real browser: a tiny training with its curves, a tournament that fills in, a game replayed."""

import json
import re
import time
import urllib.request

import pytest

from tests.web.served import Visit, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")
pytest.importorskip("torch", reason="learning needs PyTorch")
expect = sync_api.expect
LONG = 300_000  # milliseconds: trainings begin slowly on a busy machine
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def page(visit):
    """The overview."""
    return visit.open("/learn").page


def ask(server, path, order=None):
    """What the server answers to a question, or to an order."""
    data = None if order is None else json.dumps(order).encode()
    with urllib.request.urlopen(f"{server.address}/api/learn{path}", data) as answer:
        return json.load(answer)


@pytest.fixture(scope="module")
def ready(server):
    """A finished training called ready and a finished tournament called cup."""
    small = {"game": "hex", "options": {"size": 3}}
    ask(server, "/runs", small | {"name": "ready", "episodes": 20, "simulations": 4, "network": "small"})
    agents = ["level:first_steps", "level:beginner"]
    ask(server, "/tournaments", small | {"name": "cup", "agents": agents, "games": 4})
    end = time.monotonic() + LONG / 1000
    while {ask(server, path)["state"] for path in ("/runs/ready", "/tournaments/cup")} != {"finished"}:
        assert time.monotonic() < end, "it never finished"
        time.sleep(0.2)


def start_tiny(page, name, games="30"):
    """Starts a training of Hex 3×3 by the form."""
    page.get_by_role("button", name="Start a training").click()
    form = page.get_by_role("dialog")
    form.get_by_text("All settings").click()
    form.get_by_label("Board size").fill("3")
    form.get_by_label("Games against itself").fill(games)
    form.get_by_label("Simulations for every move").fill("4")
    form.get_by_label("Size of the network").select_option("small")
    form.get_by_label("Saved networks").fill("3")
    form.get_by_label(re.compile("^Name")).fill(name)
    form.get_by_role("button", name="Start").click()
    page.wait_for_url(f"**/learn#run/{name}")


def curve(page, title):
    """How many points the first line of a chart has."""
    chart = page.locator("figure.chart", has_text=title)
    points = chart.locator("polyline.stroke").first.get_attribute("points", timeout=LONG)
    return len(points.split())


def test_a_tiny_training_with_its_curves_and_its_stages(page, faults_of):
    start_tiny(page, "tiny")
    expect(page.get_by_role("heading", name="Hex 3×3")).to_be_visible()
    expect(page.locator(".state", has_text="finished")).to_be_visible(timeout=LONG)
    assert curve(page, "keeps the true result") > 1 and curve(page, "Losses") >= 1
    expect(page.locator(".note", has_text="95% interval")).to_be_visible()
    expect(page.get_by_text("The network believes")).to_be_visible()
    expect(page.locator(".opening-board .proof")).to_have_count(9)
    expect(page.get_by_text(re.compile(r"It judges \d of 9 first moves right\."))).to_be_visible()

    page.get_by_label("Moment of the training").fill("0")
    expect(page.get_by_text("Untrained", exact=True)).to_be_visible()

    expect(page.get_by_text("Game 30 against itself")).to_be_visible()
    words = page.locator(".replay-words")
    expect(words).to_have_text(re.compile(r"Move (\d+) of \1: (Red|Blue) plays \w+\. (Red|Blue) wins\."))
    page.get_by_role("button", name="To the start").click()
    expect(words).to_have_text(re.compile(r"The start\. \d+ moves\."))
    page.get_by_role("button", name="Forth").click()
    expect(words).to_have_text(re.compile(r"Move 1 of"))
    expect(page.locator(".replay-board .piece")).to_have_count(1)
    review = page.get_by_role("link", name="Open in review")
    expect(review).to_have_attribute("href", re.compile(r"^/review#hex,size=3/(\w\d\.?)+$"))

    page.get_by_role("button", name="Let its stages play each other").click()
    page.get_by_label("Games for every pair").fill("4")
    page.get_by_role("button", name="Let them play").click()
    expect(page.locator("figure.chart", has_text="Strength of its saved networks")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="The tournament of its stages").click(timeout=LONG)
    expect(page.get_by_role("heading", name="Hex 3×3: the stages of tiny")).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert faults_of(page) == []
        page.goto(page.url.partition("#")[0] + "#run/tiny")
        expect(page.get_by_text("Game 30 against itself")).to_be_visible()
        assert faults_of(page) == []


def test_a_training_is_stopped_and_goes_on_and_two_are_compared(page, faults_of):
    start_tiny(page, "long", games="50000")
    page.get_by_role("button", name="Stop").click(timeout=LONG)
    expect(page.locator(".state", has_text="stopped")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(re.compile(r"^[1-9]\d* of 50000 games"))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".state", has_text="stopped")).to_be_visible(timeout=LONG)

    page.get_by_role("link", name="All trainings").click()
    start_tiny(page, "other", games="10")
    expect(page.locator(".state", has_text="finished")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="All trainings").click()
    page.get_by_label("Compare long").check()
    page.get_by_label("Compare other").check()
    page.get_by_role("link", name="Compare 2 trainings").click()
    expect(page.locator("figure.chart", has_text="true result").locator("polyline.stroke[points]")).to_have_count(4)
    row = page.get_by_role("row", name="games against itself")
    expect(row).to_contain_text("50000")
    expect(row).to_contain_text("10")
    expect(page.get_by_role("row", name="simulations for every move")).to_have_count(0)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert faults_of(page) == []


def test_a_tournament_fills_in_and_any_game_is_replayed(page, faults_of):
    page.get_by_role("button", name="Start a tournament").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Board size").fill("4")
    form.get_by_label("Board size").blur()
    form.get_by_label("Games for every pair").fill("6")
    form.get_by_label("Games for every pair").blur()
    expect(form.get_by_text("3 players, 3 pairs, 18 games in all.")).to_be_visible()
    assert faults_of(page) == []
    form.get_by_role("button", name="Start").click()
    expect(page.locator("table.standing tbody tr")).to_have_count(3, timeout=LONG)
    expect(page.locator(".state", has_text="finished")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("18 games")).to_be_visible()
    expect(page.locator(".note:visible")).to_contain_text("95% interval")
    expect(page.locator("button.cell")).to_have_text(6 * [re.compile("/6$")])
    expect(page.get_by_text(re.compile("^Game 18: "))).to_be_visible()  # the latest one, when it has been shown

    page.locator("button.cell").first.click()
    rows = page.locator("button.game-row")
    expect(rows).to_have_count(6)
    rows.nth(2).click()
    number = rows.nth(2).text_content().split(".")[0]
    expect(page.get_by_text(re.compile(f"Game {number}: "))).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".replay-words")).to_have_text(re.compile(r"(Red|Blue) wins\."))
    expect(page.locator(".replay-board .piece").nth(4)).to_be_attached()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert faults_of(page) == []


def test_a_game_that_could_not_be_fetched_is_asked_for_again(visit, ready):
    visit.expect_errors("net::ERR_")
    refused = []

    def refuse_once(route):
        if refused:
            route.continue_()
        else:
            refused.append(route)
            route.abort()

    visit.page.route("**/runs/ready/games/latest", refuse_once)
    visit.open("/learn#run/ready")
    expect(visit.page.get_by_text("Game 20 against itself")).to_be_visible()
    assert refused


def test_an_answer_that_comes_late_does_not_replace_the_game_that_was_chosen_after_it(visit, ready):
    held = []
    page = visit.page
    page.route("**/cup/games/3", lambda route: held.append(route))  # the latest one, which is shown first
    visit.open("/learn#tournament/cup")
    page.locator("button.game-row", has_text=re.compile("^1[.] ")).click()
    expect(page.get_by_text(re.compile("^Game 1: "))).to_be_visible()
    with page.expect_response("**/cup/games/3"):
        held[0].continue_()
    settled(page)
    expect(page.get_by_text(re.compile("^Game 1: "))).to_be_visible()


def test_players_that_were_offered_for_another_board_do_not_come_back(page):
    held, asked = [], re.compile("/api/opponents.*size%22%3A6")
    page.route(asked, lambda route: held.append(route))
    page.get_by_role("button", name="Start a tournament").click()
    form = page.get_by_role("dialog")
    players = form.locator("fieldset.players", has_text="Trained networks")
    expect(players).to_be_visible()
    for size in (6, 5):
        form.get_by_label("Board size").fill(str(size))
        form.get_by_label("Board size").blur()
    expect(players).to_be_visible()
    with page.expect_response(asked):
        held[0].continue_()
    settled(page)
    expect(players).to_be_visible()  # for 6×6 there are none


def test_a_refusal_is_a_sentence_in_the_form(page, visit):
    page.get_by_role("button", name="Start a training").click()
    form = page.get_by_role("dialog")
    form.get_by_text("All settings").click()
    form.get_by_label(re.compile("^Name")).fill("../x")
    form.get_by_role("button", name="Start").click()
    visit.expect_errors("400 (Bad Request)")  # browsers log every refusal
    expect(form.get_by_role("alert")).to_contain_text("small letters, digits and hyphens")


def test_a_wrong_number_in_folded_settings_is_unfolded(visit):
    page = visit.open("/learn").page
    page.get_by_role("button", name="Start a training").click()
    form = page.get_by_role("dialog")
    form.get_by_text("All settings").click()
    form.get_by_label("Board size").fill("")
    form.get_by_text("All settings").click()
    expect(form.get_by_label("Board size")).to_be_hidden()
    form.get_by_role("button", name="Start").click()
    expect(form.get_by_label("Board size")).to_be_focused()


def test_what_is_not_there_is_one_sentence_and_no_empty_charts(visit):
    visit.expect_errors("400 (Bad Request)")  # each time that the page asks
    page = visit.open("/learn#run/nobody").page
    expect(page.get_by_text("There is no training called 'nobody'.", exact=True)).to_be_visible()
    expect(page.locator("figure.chart").first).to_be_hidden()


def test_one_plays_against_what_has_just_learned(page, visit, ready):
    page.goto(page.url + "#run/ready")
    page.get_by_role("button", name="Play against it").click()
    page.wait_for_url("**/#hex,size=3")
    expect(page.get_by_text("ready, its best").first).to_be_visible()
    page.click(".board-picture [data-cell='4']", force=True)
    visit.told(lambda told: len(told["line"]) >= 2)


def test_every_part_fits_a_phone(browser, server, ready):
    visit = Visit(browser, server.address, **PHONE)
    for part in ("", "#run/ready", "#tournament/cup", "#compare/ready,ready"):
        visit.open("/lessons").open(f"/learn{part}")
        expect(visit.page.locator("h1").first).to_be_visible(timeout=LONG)
        visit.page.wait_for_load_state("networkidle")
        settled(visit.page)
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390, part
    visit.close()


def test_a_training_goes_on_while_the_server_is_killed_and_started_again(page, visit, server):
    start_tiny(page, "survivor", games="50000")
    counted = page.get_by_text(re.compile(r"^[1-9]\d* of 50000 games"))
    expect(counted).to_be_visible(timeout=LONG)
    visit.expect_errors("net::ERR_")  # browsers log every connection that is lost or refused
    server.kill()
    expect(page.get_by_text("Trying again.")).to_be_visible(timeout=LONG)
    server.start()
    expect(page.get_by_text("Trying again.")).to_be_hidden(timeout=LONG)
    expect(page.locator(".state", has_text="running")).to_be_visible()
    before = int(counted.text_content().split()[0])
    visit.until("parseInt(document.querySelector('p.numbers').textContent)", lambda games: games > before)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".state", has_text="stopped")).to_be_visible(timeout=LONG)


def test_values_are_read_with_the_arrow_keys(page, ready):
    page.goto(page.url + "#run/ready")
    chart = page.locator("figure.chart", has_text="keeps the true result")
    expect(chart.locator(".chart-picture polyline")).to_have_count(4)  # before, there is nothing to read
    chart.locator("svg.chart-picture").focus()
    page.keyboard.press("End")
    expect(chart.locator(".chart-reading")).to_have_text(re.compile(r"20 games: all positions \d+%, opening \d+%"))
    page.keyboard.press("Home")
    expect(chart.locator(".chart-reading")).to_have_text(re.compile(r"^0 games: all positions \d+%"))
    chart.get_by_text("As a table").click()
    expect(chart.locator("tbody tr").nth(1)).to_be_visible()
