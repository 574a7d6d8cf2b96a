"""What a task for a worker is: which position it is about, and how it says what it needs. The tasks are in jobs.py.

A task is a small frozen dataclass that can be pickled. Its work is a generator: each step takes a few hundredths of a
second at most, so that a worker can go round many of them, and yields what is to be reported.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ludus.game import Action

if TYPE_CHECKING:
    from ludus.web.searching.tools import Tools

SLICE = 0.025  # seconds of a step

Facts = dict[str, Any]  # what is reported: plain JSON, actions as whole numbers, values for the player to move


@dataclass(frozen=True)
class Place:
    """A position: a game as `ludus.make` takes it, and the actions since its start."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Aside:
    """Yielded before a step that may take long: it gets a thread of its own. After `seconds` it counts as stuck."""

    seconds: float = 30.0


@dataclass(frozen=True)
class Rest:
    """Yielded when the work is done: the job only answers questions, until it is cancelled or the time is up."""

    seconds: float = 600.0


# A step yields a report, nothing, or what it needs; the facts of the last report are the generator's return value.
# A mistake is a LudusError, whose sentence is reported.
Steps = Generator[Facts | Aside | Rest | None, None, Facts]


class Task(Protocol):
    """Work for a worker. Anything with these members is one, wherever it is defined."""

    @property
    def table(self) -> str:
        """Whose agents are used. A worker keeps them, with their trees, from one urgent task of a table to the next."""

    @property
    def urgent(self) -> bool:
        """Somebody waits for the result: it goes before the others, and to the worker that has the table's agents."""

    def steps(self, tools: Tools, /) -> Steps:
        """The work, step by step. `tools` has games, agents and solvers, which the worker keeps."""
