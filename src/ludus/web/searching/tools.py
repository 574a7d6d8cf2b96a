"""What a worker keeps from job to job (games, agents with their trees, solvers), and what it offers to one job."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ludus.agents import Agent, accept, close, make_agent, reset
from ludus.agents.parse import AGENTS
from ludus.errors import LudusError
from ludus.game import Action, Game, State
from ludus.games import make
from ludus.games.python import PythonGame
from ludus.search.solve import Solver
from ludus.system import memory
from ludus.web.searching.tasks import SLICE, Aside, Facts, Place

REPORTS = 0.1  # seconds between two reports of a job
SMALL_TREE = 4 << 20  # bytes that every tree may have, however full the worker is

Value = TypeVar("Value")
AgentKey = tuple[str, str, int]  # table, agent as text, seat


@dataclass(frozen=True)
class Limits:
    """How much one worker keeps and allows."""

    agents: int = 48  # that wait for their next move
    games: int = 64
    solvers: int = 3  # each has a table of 64 MB
    idle: float = 900.0  # seconds after which an agent is closed
    tree_bytes: int = 256 << 20  # of one search
    all_bytes: int = field(default_factory=lambda: min(memory() // 4, 4 << 30))  # of all trees together
    job_seconds: float = 900.0
    loading_seconds: float = 60.0  # for a game, a network or a program to be there
    step_seconds: float = 20.0  # for a step with a visitor's game
    silent_seconds: float = 10.0  # after which a worker that says nothing is stuck


@dataclass
class KeptAgent:
    """An agent, the game it was last asked about and when."""

    agent: Agent
    game: Game
    actions: tuple[Action, ...] = ()
    used: float = 0.0


class Kept:
    """The games, agents and solvers of a worker; what was not used for longest goes first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.agents: OrderedDict[AgentKey, KeptAgent] = OrderedDict()
        self.solvers: OrderedDict[str, Solver] = OrderedDict()
        self.trees: dict[object, int] = {}  # bytes of the trees of running jobs

    @property
    def bytes(self) -> int:
        """Of all trees."""
        return sum(self.trees.values()) + sum(tree_bytes(kept.agent) for kept in list(self.agents.values()))

    def game(self, place: Place) -> Game:
        key = key_of(place)
        if key not in self.games:
            self.games[key] = make(place.game, **place.options)
        return recent(self.games, key, self.limits.games)

    def solver(self, place: Place) -> Solver:
        """The solver for a game: all tables share it, because what it has proven is true for everybody."""
        key = key_of(place)
        if key not in self.solvers:
            self.solvers[key] = Solver()
        return recent(self.solvers, key, self.limits.solvers)

    def take_back(self, key: AgentKey, kept: KeptAgent) -> None:
        """An agent has decided. It waits for its next move, with its tree unless that is too large."""
        if tree_bytes(kept.agent) > self.limits.tree_bytes // 2:
            reset(kept.agent)
        kept.used = time.monotonic()
        old = self.agents.pop(key, None)
        self.agents[key] = kept
        many = list(self.agents)[: max(0, len(self.agents) - self.limits.agents)]
        close_aside([*([old] if old else []), *(self.agents.pop(key) for key in many)])
        while self.bytes > self.limits.all_bytes and self.agents:
            close_aside([self.agents.popitem(last=False)[1]])

    def forget(self, wanted: Callable[[AgentKey, KeptAgent], bool]) -> None:
        """Closes the agents for which a function says so."""
        close_aside([self.agents.pop(key) for key, kept in list(self.agents.items()) if wanted(key, kept)])

    def forget_table(self, table: str) -> None:
        self.forget(lambda key, kept: key[0] == table)

    def forget_idle(self) -> None:
        long_ago = time.monotonic() - self.limits.idle
        self.forget(lambda key, kept: kept.used < long_ago)


