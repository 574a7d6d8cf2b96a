"""The moves that nodes.py chooses, found by the compiled searches, many times as fast.

The compiled searches try actions in ascending order, row by row, and keep the first of equally good ones. The course
goes column by column, so they are given the board with rows and columns exchanged, which is the same game.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

from ludus import search
from ludus.errors import LudusError
from ludus.game import NativeState, State, seen_by
from ludus.protocols.othello_pipe import state_of
from ludus.search.solve import Solver

if TYPE_CHECKING:
    from ludus.protocols.othello_rules import Board, Move

TABLE = 1 << 20  # entries of the transposition table of a search with a limit


def turned_state(board: Board, color: int) -> NativeState | None:
    """The state with rows and columns exchanged; None if the compiled game has no such boards.

    The course's rules look at as many columns as there are rows, and its tests have wider boards: the rest is left out.
    """
    square = [row[: len(board)] for row in board]
    if any(len(row) != len(board) for row in square):
        return None
    try:
        state = state_of(tuple(zip(*square, strict=True)), color - 1)
    except LudusError:  # an odd size, or too large or small a one
        return None
    return None if state.over else state


def first_best(
    board: Board, color: int, limit: int, kind: Literal["minimax", "alphabeta"], caching: int = 0, ordering: int = 0
) -> Move | None:
    """The first best move (column, row) in the order of get_possible_moves; None if this cannot be found here."""
    state = turned_state(board, color)
    if state is None:
        return None
    empty = state.cells().count(0)
    if limit < 0 or limit >= empty:
        action = by_solver(state)
    elif kind == "minimax":
        action = search.minimax(state, limit, "simple", utility="margin").action
    else:
        action = by_alphabeta(state, limit, bool(caching), bool(ordering))
    assert action is not None  # a state that is not over has an action
    return action // len(board), action % len(board)


def by_solver(state: State) -> int | None:
    """The first action that keeps the true margin, by the exact solver."""
    solver = solver_of_moves()
    best = solver.margin(state)
    return next(action for action in state.actions() if margin_after(state, action, solver) == best)


@cache
def solver_of_moves() -> Solver:
    """One solver for all questions: it keeps its transposition table."""
    return Solver()


def margin_after(state: State, action: int, solver: Solver) -> float | None:
    child = state.play(action)
    margin = solver.margin(child)
    return None if margin is None else seen_by(state.player, child.player, margin)


def by_alphabeta(state: State, limit: int, caching: bool, ordering: bool) -> int | None:
    """The first best action; where an ordered search has found another one, those before it are searched alone."""
    found = search.alphabeta(state, limit, "simple", None, caching, ordering, TABLE, "margin")
    for action in state.actions() if ordering else []:
        if action == found.action:
            break
        if value_after(state, action, limit - 1, caching) == found.value:
            return action
    return found.action


def value_after(state: State, action: int, limit: int, caching: bool) -> float:
    child: NativeState = state.play(action)  # type: ignore[assignment]
    if child.over:
        value: float = child.margin(child.player)
    else:
        value = search.alphabeta(child, limit, "simple", None, caching, True, TABLE, "margin").value
    return seen_by(state.player, child.player, value)
