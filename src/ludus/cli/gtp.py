"""`ludus gtp GAME`: an engine for GoGui, Sabaki, HexGui and everything else that speaks GTP."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass

from ludus.cli import options as flags
from ludus.errors import seed_option


@dataclass(frozen=True)
class Gtp:
    """An engine that speaks GTP version 2 on standard input and output. GAME is go, hex, othello or connect_four."""

    agent: str = "mcts:seconds=2"  # who plays; a clock set by the interface (time_settings) overrides its seconds
    seed: int = 0  # of the agent's random numbers

    def __post_init__(self) -> None:
        seed_option("seed", self.seed)


def main(arguments: list[str]) -> None:
    game, options = flags.read("gtp", Gtp, arguments)
    from ludus._core import Rng
    from ludus.agents import accept, close, make_agent
    from ludus.protocols.gtp_engine import GtpEngine

    agent = make_agent(options.agent)
    accept(agent, game)
    try:
        engine, writer = GtpEngine(game, agent, Rng(options.seed)), sys.stdout
        with contextlib.redirect_stdout(sys.stderr):  # what an agent prints must not be taken for an answer
            engine.serve(sys.stdin, writer)
    finally:
        close(agent)
