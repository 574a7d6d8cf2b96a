"""Go on boards from 2x2 to 19x19."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from ludus import _core
from ludus.errors import BadOption, UnreadableAction, whole_option
from ludus.game import Action, Game, NativeState, Player, State, Symmetry, native, seen_by
from ludus.games import grid
from ludus.games.board import Board, Point, square
from ludus.text import STONES, wants_color

CLOSING_GAMES, CLOSING_SHARE = 100, 0.97  # random games before a pass, and the share of them that must end alike
COLUMNS = "ABCDEFGHJKLMNOPQRST"  # there is no I


@dataclass(frozen=True)
class Go(Game):
    """Surround to capture; the larger area wins. White, who moves second, gets komi."""

    name: ClassVar[str] = "go"
    searched_by: ClassVar[str] = "mcts:rave=true,hints=true,playout=quick"
    signs: ClassVar[tuple[str, str] | None] = STONES[1:]
    unit: ClassVar[str | None] = "point"
    size: int = 9
    komi: float | None = None  # None: 0.5 up to 5x5, 5.5 up to 9x9, 7.5 above
    superko: Literal["forbidden", "draw"] = "forbidden"  # a repeated position is illegal, or ends the game as a draw
    max_length: int | None = None  # in actions; None: 2 × size × size

    def __post_init__(self) -> None:
        whole_option("size", self.size, 2, 19)
        if self.komi is None:
            object.__setattr__(self, "komi", 0.5 if self.size <= 5 else 5.5 if self.size <= 9 else 7.5)
        elif (
            not isinstance(self.komi, int | float) or isinstance(self.komi, bool) or not abs(self.komi) <= self.size**2
        ):
            raise BadOption(f"komi must be a number from {-(self.size**2)} to {self.size**2}, not {self.komi!r}")
        if self.superko not in ("forbidden", "draw"):
            raise BadOption(f"superko must be 'forbidden' or 'draw', not {self.superko!r}")
        if self.max_length is None:
            object.__setattr__(self, "max_length", 2 * self.size**2)
        whole_option("max_length", self.max_length, 1, 2 * self.size**2)

    @property
    def leaf_playouts(self) -> tuple[float, Literal["quick", "estimate"]]:
        return 0.5, "quick"  # playouts see captures that a critic of some hours misses

    @property
    def num_actions(self) -> int:
        return self.size**2 + 1  # the last one is the pass

    def start(self) -> NativeState:
        return self._begin(None, [0] * self.size**2, 0)

    def _begin(self, origin: tuple[str, Player | None] | None, cells: list[int], player: Player) -> NativeState:
        assert self.komi is not None and self.max_length is not None  # __post_init__ has filled them in
        draws = self.superko == "draw"
        return _core.go(self, self.size, float(self.komi), draws, self.max_length, origin, cells, player)

    def closing(self, state: State, rng: _core.Rng) -> Action | None:
        """A pass: of the winner, if sensible random play changes nothing; of the loser, if the winner has passed, too.

        Only in games that began with an empty board: those of other programs may count the end otherwise.
        """
        now, last = native(state), self.size**2
        if now.origin is not None or 3 * now.cells().count(0) > 2 * last:
            return None
        passed = native(now.play(last))
        ended = passed if passed.over else native(passed.play(last))
        score = ended.score(now.player)
        if passed.over and score > 0:
            return last
        if score == 0 or (score < 0 and not passed.over):
            return None
        wins, _, losses = _core.rollouts(now if passed.over else passed, CLOSING_GAMES, rng, "quick")
        kept = wins if score == seen_by(now.player, 0, 1) else losses
        return last if kept >= CLOSING_SHARE * CLOSING_GAMES else None

    def _write(self, action: Action) -> str:
        """D4: the column (without I) and the row counted from the bottom, as Go players do."""
        return "pass" if action == self.size**2 else f"{COLUMNS[action % self.size]}{action // self.size + 1}"

    def read(self, text: str) -> Action:
        word = str(text).strip().upper()
        if word == "PASS":
            return self.size**2
        match = re.fullmatch(r"([A-HJ-T])(\d{1,2})", word)
        if match and COLUMNS.index(match[1]) < self.size and 1 <= int(match[2]) <= self.size:
            return (int(match[2]) - 1) * self.size + COLUMNS.index(match[1])
        corner = self.write(self.size**2 - 1)
        raise UnreadableAction(
            f"cannot read {text!r}: a move is 'pass' or a point from A1 to {corner} (no column is I)"
        )

    def draw(self, state: State, color: bool | None = None) -> str:
        rows = [(str(r + 1), r) for r in reversed(range(self.size))]
        lines = grid.draw_rows(state, self.size, rows, grid.last_cell(state), (), wants_color(color))
        return "\n".join([*lines, "    " + "".join(f" {COLUMNS[c]} " for c in range(self.size))])

    def board(self, state: State) -> Board:
        """Stones stand on the crossings of lines, row 1 at the bottom; at the end the surrounded points have owners."""
        n = self.size
        rows = [str(n - y) for y in range(n)]
        far = n - 1
        return grid.stone_board(
            self,
            state,
            [square(self._write(i), i % n, far - i // n) for i in range(n * n)],
            grid.edge_labels(COLUMNS[:n], rows, above=False),
            lines=tuple(line for k in range(n) for line in (((0, k), (far, k)), ((k, 0), (k, far)))),
            dots=star_points(n),
            owners=self.territory(native(state).cells()) if state.over else {},
            colors="black and white",
        )

    def territory(self, cells: Sequence[int]) -> dict[int, Player]:
        """The empty points that only one player's stones surround, with that player."""
        owners: dict[int, Player] = {}
        seen: set[int] = set()
        for start, code in enumerate(cells):
            if code or start in seen:
                continue
            region, around, open_points = {start}, set(), [start]
            while open_points:
                for near in self.neighbours(open_points.pop()):
                    if cells[near]:
                        around.add(cells[near])
                    elif near not in region:
                        region.add(near)
                        open_points.append(near)
            seen |= region
            if len(around) == 1:
                owners |= dict.fromkeys(region, around.pop() - 1)
        return owners

    def neighbours(self, point: int) -> list[int]:
        """The up to four points next to a point."""
        row, column = divmod(point, self.size)
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [r * self.size + c for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def read_board(self, text: str, player: Player | None = None) -> NativeState:
        """The state that a drawing shows, row 1 at the bottom. Black is to move unless `player` says otherwise."""
        rows = grid.read_cells(text, self.size, self.size)
        cells = [code for r in reversed(range(self.size)) for code in rows[r * self.size : (r + 1) * self.size]]
        return self._begin((text, player), cells, grid.mover(player, 0))

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        return tuple(grid.turned(way, range(6), self.size, self.size, 1) for way in grid.turns(square=True))


def star_points(size: int) -> tuple[Point, ...]:
    """The marked points: nine on large boards, the corners' and the middle one on smaller ones."""
    if size < 5:
        return ()
    edge, middle = 3 if size >= 12 else 2, (size - 1) / 2
    lines = [edge, size - 1 - edge] if size >= 8 else []
    points = [(x, y) for x in lines for y in lines] + ([(middle, middle)] if size % 2 else [])
    if size % 2 and size >= 15:
        points += [point for x in lines for point in ((x, middle), (middle, x))]
    return tuple(points)
