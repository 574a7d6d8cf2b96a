"""Minimax and alpha-beta as the assignment asks for them. The compiled searches (compiled.py) choose the same moves.

`color` is the colour of the agent at max nodes and at min nodes alike, and values are for it. `limit` is how many plies
are searched below a node; a negative one means no limit. A node returns ((column, row), value), and None for the move
where the game is over or the limit is 0.

Plain Python 3.7, because this becomes a part of the agent files that files.py writes.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ludus.courses.csc384.values import compute_utility
from ludus.protocols.othello_rules import get_possible_moves, play_move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from ludus.protocols.othello_rules import Board, Move

    Found = tuple[Move | None, float]

MOST_CACHED = 100_000  # states, of about a kilobyte each on 8x8

cache: dict[Any, Any] = {}
estimate: Callable[[Board, int], float] = compute_utility  # of a state at the depth limit; compute_heuristic fits, too
deadline = float("inf")  # only search_in_time sets one


class OutOfTime(Exception):
    """The search was not finished in time."""


# ------------------------------------------------------------------------------------------------------------ minimax


def minimax_min_node(board: Board, color: int, limit: int, caching: int = 0) -> Found:
    """The move of the other player that is worst for `color`, and its value for `color`."""
    return minimax_node(board, color, 3 - color, limit, caching, minimax_max_node)


def minimax_max_node(board: Board, color: int, limit: int, caching: int = 0) -> Found:
    """The best move of `color`, and its value."""
    return minimax_node(board, color, color, limit, caching, minimax_min_node)


def minimax_node(
    board: Board, color: int, mover: int, limit: int, caching: int, next_node: Callable[..., Found]
) -> Found:
    if limit == 0:
        return None, estimate(board, color)
    key = (tuple(map(tuple, board)), color, mover, limit, estimate) if caching else None
    if key in cache:
        known: Found = cache[key]
        return known
    moves = moves_in_time(board, mover)
    if not moves:
        return None, compute_utility(board, color)
    best, value = moves[0], float("-inf") if mover == color else float("inf")
    for move in moves:
        found = next_node(play_move(board, mover, *move), color, deeper(limit), caching)[1]
        if found > value if mover == color else found < value:
            best, value = move, found
    if caching:
        remember(key, (best, value))
    return best, value


def select_move_minimax(board: Board, color: int, limit: int, caching: int = 0) -> Move | None:
    """The best move (column, row), the first of equally good ones; None if there is no legal move."""
    return minimax_max_node(board, color, limit or 1, caching)[0]


def deeper(limit: int) -> int:
    """The limit one ply further down; a negative one means none, and stays."""
    return limit - 1 if limit > 0 else limit


def moves_in_time(board: Board, mover: int) -> list[Move]:
    if time.monotonic() > deadline:
        raise OutOfTime
    return get_possible_moves(board, mover)


def remember(key: Any, found: Any) -> None:
    """Caches what was found. The limit and the estimate are parts of the key: another limit has another value."""
    if len(cache) >= MOST_CACHED:
        cache.clear()
    cache[key] = found


# --------------------------------------------------------------------------------------------------------- alpha-beta


def alphabeta_min_node(
    board: Board, color: int, alpha: float, beta: float, limit: int, caching: int = 0, ordering: int = 0
) -> Found:
    """As minimax_min_node, but a value that is not between alpha and beta is only a bound."""
    return alphabeta_node(board, color, 3 - color, alpha, beta, limit, caching, ordering, alphabeta_max_node)


def alphabeta_max_node(
    board: Board, color: int, alpha: float, beta: float, limit: int, caching: int = 0, ordering: int = 0
) -> Found:
    """As minimax_max_node, but a value that is not between alpha and beta is only a bound."""
    return alphabeta_node(board, color, color, alpha, beta, limit, caching, ordering, alphabeta_min_node)


def alphabeta_node(
    board: Board,
    color: int,
    mover: int,
    alpha: float,
    beta: float,
    limit: int,
    caching: int,
    ordering: int,
    next_node: Callable[..., Found],
) -> Found:
    if limit == 0:
        return None, estimate(board, color)
    key = (tuple(map(tuple, board)), color, mover, limit, estimate, ordering) if caching else None
    if key in cache:
        best, value, bound = cache[key]
        if bound == "exact" or (value >= beta if bound == "at least" else value <= alpha):
            return best, value
    moves = moves_in_time(board, mover)
    if not moves:
        return None, compute_utility(board, color)
    best, value, low, high = moves[0], float("-inf") if mover == color else float("inf"), alpha, beta
    for move, successor in successors(board, color, mover, moves, ordering and limit != 1):
        found = next_node(successor, color, low, high, deeper(limit), caching, ordering)[1]
        if found > value if mover == color else found < value:
            best, value = move, found
        low, high = (max(low, value), high) if mover == color else (low, min(high, value))
        if low >= high:
            break
    if caching:
        remember(key, (best, value, "at most" if value <= alpha else "at least" if value >= beta else "exact"))
    return best, value


def successors(board: Board, color: int, mover: int, moves: list[Move], ordering: int) -> Iterable[tuple[Move, Board]]:
    """The moves and the boards after them. With ordering, the best for the mover come first, by their utility."""
    pairs = ((move, play_move(board, mover, *move)) for move in moves)
    if not ordering:
        return pairs
    return sorted(pairs, key=lambda pair: compute_utility(pair[1], color), reverse=mover == color)


def select_move_alphabeta(board: Board, color: int, limit: int, caching: int = 0, ordering: int = 0) -> Move | None:
    """The move that select_move_minimax chooses, with or without caching and ordering."""
    limit = limit or 1
    key = (tuple(map(tuple, board)), color, color, limit, estimate, 0)
    if caching and key in cache and cache[key][2] == "exact":  # found without ordering, so it is the first best move
        known: Move = cache[key][0]
        return known
    best, value = alphabeta_max_node(board, color, float("-inf"), float("inf"), limit, caching, ordering)
    for move in get_possible_moves(board, color) if ordering else []:  # one that comes before it may be as good
        if move == best:
            break
        after = play_move(board, color, *move)
        if alphabeta_min_node(after, color, value - 1, value, deeper(limit), caching, ordering)[1] >= value:
            return move
    return best


# ------------------------------------------------------------------------------------------------------------- a clock


def search_in_time(
    board: Board,
    color: int,
    limit: int,
    minimax: int,
    caching: int,
    ordering: int,
    seconds: float,
    guess: Callable[[Board, int], float] = compute_utility,
) -> Move | None:
    """What the search with this limit chooses, or in too short a time the deepest one that was finished."""
    global deadline, estimate
    moves = get_possible_moves(board, color)
    best = moves[0] if moves else None
    empty = sum(row[: len(board)].count(0) for row in board)
    deepest = min(limit or 1, empty) if limit >= 0 else empty  # every ply fills a cell
    deadline, estimate = time.monotonic() + seconds, guess
    try:
        for depth in range(1, deepest + 1) if len(moves) > 1 else []:
            if minimax:
                best = select_move_minimax(board, color, depth, caching)
            else:
                best = select_move_alphabeta(board, color, depth, caching, ordering)
    except OutOfTime:
        pass
    finally:
        deadline, estimate = float("inf"), compute_utility
    return best
