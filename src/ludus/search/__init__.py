"""Searches: the textbook page, minimax and alpha-beta, Monte Carlo tree search, and the exact solvers."""

from ludus.search.depth import Estimate, Found, alphabeta, deepening, minimax
from ludus.search.limits import TooDeep, refuse_finished

__all__ = ["Estimate", "Found", "TooDeep", "alphabeta", "deepening", "minimax", "refuse_finished"]
