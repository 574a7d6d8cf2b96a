"""The rooms (packages and folders) use each other in one direction only."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "ludus"
CORE = ["base", "games", "search", "solve", "network", "school", "bindings"]
CORE_MAY_USE = {
    "base": [],
    "games": ["base"],
    "search": ["base"],
    "solve": ["base", "games"],
    "network": [],
    "school": ["base", "games", "search", "solve", "network"],
    "bindings": CORE,
}
PYTHON = [  # a room may use those before it; the board is a value of its own, which the contract of a game names
    "cpu", "errors", "system", "text", "monitor", "load", "games.board", "_core", "game", "evaluator", "games",
    "search", "testing", "agents", "show", "play", "learn", "cluster", "protocols", "courses", "web", "cli",
]  # fmt: skip
NOT_ROOMS = {"__version__"}  # what the package itself has


def room_of(path):
    module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    return module if module == "games.board" else module.split(".")[0]


def rooms_used(source):
    """The rooms that a module imports from, in any of Python's ways of writing it, at the top or in a function."""
    used = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            used |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("ludus.")}
        elif isinstance(node, ast.ImportFrom) and node.module == "ludus":
            used |= {alias.name for alias in node.names} - NOT_ROOMS
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ludus."):
            module = node.module.removeprefix("ludus.")
            used.add(module if module == "games.board" else module.split(".")[0])
        assert not (isinstance(node, ast.ImportFrom) and node.level), "relative imports hide which room they use"
    return used


@pytest.mark.parametrize("room", CORE)
def test_core_rooms_use_only_what_lies_below(room):
    for path in (ROOT / "core" / room).rglob("*.[hc]*"):
        for used in re.findall(r'#include "(\w+)/', path.read_text()):
            assert used == room or used in CORE_MAY_USE[room], f"{path.name} uses {used}"


def test_python_rooms_use_only_what_lies_below():
    for path in PACKAGE.rglob("*.py"):
        if room_of(path) == "__init__":
            continue
        for used in rooms_used(path.read_text()):
            assert PYTHON.index(used) <= PYTHON.index(room_of(path)), f"{path.relative_to(PACKAGE)} uses {used}"


@pytest.mark.parametrize(
    "line",
    [
        "import ludus.cli.play",
        "from ludus import cli",
        "from ludus.cli import play",
        "def f():\n from ludus import cli",
    ],
)
def test_every_way_to_write_an_import_is_seen(line):
    assert rooms_used(line) == {"cli"}


def test_rooms_that_are_opened_by_name_are_named_in_one_place():
    """A name such as "ludus.learn.zoo:path_of" in a string is an arrow, too; all of them stand in load.py."""
    for path in PACKAGE.rglob("*.py"):
        named = re.findall(r'["\']ludus\.[a-z_]+[\w.]*(?::\w+)?["\']', path.read_text())
        assert not named or room_of(path) == "load", f"{path.relative_to(PACKAGE)} names {named}"


def test_few_modules_lie_loose():
    assert len(list(PACKAGE.glob("*.py"))) <= 8


def test_only_the_bindings_know_python():
    for room in CORE[:-1]:
        for path in (ROOT / "core" / room).rglob("*.[hc]*"):
            assert "nanobind" not in path.read_text() and "Python.h" not in path.read_text()
