"""Searches: the textbook page, minimax and alpha-beta, Monte Carlo tree search, and the exact solvers."""

from ludus.search.depth import Estimate, Found, Utility, alphabeta, deepening, minimax, utility_option
from ludus.search.limits import TooDeep, refuse_finished
from ludus.search.tree import DepthResult, SearchNode

__all__ = [
    "DepthResult",
    "Estimate",
    "Found",
    "SearchNode",
    "TooDeep",
    "Utility",
    "alphabeta",
    "deepening",
    "minimax",
    "refuse_finished",
    "utility_option",
]
