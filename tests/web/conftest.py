"""A real Chromium for the tests of pages; where there is none, they are skipped and say so."""

import shutil

import pytest


@pytest.fixture(scope="module")
def browser():
    """Chromium without a window. One for every module: its event loop must not run beside other tests."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is missing, so pages cannot be tested: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def faults_of():
    """A function that lists the serious faults that axe finds on a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing").Axe()

    def faults(page):
        found = axe.run(page).response["violations"]
        return [
            f"{fault['id']}: {node['html'][:120]}"
            for fault in found
            if fault["impact"] in ("serious", "critical")
            for node in fault["nodes"]
        ]

    return faults
