"""The agent file for the course's manager, which stands alone: the plain modules of this package, joined into one.

othello_rules.py, values.py, nodes.py and pipe.py import only the standard library and each other. Without their
docstrings and imports, one after the other, they are the file.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ludus.errors import BadOption
from ludus.protocols import othello_rules
from ludus.protocols.program import shorten

MOST_SECONDS = 1_000_000  # for a move; an infinite number could not be written into the file
HERE = Path(__file__).parent
PARTS = {
    "The rules": Path(othello_rules.__file__),
    "What a board is worth": HERE / "values.py",
    "Minimax, alpha-beta, and a search that keeps the time": HERE / "nodes.py",
    "A game with the manager": HERE / "pipe.py",
}

HEAD = '''\
#!/usr/bin/env python3
"""An Othello agent for the manager of CSC384: `python3 othello_gui.py -d 8 -a agent.py`. It needs Python 3.7 or newer.

A board is rows of cells, 0 empty, 1 dark, 2 light, as tuples or lists. A move is (column, row). The game ends when the
player to move has no move. `color` is the colour of the agent at max nodes and at min nodes alike, and values are for
it. `limit` is how many plies are searched below a node, a negative one means no limit. Made by `ludus course csc384`.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TextIO

    Board = Sequence[Sequence[int]]
    Move = tuple[int, int]
    Found = tuple[Move | None, float]
'''

TAIL = """

if __name__ == "__main__":
    run_ai({arguments})
"""


@dataclass(frozen=True)
class AgentFile:
    """An agent that the course's manager can run from any folder: python3 othello_gui.py -d 8 -a agent.py"""

    # graded: the assignment's own searches, no Ludus; heuristic: iterative deepening of Ludus; mcts: its tree search
    strength: Literal["graded", "heuristic", "mcts"] = "graded"
    name: str = "Ludus"  # how it introduces itself
    seconds: float = 10.0  # what the manager gives for a move

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= MOST_SECONDS:
            raise BadOption(f"seconds must be a number above 0, at most {MOST_SECONDS:,}, not {self.seconds!r}")
        if not self.name.isascii() or not self.name.strip() or self.name != shorten(self.name):
            raise BadOption(f"the name must be a line of plain letters, because the manager reads ASCII: {self.name!r}")

    def content(self) -> str:
        """The file. Strengths other than graded know where Ludus is: the Python that runs now."""
        ludus = "" if self.strength == "graded" else sys.executable
        chosen = {"strength": self.strength, "name": self.name, "seconds": self.seconds, "ludus": ludus}
        usual = {"strength": "graded", "name": "Ludus", "seconds": 10.0, "ludus": ""}
        arguments = ", ".join(f"{key}={value!r}" for key, value in chosen.items() if value != usual[key])
        return HEAD + "".join(map(part, PARTS)) + TAIL.format(arguments=arguments)

    def next_step(self, path: Path) -> str:
        """What to try with the file."""
        return f"Try it: python3 othello_gui.py -d 8 -a {path}, or ludus othello -d 8 -a {path}"


def part(title: str) -> str:
    """A module without its docstring and imports, under a title."""
    source = PARTS[title].read_text(encoding="utf-8")
    begin = max(end_of(statement) for statement in ast.parse(source).body if is_preface(statement))
    rule = f"# {title} ".ljust(119, "-")
    return "\n\n" + rule + "\n" + "\n".join(source.splitlines()[begin:]).rstrip() + "\n"


def is_preface(statement: ast.stmt) -> bool:
    """Is it an import, or the imports that are for type checkers only?"""
    checking = isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"
    return checking or isinstance(statement, ast.Import | ast.ImportFrom)


def end_of(statement: ast.stmt) -> int:
    assert statement.end_lineno is not None
    return statement.end_lineno


FILES = {"agent.py": AgentFile}
