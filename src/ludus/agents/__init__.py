"""Agents: each turns a state into a decision, and says why."""

from ludus.agents.agent import Agent, AgentFailed, Decision, TimeLeft, accept, close, reset
from ludus.agents.depth import AlphaBetaAgent, DeepeningAgent, GreedyAgent, MinimaxAgent
from ludus.agents.mcts import FlatMonteCarloAgent, MctsAgent
from ludus.agents.parse import make_agent, write_agent
from ludus.agents.perfect import PerfectAgent
from ludus.agents.random import RandomAgent

__all__ = [
    "Agent",
    "AgentFailed",
    "AlphaBetaAgent",
    "Decision",
    "DeepeningAgent",
    "FlatMonteCarloAgent",
    "GreedyAgent",
    "MctsAgent",
    "MinimaxAgent",
    "PerfectAgent",
    "RandomAgent",
    "TimeLeft",
    "accept",
    "close",
    "make_agent",
    "reset",
    "write_agent",
]
