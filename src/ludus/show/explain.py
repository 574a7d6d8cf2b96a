"""Explains a decision: the agent says which kind of explanation fits it, and each kind has a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus._core import Rng
from ludus.agents import Agent
from ludus.game import Game, State
from ludus.show.explain_mcts import explain_mcts
from ludus.show.explain_network import explain_network
from ludus.show.explain_tree import explain_tree
from ludus.show.explain_values import explain_values
from ludus.show.explanation import Explanation

KINDS: dict[str, Callable[[Game, State, Any, Rng], Explanation]] = {  # by an agent's `explained_as`
    "mcts": explain_mcts,
    "tree": explain_tree,
    "network": explain_network,
    "values": explain_values,
}


def explain(game: Game, state: State, agent: Agent, rng: Rng) -> Explanation:
    """Why an agent chooses its action in a state. An agent without `explained_as` is explained by its decision."""
    return KINDS[getattr(agent, "explained_as", "values")](game, state, agent, rng)
