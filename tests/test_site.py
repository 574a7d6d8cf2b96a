"""The documentation site is built without a warning, and nothing in it leads nowhere or is fetched from elsewhere."""

import importlib.util
import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parent.parent
FETCHED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


class Reader(HTMLParser):
    """Collects what a page links to, what it fetches, and what can be linked to in it."""

    def __init__(self, path):
        super().__init__()
        self.links, self.fetched, self.anchors = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if tag in FETCHED and found.get(FETCHED[tag]):
            self.fetched.append(found[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("MkDocs is not installed: pip install 'ludus[docs]'")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=600, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    return {path: Reader(path) for path in site.rglob("*.html")}


def test_every_document_and_notebook_is_a_page(site):
    expected = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    expected |= {path.relative_to(ROOT).with_suffix(".html") for path in (ROOT / "notebooks").glob("*.ipynb")}
    expected |= {Path(name) for name in ("index.html", "changelog.html", "contributing.html", "security.html")}
    missing = [str(path) for path in expected if not (site / path).is_file()]
    assert not missing


def test_every_link_leads_to_a_page_and_a_place_in_it(site, pages):
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            assert target.is_file(), f"{path.relative_to(site)} links to {link}"
            if parts.fragment and target in pages:
                anchors = pages[target].anchors
                assert unquote(parts.fragment) in anchors, f"{path.relative_to(site)} links to {link}"


def test_nothing_is_fetched_from_elsewhere(site, pages):
    for path, page in pages.items():
        for place in page.fetched:
            if path.name == "404.html" or place.startswith("data:"):
                continue
            parts = urlsplit(place)
            assert not parts.scheme and not parts.netloc, f"{path.relative_to(site)} fetches {place}"
            assert (path.parent / unquote(parts.path)).resolve().is_file(), f"{path.relative_to(site)} needs {place}"


def test_notebooks_show_their_outputs(site):
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        page = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        outputs = [output for cell in json.loads(path.read_text())["cells"] for output in cell.get("outputs", [])]
        assert outputs and page.count("<div class='output'>") == len(outputs), path.name
        assert "data-output" not in page and "data:image/png;base64," in page


def test_the_search_knows_the_words_of_the_docs(site):
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    text = " ".join(entry["text"] for entry in index["docs"])
    for word in ("superko", "Gumbel", "Whose turn it is", "LUDUS_CPU"):  # a page, a page, a docstring, a page
        assert word in text
