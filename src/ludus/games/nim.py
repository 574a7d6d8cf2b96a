"""Nim: one heap of stones, take some, the last stone wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludus import _core
from ludus.errors import UnreadableAction, whole_option
from ludus.game import Action, Game, NativeState, Player, State, native
from ludus.text import paint, wants_color


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
        left = self.stones - sum(a + 1 for a in native(state).history)
        heap = paint("| " * min(left, 30) + ("… " if left > 30 else ""), "1;33", wants_color(color))
        return f"{heap}{left} stone{'' if left == 1 else 's'}"
