"""Hex: join your two sides of the diamond."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar

from ludus import _core
from ludus.errors import BadBoard, switch_option, whole_option
from ludus.game import Action, Game, NativeState, Player, State, Symmetry, native
from ludus.games import grid
from ludus.games.board import Board, Cell, Label, Point, Side
from ludus.text import STONES, plain, side, stone, wants_color

BOOK = Path(__file__).parent / "hex7.book"  # made by experiments/opening_book.py
_core.hex_book(BOOK.read_bytes())
STEP = 3**0.5 / 2  # from the centres of a flat row to those of the next


@dataclass(frozen=True)
class Hex(Game):
    """Player 0 (X) joins the top and bottom rows, player 1 (O) the left and right columns; one of them succeeds."""

    name: ClassVar[str] = "hex"
    searched_by: ClassVar[str] = "mcts:rave=true,hints=true,playout=quick"
    signs: ClassVar[tuple[str, str] | None] = STONES[1:]
    solver_limit: ClassVar[int] = 66
    size: int = 7
    swap: bool = False  # may the second player take over the first stone?
    starter: Player = 0

    def __post_init__(self) -> None:
        whole_option("size", self.size, 3, 19)
        switch_option("swap", self.swap)
        whole_option("starter", self.starter, 0, 1)

    @property
    def num_actions(self) -> int:
        return self.size**2 + self.swap  # the last one is the swap

    def start(self) -> NativeState:
        return _core.hex(self, self.size, self.swap, None, [0] * self.size**2, self.starter)

    def _write(self, action: Action) -> str:
        return "swap" if action == self.size**2 else grid.write_cell(action, self.size)

    def read(self, text: str) -> Action:
        if self.swap and str(text).strip().lower() == "swap":
            return self.size**2
        return grid.read_cell(text, self.size, self.size)

    def draw(self, state: State, color: bool | None = None) -> str:
        """A diamond with a1 on top. Row 1 runs down its upper right side, column a down its upper left side."""
        colored, n = wants_color(color), self.size
        cells, last = native(state).cells(), self.last_stone(state)
        won = self.winning_chain(cells) if state.over else ()
        lines = []
        for level in range(2 * n - 1):  # the cells with row + column == level lie on one line
            rows = range(min(level, n - 1), max(0, level - n + 1) - 1, -1)
            here = [r * n + level - r for r in rows]
            inside = " ".join(stone(cells[i], last=i == last, won=i in won, color=colored) for i in here)
            upper = level < n
            left, right = (1, 0) if upper else (0, 1)  # whose sides this line ends on
            number, letter = (f"{level + 1:>2}", grid.LETTERS[level]) if upper else ("  ", "")
            edges = [
                side(left, STONES[left + 1] + "\\/"[upper], colored),
                side(right, "/\\"[upper] + STONES[right + 1], colored),
            ]
            indent = " " * (2 * (n - len(here)) + 1)
            lines.append(f"{indent}{number} {edges[0]}{inside}{edges[1]} {letter}".rstrip())
        return "\n".join(lines)

    @property
    def aim(self) -> str:
        """What the players try to do, in terms of the drawn diamond."""
        return "X joins the upper right and the lower left side, O the upper left and the lower right side."

    def last_stone(self, state: State) -> int | None:
        """The cell of the last stone; after a swap, the one stone on the board."""
        last = grid.last_cell(state)
        return native(state).cells().index(2 - self.starter) if last == self.size**2 else last

    def board(self, state: State, flat: bool = False) -> Board:
        """The diamond with a1 on top; `flat`: rows that lie flat, each half a cell further right than the one above."""
        last, cells, labels, sides, turned_by = self.last_stone(state), *ground(self.size, flat)
        board = grid.stone_board(
            self,
            state,
            cells,
            labels,
            last=() if last is None else (last,),
            won=tuple(sorted(self.winning_chain(native(state).cells()))) if state.over else (),
            sides=sides,
            turned_by=turned_by,
        )
        return replace(board, aim="X joins the top and bottom sides, O the left and right sides.") if flat else board

    def winning_chain(self, cells: list[int]) -> set[int]:
        """The cells of a shortest chain that joins two sides; none if there is no chain."""
        n = self.size
        for code in (1, 2):
            across = [i // n if code == 1 else i % n for i in range(n * n)]  # how far from the first side
            came_from = {i: -1 for i in range(n * n) if cells[i] == code and across[i] == 0}
            queue = deque(came_from)
            while queue:
                cell = queue.popleft()
                if across[cell] == n - 1:
                    chain = {cell}
                    while (cell := came_from[cell]) >= 0:
                        chain.add(cell)
                    return chain
                for near in self.neighbours(cell):
                    if cells[near] == code and near not in came_from:
                        came_from[near] = cell
                        queue.append(near)
        return set()

    def neighbours(self, cell: int) -> list[int]:
        """The up to six cells that touch a cell."""
        row, column = divmod(cell, self.size)
        steps = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
        near = [(row + r, column + c) for r, c in steps]
        return [r * self.size + c for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def read_board(self, text: str, player: Player | None = None) -> NativeState:
        """The state that a drawing shows: rows from the top (slanted or not), or a diamond."""
        cells = self._read_diamond(text) if isinstance(text, str) and "/" in text else None
        if cells is None:
            cells = grid.read_cells(text, self.size, self.size)
        turn = grid.mover_by_count(cells, player, self.starter)
        return _core.hex(self, self.size, self.swap, (text, player), cells, turn)

    def _read_diamond(self, text: str) -> list[int]:
        n, cells, inner = self.size, [0] * self.size**2, []
        for line in plain(text).splitlines():
            ends = [i for i, g in enumerate(line) if g in "/\\"]
            if len(ends) == 2:
                inner.append(line[ends[0] + 1 : ends[1]])
        levels = grid.glyph_lines("\n".join(inner))
        if [len(cells_of_level) for cells_of_level in levels] != [*range(1, n + 1), *range(n - 1, 0, -1)]:
            raise BadBoard(f"a diamond of size {n} has {2 * n - 1} lines, of 1 to {n} and back to 1 cells")
        for level, codes in enumerate(levels):
            top = min(level, n - 1)
            for k, code in enumerate(codes):
                cells[(top - k) * n + level - top + k] = code
        return cells

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The half turn; and the two reflections that let the players change places."""
        same, half, _, _, main, anti, _, _ = grid.turns(square=True)
        ways = [(same, (0, 1, 2, 3)), (half, (0, 1, 2, 3)), (main, (0, 1, 3, 2)), (anti, (0, 1, 3, 2))]
        return tuple(grid.turned(way, planes, self.size, self.size, int(self.swap)) for way, planes in ways)


