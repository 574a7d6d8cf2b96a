"""Processes in which agents think. The event loop asks one through a pipe and is told when an answer has come."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection

from ludus._core import Rng
from ludus.agents import Agent, accept, make_agent
from ludus.game import Action, Game
from ludus.system import be_nice, settle_worker, starting_workers


@dataclass
class Request:
    """A move that an agent is asked for."""

    agent: str
    game: Game
    actions: tuple[Action, ...]
    seed: int
    answer: asyncio.Future[Action]
    failures: int = 0  # processes that died over it


Answered = Callable[[Request, Action | str, float], None]
Died = Callable[["Thinker", Sequence[Request]], None]


class Thinker:
    """One process. It answers in the order in which it is asked; `load` is the seconds of work that it has."""

    def __init__(self, answered: Answered, died: Died) -> None:
        self._answered, self._died = answered, died
        self._asked: dict[int, tuple[Request, float]] = {}  # by number, each with the seconds that it may take
        self._number = 0
        self.load = 0.0
        context = multiprocessing.get_context("spawn")  # a fork would copy a running event loop
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(os.getpid(), theirs), daemon=True)
        with starting_workers():
            self._process.start()
        theirs.close()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._pipe.fileno(), self._hear)

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def ask(self, request: Request, seconds: float) -> None:
        self._number += 1
        self._asked[self._number] = (request, seconds)
        self.load += seconds
        with contextlib.suppress(OSError):  # it has died, which is heard of next
            self._pipe.send((self._number, request.agent, request.game, request.actions, request.seed))

    def _hear(self) -> None:
        try:
            number, answer, seconds = self._pipe.recv()
        except (EOFError, OSError):
            self.end()
            self._died(self, [request for request, _ in self._asked.values()])
            return
        request, expected = self._asked.pop(number)
        self.load = self.load - expected if self._asked else 0.0
        self._answered(request, answer, seconds)

    def end(self) -> None:
        """Ends the process at once, whatever it is thinking about."""
        self._loop.remove_reader(self._pipe.fileno())
        self._pipe.close()
        self._process.kill()
        self._process.join(1.0)


# ------------------------------------------------------------------------------------- in the process


def work(parent: int, pipe: Connection) -> None:
    """Answers one question after the other until the server is gone."""
    settle_worker(parent, lambda: os._exit(0))
    be_nice(5)  # clients are answered first
    while True:
        try:
            number, agent, game, actions, seed = pipe.recv()
        except EOFError:
            return
        begun = time.perf_counter()
        answer: Action | str
        try:
            answer = decide(agent, game, actions, seed)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        pipe.send((number, answer, time.perf_counter() - begun))


@cache
def ready(agent: str, game: Game) -> Agent:
    """The agent, made once; its network or tables are then in memory."""
    made = make_agent(agent)
    accept(made, game)
    return made


def decide(agent: str, game: Game, actions: Sequence[Action], seed: int) -> Action:
    """What an agent plays after these actions. It remembers nothing between moves, so any process can be asked."""
    return ready(agent, game).decide(game.after(actions), Rng(seed)).action
