"""Nim: one heap of stones, take some, the last stone wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludus import _core
from ludus.errors import UnreadableAction, whole_option
from ludus.game import Action, Game, NativeState, Player, State, native
from ludus.games.board import Board, Label, Piece, square
from ludus.text import paint, wants_color

MOST_SHOWN = 100  # stones that a board has cells for


@dataclass(frozen=True)
class Nim(Game):
    """Take 1 to `most` stones from a heap; whoever takes the last one wins."""

    name: ClassVar[str] = "nim"
    stones: int = 15  # in the heap at the start
    most: int = 3  # that a player may take at once
    starter: Player = 0

    def __post_init__(self) -> None:
        whole_option("stones", self.stones, 1, 1_000_000)
        whole_option("most", self.most, 1, 1_000_000)
        whole_option("starter", self.starter, 0, 1)

    @property
    def num_actions(self) -> int:
        return self.most

    def start(self) -> NativeState:
        return _core.nim(self, self.stones, self.most, self.starter)

    def _write(self, action: Action) -> str:
        return str(action + 1)

    def read(self, text: str) -> Action:
        number = str(text).strip()
        if not (number.isdecimal() and len(number) < 9 and 1 <= int(number) <= self.most):
            raise UnreadableAction(f"cannot read {text!r}: say how many stones to take, from 1 to {self.most}")
        return int(number) - 1

    def draw(self, state: State, color: bool | None = None) -> str:
        left = self.left(state)
        heap = paint("| " * min(left, 30) + ("… " if left > 30 else ""), "1;33", wants_color(color))
        return f"{heap}{left} stone{'' if left == 1 else 's'}"

    def left(self, state: State) -> int:
        """How many stones the heap still has."""
        return self.stones - sum(action + 1 for action in native(state).history)

    def board(self, state: State) -> Board:
        """The heap in rows of ten. Stones are taken from its end, so an action belongs to the first stone it takes.

        A large heap shows its last stones, in as many cells as fit; the label tells how many there are.
        """
        left, history = self.left(state), native(state).history
        places = min(self.stones, MOST_SHOWN)
        hidden = max(0, left - places)
        shown = left - hidden
        legal = state.actions()[:shown]
        return Board(
            tuple(square(str(hidden + i + 1), i % 10, i // 10) for i in range(places)),
            tuple(Piece(i, "counter") for i in range(shown)),
            cell_of={action: shown - 1 - action for action in legal},
            others=tuple(state.actions()[shown:]),
            names={action: self.write(action) for action in state.actions()},
            last=tuple(range(shown, min(shown + history[-1] + 1, places))) if history else (),
            labels=(Label(f"{left:,} stone{'' if left == 1 else 's'}", (min(places, 10) / 2 - 0.5, -0.8)),),
            aim=self.aim,
        )