@cache
def ground(n: int, flat: bool) -> tuple[tuple[Cell, ...], tuple[Label, ...], tuple[Side, ...], float]:
    """What no move changes: the cells, their names beside the board, the sides, and by how much all of it is turned."""
    cells = tuple(hexagon(grid.write_cell(i, n), i % n + i // n / 2, i // n * STEP) for i in range(n * n))
    letters = [Label(grid.LETTERS[c], shift(cells[c].centre, 0, -0.95)) for c in range(n)]
    numbers = [Label(str(r + 1), shift(cells[r * n].centre, -0.85, 0 if flat else 0.5)) for r in range(n)]
    board = Board(cells, labels=(*letters, *numbers), sides=sides_of(n, cells))
    board = board if flat else board.turned(60)
    return board.cells, board.labels, board.sides, board.turned_by


def sides_of(n: int, cells: Sequence[Cell]) -> tuple[Side, ...]:
    """Player 0 has the top and the bottom, player 1 the left and the right; corners as hexagon() orders them."""
    edges = [  # whose edge, the cells along it, and which of their corners
        (0, cells[:n], (5, 0, 1)),
        (0, cells[-n:], (4, 3, 2)),
        (1, cells[::n], (5, 4)),
        (1, cells[n - 1 :: n], (1, 2)),
    ]
    return tuple(Side(p, tuple(cell.outline[k] for cell in along for k in corners)) for p, along, corners in edges)


def hexagon(name: str, x: float, y: float) -> Cell:
    """A cell with six neighbours, one unit away. Its corners run clockwise from the top."""
    tall, low = STEP * 2 / 3, STEP / 3
    corners = ((0, -tall), (0.5, -low), (0.5, low), (0, tall), (-0.5, low), (-0.5, -low))
    return Cell(name, (x, y), tuple(shift((x, y), *corner) for corner in corners))


def shift(point: Point, right: float, down: float) -> Point:
    return point[0] + right, point[1] + down