@dataclass
class Tools:
    """What a worker offers to one job."""

    kept: Kept
    table: str
    outside: bool = False  # the game is a visitor's: every step of the job may take long
    answer: Callable[[object], Facts] | None = None  # set by a job that answers questions while it runs
    lent: dict[AgentKey, KeptAgent] = field(default_factory=dict)
    reported: float = 0.0

    @property
    def slice(self) -> float:
        """How long a step may search."""
        return SLICE

    @property
    def loading(self) -> Aside:
        """To yield before something is loaded."""
        return Aside(self.kept.limits.loading_seconds)

    def due(self) -> bool:
        """Is it time for the next report?"""
        if time.monotonic() - self.reported < REPORTS:
            return False
        self.reported = time.monotonic()
        return True

    def open(self, place: Place) -> Generator[Aside, None, tuple[Game, State]]:
        """The game and the state of a place. A visitor's game, whose code may hang, has every step in a thread."""
        if ":" in place.game:
            yield self.loading
        game = self.kept.game(place)
        self.outside = self.outside or isinstance(game, PythonGame)
        if self.outside:
            yield Aside(self.kept.limits.step_seconds)
        return game, game.after(place.actions)

    def agent(self, text: str, place: Place, game: Game, seat: int) -> Generator[Aside, None, Agent]:
        """The table's agent for a seat; this job has it alone until it ends. A new game makes the agent forget."""
        key = (self.table, text, seat)
        kept = self.kept.agents.pop(key, None)
        if not plain(text):
            yield self.loading
        if kept is None or kept.game != game:
            agent = make_agent(text)
            accept(agent, game)
            kept = KeptAgent(agent, game)
        elif kept.actions != place.actions[: len(kept.actions)]:
            reset(kept.agent)
        self.lent[key] = kept
        kept.actions = place.actions
        return kept.agent

    def alongside(self, work: Callable[[], Value]) -> Future[Value]:
        """Does some work in a thread while the job's steps go on."""
        future: Future[Value] = Future()
        threading.Thread(target=lambda: future.set_result(work()), daemon=True).start()
        return future

    def solver(self, place: Place) -> Solver:
        """The solver for a place's game."""
        return Solver() if self.outside else self.kept.solver(place)

    def may_grow(self, size: int) -> bool:
        """May this job's tree, which has so many bytes, become larger?"""
        self.kept.trees[id(self)] = size
        limits = self.kept.limits
        return size < limits.tree_bytes and (size < SMALL_TREE or self.kept.bytes < limits.all_bytes)

    def return_agents(self, with_trees: bool) -> None:
        """The job has ended: its agents wait for the next one, with their trees or without."""
        for key, kept in self.end().items():
            if not with_trees and tree_bytes(kept.agent):
                reset(kept.agent)
            self.kept.take_back(key, kept)

    def close_agents(self) -> None:
        """The job has ended, and its agents cannot be used again."""
        close_aside(self.end().values())

    def end(self) -> dict[AgentKey, KeptAgent]:
        self.kept.trees.pop(id(self), None)
        self.answer = None
        lent, self.lent = self.lent, {}
        return lent


def all_at_once(steps: Generator[Any, None, Value]) -> Value:
    """What a generator returns in the end, for code that is already in a thread of its own."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Value = end.value
            return result


def plain(text: str) -> bool:
    """Is this the text of one of our own agents, which is made at once?"""
    return text.partition(":")[0].strip() in AGENTS


def key_of(place: Place) -> str:
    """What identifies a game: its text, its options, and when its file was written, if it is a visitor's."""
    path = place.game.rpartition(":")[0]
    written = Path(path).stat().st_mtime if path.endswith(".py") and Path(path).is_file() else None
    try:
        return json.dumps([place.game, sorted(place.options.items()), written])
    except (TypeError, ValueError):
        raise LudusError(f"the options of a game are numbers and texts, not {place.options!r:.80}") from None


def recent(kept: OrderedDict[str, Value], key: str, most: int) -> Value:
    """The value of a key, which becomes the most recent one; the oldest of too many are dropped."""
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
    return kept[key]


def tree_bytes(agent: Agent) -> int:
    return int(getattr(agent, "bytes", 0))


def close_aside(agents: Iterable[KeptAgent]) -> None:
    """Closes agents in a thread, because an outside program may take its time to end."""
    for kept in agents:
        if hasattr(kept.agent, "close"):
            threading.Thread(target=close, args=(kept.agent,), daemon=True).start()
