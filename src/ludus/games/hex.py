"""Hex: join your two sides of the diamond."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ludus import _core
from ludus.errors import BadBoard, switch_option, whole_option
from ludus.game import Action, Game, NativeState, Player, State, Symmetry, native
from ludus.games import grid
from ludus.text import STONES, plain, side, stone, wants_color


@dataclass(frozen=True)
class Hex(Game):
    """Player 0 (X) joins the top and bottom rows, player 1 (O) the left and right columns; one of them succeeds."""

    name: ClassVar[str] = "hex"
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
        cells, history = native(state).cells(), native(state).history
        won = self.winning_chain(cells) if state.over else ()
        last = history[-1] if history else None
        if last == n * n:  # a swap: the one stone on the board
            last = cells.index(2 - self.starter)
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
