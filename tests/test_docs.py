"""Every Python example in the README and the docs runs, and prints what it says it prints."""

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_examples_run(page, tmp_path, monkeypatch):
    """Blocks with >>> are doctests; other python blocks just run, and a `text` block after one is what it prints."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "example"}
    for kind, code in re.findall(r"^```(python|text)\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        if kind == "text":
            if names.get("printed"):
                assert squeeze(names.pop("printed")) == squeeze(code)
        elif ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), 0)
            out = io.StringIO()
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            assert runner.run(test, out=out.write, clear_globs=False).failed == 0, out.getvalue()
            names.update(test.globs)  # a page reads on from block to block
        else:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, str(page), "exec"), names)
            names["printed"] = printed.getvalue()


def squeeze(text):
    return [line.rstrip() for line in text.strip().splitlines()]


def test_package_docstrings():
    import ludus

    assert doctest.testmod(ludus).failed == 0


def test_every_game_has_a_page_in_one_shape():
    import ludus

    shape = ["## Rules", "## Options", "## Moves and boards", "## What a network sees", "## Known truths", "## Inside"]
    for name in ludus.games():
        page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
        assert re.findall(r"^## .*", page, re.MULTILINE) == shape, name


def test_the_game_in_cpp_that_contributing_shows_keeps_the_contract(tmp_path):
    """Its header compiles, static_assert(State<Race>) included."""
    header = next(
        code for code in re.findall(r"```cpp\n(.*?)```", PAGES[1].read_text(), re.DOTALL) if "#pragma" in code
    )
    (tmp_path / "race.h").write_text(textwrap.dedent(header))
    (tmp_path / "race.cpp").write_text('#include "race.h"\n')
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler here")
    check = [compiler, "-std=c++20", "-fsyntax-only", "-I", str(ROOT / "core"), str(tmp_path / "race.cpp")]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_links_lead_somewhere():
    for page in PAGES:
        # Code is left out: a C++ lambda looks like a link.
        prose = re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\((?!http)([^)#]+)", prose):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
