"""Handicap in Go as GTP has it: where the stones stand that Black gets before White begins."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.game import Action
from ludus.games.go import Go
from ludus.protocols.gtp_lines import Refusal, whole
from ludus.protocols.gtp_table import Table
from ludus.protocols.gtp_words import pass_action, read_vertex, write_vertex

SMALLEST = 7  # boards below this size have no fixed points


def fixed_points(game: Go, stones: int) -> list[Action]:
    """The points of a fixed handicap, in the order in which GTP names them."""
    if not 2 <= stones <= most_fixed(game):
        raise Refusal("invalid number of stones")
    edge = 3 if game.size >= 13 else 2
    low, middle, high = edge, game.size // 2, game.size - 1 - edge
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    points = corners[:stones] if stones < 6 else corners + sides[: stones - stones % 2 - 4]
    if stones > 4 and stones % 2:
        points.append((middle, middle))
    return [row * game.size + column for row, column in points]


def most_fixed(game: Go) -> int:
    """The stones of the largest fixed handicap."""
    if game.size < SMALLEST:
        return 0
    return 9 if game.size % 2 and game.size > SMALLEST else 4


def fixed(table: Table, stones: str) -> str:
    """`fixed_handicap`: stones on the fixed points, and where they stand."""
    return put(table, fixed_points(go_on(table), whole(stones)))


def place(table: Table, stones: str) -> str:
    """`place_free_handicap`: the engine chooses the fixed points; where more stones are asked for, all of them."""
    game = go_on(table)
    return put(table, fixed_points(game, min(whole(stones), most_fixed(game))))


def set_free(table: Table, *vertices: str) -> None:
    """`set_free_handicap`: stones on the points that somebody has chosen."""
    game = go_on(table)
    points = [read_vertex(game, vertex) for vertex in vertices]
    if pass_action(game) in points or not 2 <= len(set(points)) == len(points) < game.size**2:
        raise Refusal("bad vertex list")
    put(table, points)


def put(table: Table, points: Sequence[Action]) -> str:
    """Stones for Black on an empty board, and where they stand."""
    table.set_handicap(points)
    return " ".join(write_vertex(table.game, point) for point in points)


def go_on(table: Table) -> Go:
    """The game on a table, which is Go."""
    assert isinstance(table.game, Go)
    return table.game
