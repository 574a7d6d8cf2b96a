"""What every explanation of a decision offers: words, a table, JSON and a picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludus.game import Action, Game, State

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Explanation(ABC):
    """Why an agent chose an action in a state. Each kind of agent has its own."""

    game: Game
    state: State
    chosen: Action

    @abstractmethod
    def in_words(self) -> str:
        """Why the action was chosen, for somebody who has never seen a search or a network."""

    @abstractmethod
    def table(self) -> list[str]:
        """The actions with their numbers, as lines of text."""

    @abstractmethod
    def as_json(self) -> dict[str, object]:
        """The same numbers, for programs."""

    @abstractmethod
    def draw(self, figure: Figure) -> None:
        """The picture, into an empty figure."""

    def write(self, action: Action) -> str:
        return self.game.write(action)

    def write_line(self, actions: list[Action], most: int = 6) -> str:
        return " ".join(self.write(action) for action in actions[:most]) + (" …" if len(actions) > most else "")


def percent(share: float) -> str:
    """A share as text: 12%, and not 0% where it is more than nothing."""
    return "less than 1%" if 0 < share < 0.005 else f"{share:.0%}"


def points(value: float) -> str:
    """A value from -1 to +1 as a share of the points: a win is 100%, a draw 50%."""
    return f"{(value + 1) / 2:.0%}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun: "1 ply", "3 plies"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
