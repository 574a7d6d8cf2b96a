"""Who plays in `ludus othello`: a program in a file, an agent of Ludus, or a person."""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludus._core import Rng
from ludus.agents import Agent, AgentFailed, TimeLeft, accept, close, make_agent, reset, write_agent
from ludus.courses.csc384.othello_game import (
    AiFailedError,
    AiPlayerInterface,
    AiTimeoutError,
    ColumbiaPlayer,
    OthelloGameManager,
    Player,
)
from ludus.errors import BadOption
from ludus.games.othello import Othello
from ludus.play.match import ask
from ludus.protocols.othello_pipe import OthelloPipeAgent, state_of

if TYPE_CHECKING:
    from ludus.protocols.othello_rules import Move


@dataclass(frozen=True)
class Flags:
    """What the manager tells programs, as on its command line."""

    limit: int = -1
    minimax: bool = False
    caching: bool = False
    ordering: bool = False
    columbia: bool = False  # programs are told their colour only
    seconds: float = 10.0  # for a move


class AgentPlayer(Player):
    """An agent of Ludus in the manager's game."""

    def __init__(self, agent: Agent, color: int, seconds: float) -> None:
        super().__init__(color, write_agent(agent))
        self.agent, self.seconds, self.rng = agent, seconds, Rng(time.time_ns())
        reset(agent)
        print(f"AI introduced itself as: {self.name}", flush=True)

    def get_move(self, manager: OthelloGameManager) -> Move:
        board = tuple(map(tuple, manager.board))
        try:
            state = state_of(board, manager.current_player - 1)
            action = ask(self.agent, state, self.rng, TimeLeft(self.seconds, moves=1)).action
        except AgentFailed as failed:
            raise (AiTimeoutError if failed.kind == "flag" else AiFailedError)(str(failed)) from None
        return action % len(board), action // len(board)

    def kill(self, manager: OthelloGameManager) -> None:
        close(self.agent)


def is_program(text: str) -> bool:
    """Is it a file such as agent.py, rather than an agent of Ludus, which may be my_agent.py:MyAgent?"""
    return text.endswith(".py") or Path(text).is_file()


def find_program(text: str) -> Path:
    if not Path(text).is_file():
        raise BadOption(f"there is no file {text}; an agent is a file, or one of those that `ludus agents` lists")
    return Path(text)


def make_player(text: str | None, color: int, flags: Flags, dimension: int) -> Player:
    """The player of a colour: a file, the text of an agent, or None for a person."""
    if text is None:
        return Player(color)
    if not is_program(text):
        return AgentPlayer(agent_of(text, dimension), color, flags.seconds)
    file = str(find_program(text))
    if flags.columbia:
        player: AiPlayerInterface = ColumbiaPlayer(file, color)
    else:
        player = AiPlayerInterface(file, color, flags.limit, flags.minimax, flags.caching, flags.ordering)
    player.TIMEOUT = flags.seconds
    return player


def agent_of(text: str, dimension: int) -> Agent:
    """The agent of Ludus that a text names; refuses one that does not play this game."""
    agent = make_agent(text)
    accept(agent, Othello(dimension, passing=False))
    return agent


def agent_text(text: str, flags: Flags, dimension: int) -> str:
    """The agent of Ludus behind a file or a text, as the server of the page takes it: with a colon."""
    if not is_program(text):
        close(agent_of(text, dimension))
        return text if ":" in text else f"{text}:"
    command = f"python3 {shlex.quote(str(find_program(text).absolute()))}"
    switches = (flags.minimax, flags.caching, flags.ordering, flags.columbia)
    return write_agent(OthelloPipeAgent(command, flags.seconds, flags.limit, *switches))
