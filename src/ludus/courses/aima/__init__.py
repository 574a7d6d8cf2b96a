"""The Connect Four homework, on the interface of AIMA's notebook games4e.ipynb.

from ludus.courses.aima import *
play_game(ConnectFour(), dict(X=random_player, O=player(monte_carlo_tree_search))).utility

ludus.courses.aima.games4e is the other interface, that of the module games4e.py.
"""

from ludus.courses.aima.bridge import states_of
from ludus.courses.aima.games import Board, ConnectFour, Game, TicTacToe, k_in_row
from ludus.courses.aima.helpers import CountCalls, cache, cache1, report
from ludus.courses.aima.players import play_game, player, query_player, random_player
from ludus.courses.aima.search import (
    alphabeta_search,
    alphabeta_search_tt,
    cutoff_depth,
    h_alphabeta_search,
    infinity,
    minimax_search,
    minimax_search_tt,
)
from ludus.courses.aima.uct import UCT, Node, monte_carlo_tree_search
from ludus.courses.aima.views import StrategyAgent, ludus_game

__all__ = [
    "UCT",
    "Board",
    "ConnectFour",
    "CountCalls",
    "Game",
    "Node",
    "StrategyAgent",
    "TicTacToe",
    "alphabeta_search",
    "alphabeta_search_tt",
    "cache",
    "cache1",
    "cutoff_depth",
    "h_alphabeta_search",
    "infinity",
    "k_in_row",
    "ludus_game",
    "minimax_search",
    "minimax_search_tt",
    "monte_carlo_tree_search",
    "play_game",
    "player",
    "query_player",
    "random_player",
    "report",
    "states_of",
]
