"""How strong an agent file plays: the searches of Ludus behind `--strength`."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

from ludus._core import Rng
from ludus.agents import Agent, make_agent
from ludus.errors import BadOption
from ludus.protocols.othello_pipe import decide

if TYPE_CHECKING:
    from ludus.protocols.othello_rules import Board, Move

AGENTS = {  # both play the end of the game exactly, by the solver
    "heuristic": "deepening",
    "mcts": "mcts:playout=estimate,c=0.2,endgame=true,simulations=3000000",  # a simulation takes about 70 bytes
}


def select_move(board: Board, color: int, strength: str, seconds: float) -> Move:
    """The move (column, row) that a search of Ludus chooses within the seconds of the manager."""
    return decide(tuple(map(tuple, board)), color - 1, agent_of(strength), Rng(time.time_ns()), seconds)


@cache
def agent_of(strength: str) -> Agent:
    """The agent of a strength, the same one for the whole game: it may learn from move to move."""
    if strength not in AGENTS:
        raise BadOption(f"Ludus plays at strength {' or '.join(AGENTS)}, not {strength!r}")
    return make_agent(AGENTS[strength])
