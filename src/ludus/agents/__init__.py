"""Agents: who turn a state into one choice, and say why."""

from ludus.agents.agent import Agent, Decision
from ludus.agents.flat import FlatMonteCarloAgent
from ludus.agents.random import RandomAgent

__all__ = ["Agent", "Decision", "FlatMonteCarloAgent", "RandomAgent"]
