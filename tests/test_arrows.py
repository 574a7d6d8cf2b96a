"""The rooms of the house use each other in one direction only."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ["base", "games", "search", "solve", "network", "bindings"]
CORE_MAY_USE = {
    "base": [],
    "games": ["base"],
    "search": ["base"],
    "solve": ["base", "games"],
    "network": [],
    "bindings": CORE,
}
PYTHON = [
    "errors", "cores", "load", "_core", "observe", "game", "evaluator", "games", "search", "mcts_settings", "mcts",
    "textbook", "solve", "testing", "agents", "explain", "picture", "play", "learn", "protocols", "courses", "web",
    "cli",
]  # fmt: skip


@pytest.mark.parametrize("room", CORE)
def test_core_rooms_use_only_what_lies_below(room):
    for path in (ROOT / "core" / room).rglob("*.[hc]*"):
        for used in re.findall(r'#include "(\w+)/', path.read_text()):
            assert used == room or used in CORE_MAY_USE[room], f"{path.name} uses {used}"


def test_python_rooms_use_only_what_lies_below():
    package = ROOT / "src" / "ludus"
    for path in package.rglob("*.py"):
        room = path.relative_to(package).parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        for used in re.findall(r"^\s*(?:from|import) ludus\.(\w+)", path.read_text(), re.MULTILINE):
            assert PYTHON.index(used) <= PYTHON.index(room), f"{path.name} uses {used}"


def test_only_the_bindings_know_python():
    for room in CORE[:-1]:
        for path in (ROOT / "core" / room).rglob("*.[hc]*"):
            assert "nanobind" not in path.read_text() and "Python.h" not in path.read_text()
