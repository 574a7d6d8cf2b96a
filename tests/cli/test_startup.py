"""Nothing is imported before it is needed."""

import subprocess
import sys

import pytest

from ludus.cli import COMMANDS

HEAVY = ("torch", "matplotlib", "scipy", "open_spiel", "pyspiel", "safetensors")
RUN = """
import sys
from ludus.cli import run
try:
    run(sys.argv[1], sys.argv[2:])
except SystemExit as stop:
    assert stop.code in (0, None), stop.code
print("IMPORTED", *sorted(name for name in sys.modules if "." not in name))
"""


def imported(*arguments, cwd):
    done = subprocess.run([sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, cwd=cwd, timeout=300)
    assert done.returncode == 0 and "IMPORTED" in done.stdout, done.stderr
    return set(done.stdout.partition("IMPORTED")[2].split())


@pytest.mark.parametrize("command", COMMANDS)
def test_help_imports_nothing_heavy(command, tmp_path):
    assert not imported(command, "--help", cwd=tmp_path) & {*HEAVY, "numpy", "rich", "jinja2"}


def test_a_match_without_a_network_imports_nothing_heavy(tmp_path):
    modules = imported("match", "mcts:simulations=10", "alphabeta:depth=1", "--game", "hex", "--size", "3", "--games",
                       "2", "--clock", "5+1", cwd=tmp_path)  # fmt: skip
    assert not modules & set(HEAVY)
    assert (next((tmp_path / "runs").iterdir()) / "report.html").exists()


def test_the_list_of_agents_imports_nothing_heavy(tmp_path):
    assert not imported("agents", cwd=tmp_path) & {*HEAVY, "numpy"}
