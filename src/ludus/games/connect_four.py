"""Connect Four on boards of any size: stones drop into columns, and `line` of them in a row win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from ludus import _core
from ludus.errors import BadBoard, BadOption, UnreadableAction, whole_option
from ludus.game import Action, Game, NativeState, Player, State, Symmetry, native
from ludus.games import grid
from ludus.games.board import Board, square
from ludus.games.tic_tac_toe import check_line
from ludus.text import STONES, wants_color

BOOK = Path(__file__).parent / "connect_four.book"  # made by experiments/opening_book.py
BOOK_STONES = 12  # a position with more of them is not in the book
_core.connect_four_book(BOOK.read_bytes())


@dataclass(frozen=True)
class ConnectFour(Game):
    """Drop stones into columns in turn; `line` of them in a row, column or diagonal win, a full board is a draw."""

    name: ClassVar[str] = "connect_four"
    signs: ClassVar[tuple[str, str] | None] = STONES[1:]
    solver_reach: ClassVar[int] = 34
    solver_limit: ClassVar[int] = 42
    width: int = 7
    height: int = 6
    line: int = 4  # how many in a row win

    def __post_init__(self) -> None:
        whole_option("width", self.width, 1, 32)
        whole_option("height", self.height, 1, 32)
        check_line(self.line, self.width, self.height)
        if self.width * (self.height + 1) > 128:
            raise BadOption(f"{self.width}x{self.height} is too large: width × (height + 1) may be at most 128")

    @property
    def num_actions(self) -> int:
        return self.width

    @property
    def solver_book(self) -> int | None:
        return 42 - BOOK_STONES if (self.width, self.height, self.line) == (7, 6, 4) else None

    def start(self) -> NativeState:
        return _core.connect_four(self, self.width, self.height, self.line, None, [0] * (self.width * self.height), 0)

    def _write(self, action: Action) -> str:
        return str(action + 1)

    def read(self, text: str) -> Action:
        number = str(text).strip()
        if not (number.isdecimal() and len(number) < 4 and 1 <= int(number) <= self.width):
            raise UnreadableAction(f"cannot read {text!r}: say the number of a column, from 1 to {self.width}")
        return int(number) - 1

    def after(self, moves: str | Sequence[Action]) -> State:
        """The state after moves such as "4 4 3", or "443" where every column has one digit."""
        return super().after(" ".join(moves) if isinstance(moves, str) and self.width <= 9 else moves)

    def draw(self, state: State, color: bool | None = None) -> str:
        won = grid.winning_line(native(state).cells(), self.width, self.height, self.line)
        last = self.last_stone(state)
        rows = [("", r) for r in range(self.height)]
        numbers = "    " + "".join(f"{c + 1:>2} " for c in range(self.width))
        return "\n".join([*grid.draw_rows(state, self.width, rows, last, won, wants_color(color)), numbers])

    def last_stone(self, state: State) -> int | None:
        """The cell of the stone that was dropped last: the topmost one of its column."""
        cells, history = native(state).cells(), native(state).history
        return next(i for i in range(history[-1], len(cells), self.width) if cells[i]) if history else None

    def board(self, state: State) -> Board:
        """Every cell has the name of its column, and a column belongs to the cell in which its next stone lands."""
        cells, last = native(state).cells(), self.last_stone(state)
        columns = [str(c + 1) for c in range(self.width)]
        landing = {c: max(i for i in range(c, len(cells), self.width) if not cells[i]) for c in state.actions()}
        return grid.stone_board(
            self,
            state,
            [square(columns[i % self.width], i % self.width, i // self.width) for i in range(len(cells))],
            grid.edge_labels(columns, [""] * self.height, above=False),
            cell_of=landing,
            last=() if last is None else (last,),
            won=tuple(sorted(grid.winning_line(cells, self.width, self.height, self.line))),
        )

    def read_board(self, text: str, player: Player | None = None) -> NativeState:
        cells = grid.read_cells(text, self.width, self.height)
        for above, below in zip(cells, cells[self.width :], strict=False):
            if above and not below:
                raise BadBoard("a stone on this board hangs in the air: below every stone is a stone or the floor")
        turn = grid.mover_by_count(cells, player)
        grid.refuse_two_winners(cells, self.width, self.height, self.line)
        return _core.connect_four(self, self.width, self.height, self.line, (text, player), cells, turn)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        import numpy as np

        mirror = grid.turned(np.fliplr, range(5), self.height, self.width, 0)
        columns = np.arange(self.width)
        return Symmetry(np.arange(len(mirror.planes)), columns), Symmetry(mirror.planes, columns[::-1].copy())
