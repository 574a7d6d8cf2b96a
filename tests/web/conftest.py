"""A real Chromium for the tests of pages; where there is none, they are skipped and say so."""

import shutil

import pytest
from starlette.testclient import TestClient

from ludus.web.app import make_app
from ludus.web.site import SiteSettings
from tests.web import board_page
from tests.web.asking import HOME, SOCKET, Page
from tests.web.served import PATIENCE, Server, Visit, settled


def find_chromium():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser():
    """Chromium without a window. One for every module: its event loop must not run beside other tests."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")
    program = find_chromium()
    if program is None:
        pytest.skip("Chromium is missing, so pages cannot be tested: apt-get install chromium")
    sync_api.expect.set_options(timeout=1000 * PATIENCE)
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"], timeout=2000 * PATIENCE)
        yield opened
        opened.close()


@pytest.fixture
def faults_of():
    """A function that lists the serious faults that axe finds on a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing").Axe()

    def faults(page):
        settled(page)
        found = axe.run(page).response["violations"]
        return [
            f"{fault['id']}: {node['html'][:120]}"
            for fault in found
            if fault["impact"] in ("serious", "critical")
            for node in fault["nodes"]
        ]

    return faults


@pytest.fixture(scope="module")
def address():
    """Where the page with the boards of board_page.py is served."""
    with board_page.serve() as address:
        yield address


@pytest.fixture
def boards(browser, address):
    """That page, opened."""
    with board_page.opened(browser, address) as page:
        yield page


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """`ludus serve`, with two games of visitors: one with a board of its own, one without any."""
    games = ("tests/web/visitors_games.py:Corners", "tests/python_games.py:Subtract")
    running = Server(tmp_path_factory.mktemp("runs"), *(flag for game in games for flag in ("--game", game)))
    yield running
    running.close()


@pytest.fixture
def visit(browser, server):
    """A visitor's page, not yet opened. It must not have shown an error on its console."""
    visiting = Visit(browser, server.address)
    yield visiting
    visiting.close()


@pytest.fixture
def client(tmp_path):
    """The server without a browser, with a folder of its own."""
    with TestClient(make_app(SiteSettings(runs=tmp_path, workers=1)), HOME) as client:
        yield client


@pytest.fixture
def page(client):
    """A page without a browser."""
    with client.websocket_connect(SOCKET) as socket:
        yield Page(socket)
