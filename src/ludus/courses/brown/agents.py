"""The course's agents.py: all agents, and the functions that a class tournament calls to make them."""

from __future__ import annotations

from ludus.courses.brown.base import GameAgent, LudusAgent
from ludus.courses.brown.depth_agents import AlphaBetaAgent, IterativeDeepeningAgent, MinimaxAgent
from ludus.courses.brown.learned_agents import (
    LearnedValueAgent,
    PolicyAgent,
    create_policy_agent_from_model,
    create_value_agent_from_model,
)
from ludus.courses.brown.mcts import MCTSAgent, MCTSNode
from ludus.courses.brown.plain_agents import GreedyAgent, RandomAgent

__all__ = [
    "AlphaBetaAgent", "GameAgent", "GreedyAgent", "IterativeDeepeningAgent", "LearnedValueAgent", "LudusAgent",
    "MCTSAgent", "MCTSNode", "MinimaxAgent", "PolicyAgent", "RandomAgent", "create_policy_agent_from_model",
    "create_value_agent_from_model", "get_final_agent_5x5", "get_final_agent_9x9",
]  # fmt: skip

MAXIMIZER, MINIMIZER = 0, 1
STRONGEST = "mcts:rave=true,hints=true,playout=quick"  # on both sizes, by the games in docs/courses.md


def get_final_agent_5x5() -> LudusAgent:
    """The strongest agent we have for 5x5, within 15 s + 1 s a move."""
    return LudusAgent(STRONGEST, "Ludus 5x5")


def get_final_agent_9x9() -> LudusAgent:
    """The strongest agent we have for 9x9, within 15 s + 1 s a move."""
    return LudusAgent(STRONGEST, "Ludus 9x9")
