"""Three generations of the course's files, and in what their interfaces differ."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.errors import BadOption
from ludus.text import did_you_mean


@dataclass(frozen=True)
class Generation:
    """What changed between autumn 2024 and spring 2026."""

    name: str
    default_size: int  # of GoProblem()
    rows_first: bool  # actions as coordinates: (row, column) and "pass", or (x, y) for all of them
    classes: bool  # the runner is GameRunner with its output, or run_game and run_many with theirs
    announced: tuple[int, ...]  # players whose overrun is announced
    second_agent: str  # whom the runner takes if it is not told

    def coordinate(self, action: int, size: int) -> tuple[int, int]:
        """An action as a pair of numbers."""
        row, column = divmod(action, size)
        return (row, column) if self.rows_first else (column, row)

    def write(self, action: int, size: int) -> str:
        """An action as text: "(2, 3)", and "pass" where the generation has a word for it."""
        if self.rows_first and action == size * size:
            return "pass"
        first, second = self.coordinate(action, size)
        return f"({first}, {second})"


F24 = Generation("f24", 9, False, False, (1, 2), "alphabeta")
S25 = Generation("s25", 5, False, False, (2,), "alphabeta")
S26 = Generation("s26", 5, True, True, (1, 2), "random")  # the files of F25 are the same
KNOWN = {"f24": F24, "s25": S25, "f25": S26, "s26": S26}
_in_use = F24


def use(name: str) -> Generation:
    """From now on GoState and GoProblem are as in this generation: f24 (the usual one), s25, f25 or s26."""
    global _in_use
    if name.lower() not in KNOWN:
        raise BadOption(f"there is no generation {name!r} of the course; {did_you_mean(name, KNOWN)}")
    _in_use = KNOWN[name.lower()]
    return _in_use


def current() -> Generation:
    """The generation in use."""
    return _in_use


def early() -> Generation:
    """The generation in use, if it has functions for a runner; else the first one."""
    return F24 if _in_use.classes else _in_use
