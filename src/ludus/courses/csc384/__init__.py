"""Toronto's CSC384, the Othello assignment: its functions, its manager, and the agent files that it runs."""

from ludus.courses.csc384.agent import (
    alphabeta_max_node,
    alphabeta_min_node,
    compute_heuristic,
    compute_utility,
    eprint,
    find_lines,
    get_possible_moves,
    get_score,
    minimax_max_node,
    minimax_min_node,
    play_move,
    run_ai,
    select_move_alphabeta,
    select_move_minimax,
)

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
