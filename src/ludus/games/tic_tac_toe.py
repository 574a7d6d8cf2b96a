"""Tic-tac-toe on boards of any size: `line` stones in a row win."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ludus import _core
from ludus.errors import BadOption, whole_option
from ludus.game import Action, Game, NativeState, Player, State, Symmetry, native
from ludus.games import grid
from ludus.games.board import Board
from ludus.text import STONES, wants_color


@dataclass(frozen=True)
class TicTacToe(Game):
    """Set stones in turn; `line` of them in a row, column or diagonal win, a full board is a draw."""

    name: ClassVar[str] = "tic_tac_toe"
    signs: ClassVar[tuple[str, str] | None] = STONES[1:]
    width: int = 3
    height: int = 3
    line: int = 3  # how many in a row win

    def __post_init__(self) -> None:
        whole_option("width", self.width, 1, 19)
        whole_option("height", self.height, 1, 19)
        check_line(self.line, self.width, self.height)

    @property
    def spoken_name(self) -> str:
        return "Tic-tac-toe"

    @property
    def num_actions(self) -> int:
        return self.width * self.height

    def start(self) -> NativeState:
        return _core.tic_tac_toe(self, self.width, self.height, self.line, None, [0] * self.num_actions, 0)

    def _write(self, action: Action) -> str:
        return grid.write_cell(action, self.width)

    def read(self, text: str) -> Action:
        return grid.read_cell(text, self.width, self.height)

    def draw(self, state: State, color: bool | None = None) -> str:
        won = grid.winning_line(native(state).cells(), self.width, self.height, self.line)
        rows = [(str(r + 1), r) for r in range(self.height)]
        letters = "    " + "".join(f" {grid.LETTERS[c]} " for c in range(self.width))
        return "\n".join(
            [letters, *grid.draw_rows(state, self.width, rows, grid.last_cell(state), won, wants_color(color))]
        )

    def board(self, state: State) -> Board:
        labels = grid.edge_labels(grid.LETTERS[: self.width], [str(r + 1) for r in range(self.height)], above=True)
        won = grid.winning_line(native(state).cells(), self.width, self.height, self.line)
        return grid.stone_board(self, state, grid.squares(self.width, self.height), labels, won=tuple(sorted(won)))

    def read_board(self, text: str, player: Player | None = None) -> NativeState:
        cells = grid.read_cells(text, self.width, self.height)
        turn = grid.mover_by_count(cells, player)
        grid.refuse_two_winners(cells, self.width, self.height, self.line)
        return _core.tic_tac_toe(self, self.width, self.height, self.line, (text, player), cells, turn)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        ways = grid.turns(square=self.width == self.height)
        return tuple(grid.turned(way, (0, 1), self.height, self.width, 0) for way in ways)


def check_line(line: int, width: int, height: int) -> None:
    """Refuses a line that fits nowhere on the board."""
    whole_option("line", line, 2, 19)
    if line > max(width, height):
        raise BadOption(f"a line of {line} does not fit on a board of {width}x{height}")
