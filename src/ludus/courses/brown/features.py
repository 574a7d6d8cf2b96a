"""What a network sees of a position, as a list of numbers; and which moves make sense at the end of a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ludus.courses.brown.states import native_of
from ludus.game import Action, NativeState, native
from ludus.games.go import Go

PLANES = 7  # boards among the features: my stones with 1, 2, more liberties; theirs; points forbidden by ko
NUMBERS = 2  # the other has just passed; I am White


def feature_count(size: int) -> int:
    """How many features a board of this size has."""
    return PLANES * size * size + NUMBERS


def get_features(state: Any) -> list[float]:
    """A position as the player to move sees it: seven boards one after the other, and two numbers.

    Stones are sorted by the liberties of their chains, because that is what decides captures and is hard to learn.
    """
    position = native_of(state)
    cells, mine = position.cells(), position.player + 1
    liberties = liberties_of(cells)
    boards = [[0.0] * len(cells) for _ in range(PLANES)]
    for point, code in enumerate(cells):
        if code:
            side = 0 if code == mine else 3
            boards[side + min(liberties[point], 3) - 1][point] = 1.0
    for point in forbidden(position, cells, liberties):
        boards[6][point] = 1.0
    return [number for board in boards for number in board] + [float(passed(position)), float(mine == 2)]


def passed(position: NativeState) -> bool:
    """Has the other player just passed?"""
    history = position.history
    return bool(history) and history[-1] == rules(position).size ** 2


def forbidden(position: NativeState, cells: Sequence[int], liberties: Sequence[int]) -> list[Action]:
    """Empty points that are illegal although a stone there would capture: ko."""
    legal, near, theirs = set(position.actions()), neighbours(rules(position).size), 2 - position.player
    return [
        point
        for point, code in enumerate(cells)
        if code == 0 and point not in legal and any(cells[q] == theirs and liberties[q] == 1 for q in near[point])
    ]


def rules(position: NativeState) -> Go:
    game = position.game
    assert isinstance(game, Go)
    return game


@lru_cache(maxsize=32)
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """The points beside every point."""
    game = Go(size)
    return tuple(tuple(game.neighbours(point)) for point in range(size * size))


def liberties_of(cells: Sequence[int]) -> list[int]:
    """For every stone the liberties of its chain, 0 for empty points."""
    near = neighbours(round(len(cells) ** 0.5))
    found = [0] * len(cells)
    for start, code in enumerate(cells):
        if code == 0 or found[start]:
            continue
        chain, open_points, around = {start}, [start], set()
        while open_points:
            for q in near[open_points.pop()]:
                if cells[q] == 0:
                    around.add(q)
                elif cells[q] == code and q not in chain:
                    chain.add(q)
                    open_points.append(q)
        for stone in chain:
            found[stone] = len(around)
    return found


def in_own_territory(position: NativeState, point: Action) -> bool:
    """Is an empty point part of a region that only stones of the player to move surround?"""
    cells, near, theirs = position.cells(), neighbours(rules(position).size), 2 - position.player
    region, open_points = {point}, [point]
    while open_points:
        for q in near[open_points.pop()]:
            if cells[q] == theirs:
                return False
            if cells[q] == 0 and q not in region:
                region.add(q)
                open_points.append(q)
    return any(cells)


def sensible_actions(state: Any, legal: Sequence[Action]) -> list[Action]:
    """The legal actions without the pass and without stones that fill an own eye; the pass alone if nothing is left.

    When the other player has just passed and a pass would win, it is the pass alone, too.
    """
    position = native_of(state)
    size, cells, mine = rules(position).size, position.cells(), position.player + 1
    if passed(position) and native(position.play(size * size)).score(position.player) > 0:
        return [size * size]
    near = neighbours(size)
    stones = [a for a in legal if a < size * size and any(cells[q] != mine for q in near[a])]
    return stones or [a for a in legal if a == size * size] or list(legal)
