"""A board as a value: where its cells lie, what stands on them, and which cell each action belongs to.

A game describes its board with it (`game.board(state)`); text, SVG, pictures and web pages are drawn from it without
knowing the game. Nothing is drawn here, and nothing of Ludus is imported: the contract in game.py names these types.

Coordinates grow to the right and downwards. Neighbouring cells are one unit apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Point = tuple[float, float]


@dataclass(frozen=True)
class Cell:
    """A place where something can stand."""

    name: str  # as people write it
    centre: Point
    outline: tuple[Point, ...]  # the corners of the polygon around it


@dataclass(frozen=True)
class Piece:
    """Something that stands in a cell."""

    cell: int
    kind: Literal["stone", "counter", "copper", "gold"] = "stone"
    player: int | None = None  # its owner; None: it belongs to nobody


@dataclass(frozen=True)
class Side:
    """A stretch of the edge that belongs to a player."""

    player: int
    line: tuple[Point, ...]


@dataclass(frozen=True)
class Label:
    """A text beside the board, such as the letter of a column."""

    text: str
    at: Point


@dataclass(frozen=True)
class Board:
    """Everything that is needed to draw a state. Cells are numbered by their place in `cells`."""

    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...] = ()
    cell_of: Mapping[int, int] = field(default_factory=dict, hash=False)  # the cell of each legal action …
    others: tuple[int, ...] = ()  # … and the legal actions that have none, such as a pass
    names: Mapping[int, str] = field(default_factory=dict, hash=False)  # each legal action as people write it
    last: tuple[int, ...] = ()  # the cells of the last move, the one it ended in first
    won: tuple[int, ...] = ()  # the cells of the winning line or chain
    owners: Mapping[int, int] = field(
        default_factory=dict, hash=False
    )  # empty cells that count for a player at the end
    sides: tuple[Side, ...] = ()
    labels: tuple[Label, ...] = ()
    lines: tuple[
        tuple[Point, Point], ...
    ] = ()  # with lines, pieces stand on their crossings and cells are not outlined
    dots: tuple[Point, ...] = ()  # marked crossings
    colors: Literal["warm and cool", "black and white"] = "warm and cool"  # of player 0 and player 1
    signs: tuple[str, str] | None = None  # the players' letters; None where pieces belong to nobody
    unit: str | None = None  # of the margin: "disc", "point"
    aim: str = ""  # what the players try to do on this board, in a sentence
    turned_by: float = 0.0  # degrees, clockwise, from rows that lie flat

    def piece_at(self, cell: int) -> Piece | None:
        """What stands in a cell."""
        return next((piece for piece in self.pieces if piece.cell == cell), None)

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """The smallest rectangle around cells, sides and labels: left, top, right, bottom."""
        points = [p for cell in self.cells for p in cell.outline]
        points += [p for side in self.sides for p in side.line] + [label.at for label in self.labels]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)

    def moved(self, move: Callable[[Point], Point]) -> Board:
        """The same board with every point elsewhere: turned, stretched or shifted."""

        def points(line: Iterable[Point]) -> tuple[Point, ...]:
            return tuple(move(p) for p in line)

        return replace(
            self,
            cells=tuple(replace(c, centre=move(c.centre), outline=points(c.outline)) for c in self.cells),
            sides=tuple(replace(s, line=points(s.line)) for s in self.sides),
            labels=tuple(replace(label, at=move(label.at)) for label in self.labels),
            lines=tuple((move(a), move(b)) for a, b in self.lines),
            dots=points(self.dots),
        )

    def turned(self, degrees: float) -> Board:
        """The same board, turned clockwise."""
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        board = self.moved(lambda p: (c * p[0] - s * p[1], s * p[0] + c * p[1]))
        return replace(board, turned_by=self.turned_by + degrees)


def square(name: str, x: float, y: float) -> Cell:
    """A square cell with sides of one unit."""
    return Cell(name, (x, y), ((x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)))
