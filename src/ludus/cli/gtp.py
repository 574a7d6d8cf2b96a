"""`ludus gtp GAME`: an engine for GoGui, Sabaki, HexGui and everything else that speaks GTP."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass

from ludus._core import Rng
from ludus.agents import accept, close, make_agent
from ludus.cli import options as flags
from ludus.protocols.gtp_engine import GtpEngine


@dataclass(frozen=True)
class Gtp:
    """An engine that speaks GTP version 2 on its standard input and output. GAME is go, hex or othello."""

    agent: str = "mcts:seconds=2"  # who plays; a clock that is told with time_settings comes first
    seed: int = 0


def main(arguments: list[str]) -> None:
    game, options = flags.read("gtp", Gtp, arguments)
    agent = make_agent(options.agent)
    accept(agent, game)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        engine, writer = GtpEngine(game, agent, Rng(options.seed)), sys.stdout
        with contextlib.redirect_stdout(sys.stderr):  # whatever an agent prints is no answer
            engine.serve(sys.stdin, writer)
    finally:
        close(agent)
