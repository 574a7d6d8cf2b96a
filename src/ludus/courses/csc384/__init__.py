"""Toronto's CSC384, the Othello assignment: its functions, its manager, and the agent files that it runs."""

from ludus.courses.csc384 import agent
from ludus.courses.csc384.agent import *  # noqa: F403 (its __all__ says what there is)

__all__ = agent.__all__
