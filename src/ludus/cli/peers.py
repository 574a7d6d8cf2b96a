"""OpenSpiel as a peer to measure against: its fastest ways to do what our benchmarks do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.protocols.openspiel import require_openspiel
from ludus.protocols.openspiel_types import Options, SpielGame, SpielState

__all__ = ["alphabeta", "mcts", "require_openspiel", "rollouts"]


def rollouts(name: str, settings: Options) -> Callable[[int], int]:
    """Runs n of OpenSpiel's C++ rollouts from the start of a game.

    Its rollout evaluator cannot be called from Python by itself, but a search of one simulation with
    n rollouts per evaluation evaluates the root, and does little else.
    """
    import pyspiel

    game = pyspiel.load_game(name, settings)
    state = game.new_initial_state()

    def run(n: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(n, 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False).step(state)
        return n

    return run


def mcts(name: str, settings: Options, simulations: int) -> Callable[[int], int]:
    """Runs n of OpenSpiel's C++ searches from the start of a game, one rollout per simulation."""
    import pyspiel

    game = pyspiel.load_game(name, settings)
    state = game.new_initial_state()

    def run(n: int) -> int:
        for seed in range(n):
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 4000, False, seed, False).step(state)
        return n * simulations

    return run


def alphabeta(name: str, settings: Options, depth: int) -> Callable[[int], int]:
    """Runs n of OpenSpiel's Python alpha-beta searches; the value function costs it nothing. Counts nodes."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game(name, settings)
    state = game.new_initial_state()
    nodes = _count_nodes(minimax, game, state, depth)

    def run(n: int) -> int:
        for _ in range(n):
            minimax.alpha_beta_search(game, state, lambda s: 0.0, depth, 0)
        return n * nodes

    return run


def _count_nodes(minimax: Any, game: SpielGame, state: SpielState, depth: int) -> int:
    """How many states one search looks at: its recursion, wrapped once."""
    look, nodes = minimax._alpha_beta, 0

    def counted(*arguments: object, **options: object) -> object:
        nonlocal nodes
        nodes += 1
        return look(*arguments, **options)

    minimax._alpha_beta = counted
    try:
        minimax.alpha_beta_search(game, state, lambda s: 0.0, depth, 0)
    finally:
        minimax._alpha_beta = look
    return nodes
