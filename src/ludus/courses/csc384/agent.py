"""The course's agent.py: the same functions with the same arguments, results and first-best moves.

The node functions are the plain ones of nodes.py. The two that select a move use the compiled searches, which choose
the same move; boards that these do not have (odd sizes, say) are searched by the plain ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.courses.csc384 import nodes
from ludus.courses.csc384.compiled import first_best
from ludus.courses.csc384.nodes import alphabeta_max_node, alphabeta_min_node, minimax_max_node, minimax_min_node
from ludus.courses.csc384.othello_shared import find_lines, get_possible_moves, get_score, play_move
from ludus.courses.csc384.pipe import eprint, run_ai
from ludus.courses.csc384.values import compute_heuristic, compute_utility

if TYPE_CHECKING:
    from ludus.protocols.othello_rules import Board, Move

__all__ = [
    "alphabeta_max_node",
    "alphabeta_min_node",
    "compute_heuristic",
    "compute_utility",
    "eprint",
    "find_lines",
    "get_possible_moves",
    "get_score",
    "minimax_max_node",
    "minimax_min_node",
    "play_move",
    "run_ai",
    "select_move_alphabeta",
    "select_move_minimax",
]


def select_move_minimax(board: Board, color: int, limit: int, caching: int = 0) -> Move | None:
    """The best move (column, row), the first of equally good ones; None if there is no legal move."""
    return first_best(board, color, limit or 1, "minimax") or nodes.select_move_minimax(board, color, limit, caching)


def select_move_alphabeta(board: Board, color: int, limit: int, caching: int = 0, ordering: int = 0) -> Move | None:
    """The move that select_move_minimax chooses, with or without caching and ordering."""
    found = first_best(board, color, limit or 1, "alphabeta", caching, ordering)
    return found or nodes.select_move_alphabeta(board, color, limit, caching, ordering)
