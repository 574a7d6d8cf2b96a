"""The extras in pyproject.toml are honest: each is enough for what it is for, and plain search needs numpy alone.

Packages are taken away here by refusing to import them. `make wheels` does the same in fresh environments.
"""

import ast
import contextlib
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "ludus"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MODULES = {"open-spiel": ["pyspiel", "open_spiel"]}  # where they are not the package's name in lower case

BLOCK = """
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        return None if refused(name.partition(".")[0]) else self.finder.find_spec(name, path, target)

sys.meta_path[:] = map(Without, sys.meta_path)
"""
NUMPY_ALONE = 'refused = lambda top: top not in sys.stdlib_module_names and top not in ("ludus", "numpy")'

PLAIN_SEARCH = """
import ludus
from ludus.agents import make_agent
from ludus.search.solve import Solver
import ludus.search.textbook
from ludus.testing import check_game

for name in ludus.games():
    game = ludus.make(name)
    for agent in ("random", "greedy", "mcts:simulations=50", "alphabeta:depth=2", "deepening:seconds=0.01"):
        game.start().play(make_agent(agent).decide(game.start(), ludus.Rng(1)).action)
    game.draw(game.start()), ludus.rollouts(game.start(), 5, ludus.Rng(1))
assert Solver().value(ludus.make("hex", size=4).start()) == 1
check_game("tic_tac_toe", games=20)
print("fine")
"""


def requirements(extra=None):
    """The names of the packages that Ludus, or one of its extras, asks for."""
    lines = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    return [re.match(r"[\w-]+", line)[0].lower().replace("_", "-") for line in lines]


def modules(packages):
    return {module for package in packages for module in MODULES.get(package, [package.replace("-", "_")])}


def run(code, refused):
    """Runs code in another process; `refused` says in Python which packages are not there."""
    script = f"{BLOCK}\n{refused}\n{code}"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)


def with_their_own(packages):
    """These packages, and those that they need themselves."""
    found, open_ones = set(), list(packages)
    while open_ones:
        package = open_ones.pop()
        if package in found:
            continue
        found.add(package)
        with contextlib.suppress(PackageNotFoundError):
            needs = [line for line in requires(package) or [] if "extra ==" not in line]
            open_ones += [re.match(r"[\w-]+", line)[0].lower().replace("_", "-") for line in needs]
    return found


def without_other_extras(extra):
    every = {package for name in PROJECT["optional-dependencies"] for package in requirements(name)}
    gone = every - with_their_own(requirements(extra) + requirements())
    return f"refused = {sorted(modules(gone))!r}.__contains__"


def test_plain_search_needs_numpy_alone():
    done = run(PLAIN_SEARCH, NUMPY_ALONE)
    assert done.stdout == "fine\n", done.stderr


def test_what_is_refused_cannot_be_imported():
    assert "No module named 'rich'" in run("import rich", NUMPY_ALONE).stderr
    assert "No module named 'torch'" in run("import torch", without_other_extras("web")).stderr


ENOUGH = {
    "learn": "from ludus.cli import train, topp, zoo, measure, plan; import ludus.learn.run, ludus.learn.policy_agent",
    "web": "import uvicorn, websockets; from ludus.cli import serve; import ludus.web.app",
    "oht": "import uvicorn, ludus.cli.oht.serve, ludus.cli.oht.play, ludus.protocols.oht.storage.rounds\n"
    "from ludus.protocols.oht.serving import certificate, server\nfrom ludus.protocols.oht.page import api, https",
    "peers": "from ludus.protocols import openspiel, openspiel_agents; openspiel.load('tic_tac_toe').start()",
    "postgres": "import psycopg",
    "notebooks": "import ipykernel, nbclient, nbformat",
}


@pytest.mark.parametrize("extra", sorted(ENOUGH))
def test_an_extra_is_enough_for_what_it_is_for(extra):
    done = run(ENOUGH[extra] + "\nprint('fine')", without_other_extras(extra))
    assert done.stdout == "fine\n", done.stderr


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["train", "hex", "--run", "unused"], "learn"),
        (["match", "zoo:hex5", "random", "--game", "hex", "--size", "5"], "learn"),
        (["serve"], "web"),
        (["oht", "serve"], "oht"),
    ],
)
def test_a_missing_extra_is_named_in_a_sentence(arguments, extra, tmp_path):
    code = f"import os; os.chdir({str(tmp_path)!r})\nsys.argv[1:] = {arguments!r}\nfrom ludus.cli import main\nmain()"
    done = run(code, f"refused = {sorted(modules(requirements(extra)))!r}.__contains__")
    assert done.returncode != 0 and f"pip install 'ludus[{extra}]'" in done.stderr and "Traceback" not in done.stderr


def imports():
    """The packages that the modules of Ludus import, each with the file that does; the courses have their own."""
    for path in (path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "courses"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else names
            yield from ((name.partition(".")[0], path.relative_to(PACKAGE)) for name in names)


def test_every_package_that_is_imported_is_asked_for():
    asked = modules(requirements()).union(*(modules(requirements(extra)) for extra in PROJECT["optional-dependencies"]))
    for package, path in imports():
        known = package in sys.stdlib_module_names or package in asked | {"ludus", "_typeshed"}
        assert known, f"{path} imports {package}, which pyproject.toml does not name"


def test_what_development_needs_includes_what_the_extras_need():
    for extra in PROJECT["optional-dependencies"].keys() - {"cluster"}:  # Ray is large: tests without it say so
        assert set(requirements(extra)) <= set(requirements("dev")) | set(requirements()), extra
