"""The standings page in a real browser: it follows the tournament by itself, on a phone and on a projector."""

import re

import pytest

from ludus.protocols.oht.settings import LeagueSettings
from tests.oht.served import Tournament, add_player, play_league, play_official
from tests.web.served import Visit, until

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")
expect = sync_api.expect
EVIL = '<img src=x onerror="document.title=1"><script>x</script>'
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A tournament with a few players, one of them hostile."""
    tournament = Tournament(tmp_path_factory.mktemp("page"), league=LeagueSettings(league_at=("18:30",)))
    store = tournament.store
    players = [
        add_player(store, f"student {k}", handle)[0] for k, handle in enumerate(("otter", "Δέλτα", EVIL, "", "last"))
    ]
    for player, won in zip(players, (40, 30, 20, 10), strict=False):
        play_official(store, player, won, 50)
    for one, two in ((0, 1), (1, 2), (2, 0)):
        play_league(store, players[one], players[two], 6, 10)
    tournament.players = players
    yield tournament
    tournament.close()


@pytest.fixture
def visit_as(browser, running):
    """A function that opens the page; at the end no page may have shown an error on its console."""
    opened = []

    def open_page(**look):
        opened.append(Visit(browser, running.address, ignore_https_errors=True, **look))
        return opened[-1].open().page

    yield open_page
    for visit in opened:
        visit.close()


def handles(page, table="qualifying-rows"):
    return page.locator(f"#{table} tr .handle")


def test_a_new_score_appears_by_itself_and_its_player_rises(visit_as, running):
    page = visit_as()
    page.evaluate("window.sameDocument = true")
    expect(page.locator("#news")).to_have_text("otter leads with 80.0%.")
    expect(page.locator("tr", has_text="Δέλτα").first).to_contain_text("60.0%")
    play_official(running.store, running.players[1], 49, 50)
    expect(page.locator("#news")).to_have_text("Δέλτα leads with 98.0%.")
    for place, name in enumerate(("Δέλτα", "otter")):
        expect(handles(page).nth(place)).to_have_text(name)
    row = page.locator("#qualifying-rows tr").first
    expect(row).to_contain_text("98.0%")
    expect(row).to_contain_text("90–100%")
    expect(row).to_contain_text("2 of 5")
    assert page.evaluate("window.sameDocument")  # without a reload


def test_a_pause_is_seen_at_once(visit_as, running):
    page = visit_as()
    expect(page.locator("#facts")).to_contain_text("open")
    running.store.set_status("paused")
    try:
        expect(page.locator("#facts")).to_contain_text("paused")
        expect(page.locator("#status")).to_contain_text("no new rounds begin")
    finally:
        running.store.set_status("open")


def test_a_hostile_nickname_is_text(visit_as, running):
    page = visit_as()
    evil = re.compile(f"^{re.escape(EVIL)}$")
    for table in ("qualifying-rows", "league-rows"):
        expect(handles(page, table).filter(has_text=evil)).to_have_count(1)
    play_official(running.store, running.players[4], 5, 50)
    expect(page.locator("#qualifying-rows")).to_contain_text("last")  # the script has taken rows over
    expect(handles(page).filter(has_text=evil)).to_have_count(1)
    assert page.locator("main img").count() == 0
    assert page.title() == "Standings: Hex 3×3"


def test_nothing_is_wider_than_the_screen_and_letters_are_large_on_a_projector(visit_as):
    page = visit_as()
    for width, columns in ((320, 4), (390, 4), (768, 5), (1024, 6), (1920, 7)):
        page.set_viewport_size({"width": width, "height": 800})
        until(page, "innerWidth", lambda wide, width=width: wide == width)
        cells = page.locator("#qualifying-rows tr").first.locator("td:visible, th:visible")
        expect(cells).to_have_count(columns)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.handle')).fontSize)") >= 20


@pytest.mark.parametrize("look", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(visit_as, faults_of, look, scheme):
    page = visit_as(color_scheme=scheme, reduced_motion="reduce", **look)
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    assert faults_of(page) == []
    expect(page.get_by_role("columnheader", name="Best score", exact=True)).to_have_attribute("aria-sort", "descending")
    expect(page.get_by_role("rowheader", name="otter").first).to_be_visible()


def test_light_and_dark_can_be_chosen_and_are_remembered(visit_as):
    page = visit_as(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Colours: as the system").click()
    until(page, ground, lambda now: now != dark)
    page.reload()
    expect(page.get_by_role("button", name="Colours: light")).to_be_visible()
    until(page, ground, lambda now: now != dark)


def test_the_table_is_there_without_scripts(visit_as):
    page = visit_as(java_script_enabled=False)
    expect(handles(page).filter(has_text=re.compile("^otter$"))).to_have_count(1)


def test_a_lost_server_is_said_and_the_page_comes_back(browser, running):
    visit = Visit(browser, running.address, ignore_https_errors=True).open()
    visit.expect_errors("net::ERR_")  # the browser itself reports that it was offline
    visit.context.set_offline(True)
    expect(visit.page.locator("#connection")).to_have_text("Reconnecting…")
    expect(visit.page.locator("tr", has_text="otter").first).to_be_visible()
    visit.context.set_offline(False)
    expect(visit.page.locator("#connection")).to_be_hidden()
    visit.close()
