"""Processes that play the meetings of a tournament: the crew of one machine.

A worker that dies or is stuck costs the agent that was thinking one game, and a new worker takes its place. Workers
end with their parent, however that ends, and so does every program they have started.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

from ludus.agents import Agent, accept, close, make_agent
from ludus.errors import LudusError
from ludus.game import Player, seen_by
from ludus.play.match import GRACE, Thinking, play
from ludus.play.record import Record
from ludus.play.schedule import Meeting
from ludus.system import settle_worker, share_cores

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext  # Windows has no ForkContext

    from ludus.play.tournament import Tournament

    SharedNumbers = ctypes.Array[ctypes.c_double]

STUCK = 5.0  # seconds after the fall of its flag before the process of an agent is killed
CONTEXT: ForkContext | SpawnContext = get_context("fork") if hasattr(os, "fork") else get_context("spawn")


@dataclass
class Worker:
    """A process, and what it does."""

    process: BaseProcess
    pipe: Connection
    thinking: SharedNumbers  # shared with it: whose turn it is, and until when (on the monotonic clock; 0: nobody's)
    meeting: Meeting | None = None


class Workers:
    """A number of workers. Leaving `with` ends them and every program they have started.

    `sharing` is how many processes share the cores of this machine, if others than these do.
    """

    def __init__(self, tournament: Tournament, count: int, sharing: int | None = None) -> None:
        self.tournament, self.sharing = tournament, sharing or count
        self._workers = [self._hire() for _ in range(count)]

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.terminate()  # end() closes what the worker has started
        for worker in self._workers:
            dismiss(worker)

    def _hire(self) -> Worker:
        parent_end, worker_end = CONTEXT.Pipe()
        thinking = CONTEXT.Array("d", [0.0, 0.0], lock=False)
        order = (self.tournament, worker_end, thinking, os.getpid(), self.sharing)
        process = CONTEXT.Process(target=work, args=order, daemon=True)
        process.start()
        worker_end.close()
        return Worker(process, parent_end, thinking)

    def run(self, jobs: Iterable[Meeting]) -> Iterator[Record]:
        """The records of these meetings, as they come."""
        waiting = iter(jobs)
        while True:
            for worker in self._workers:
                if worker.meeting is None and (meeting := next(waiting, None)) is not None:
                    worker.meeting = meeting
                    worker.pipe.send(meeting)
            busy = [worker for worker in self._workers if worker.meeting is not None]
            if not busy:
                return
            ready = wait([worker.pipe for worker in busy], timeout=0.5)
            for index, worker in enumerate(self._workers):
                if worker.meeting is None:
                    continue
                if worker.pipe in ready:
                    yield self._answer(index)
                elif overdue(worker):
                    yield self._replace(index, "flag", "it gave no answer, and its process had to be killed")

    def _answer(self, index: int) -> Record:
        """What a worker has sent: a record, or an error of the game itself."""
        worker = self._workers[index]
        try:
            answer = worker.pipe.recv()
        except EOFError:
            worker.process.join(1.0)
            return self._replace(index, "crash", f"its process ended with code {worker.process.exitcode}")
        if isinstance(answer, LudusError):
            raise answer
        worker.meeting = None
        record: Record = answer
        return record

    def _replace(self, index: int, kind: str, why: str) -> Record:
        """A new worker for one that is lost; the agent that was thinking there has lost the game."""
        old = self._workers[index]
        assert old.meeting is not None
        player = int(old.thinking[0])
        dismiss(old)
        self._workers[index] = self._hire()
        return forfeit(self.tournament, old.meeting, player, kind, why)


def overdue(worker: Worker) -> bool:
    until = worker.thinking[1]
    return bool(until) and time.monotonic() > until + GRACE + STUCK


def dismiss(worker: Worker) -> None:
    """Ends a worker, by force if it does not end when asked."""
    worker.process.terminate()
    worker.process.join(2.0)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()
    worker.pipe.close()


def forfeit(tournament: Tournament, meeting: Meeting, player: Player, kind: str, why: str) -> Record:
    """The record of a game whose process was lost."""
    names = tournament.names
    both = (names[meeting.agents[0]], names[meeting.agents[1]])
    clock = str(tournament.clock) if tournament.clock else None
    score = seen_by(0, player, -1.0)
    return Record(tournament.game_of(meeting).identity(), both, meeting.seed, clock, meeting.opening, (), score, kind,
                  player, why, meeting.number)  # fmt: skip


# ------------------------------------------------------------------------------------- in the worker's process


def work(tournament: Tournament, pipe: Connection, thinking: SharedNumbers, parent: int, sharing: int) -> None:
    """Plays one meeting after the other. Agents are made once and reset between games."""
    share_cores(sharing)
    agents: dict[int, Agent] = {}
    settle_worker(parent, lambda: end(agents))

    def think(player: Player, seconds: float | None) -> None:
        thinking[0] = player
        thinking[1] = time.monotonic() + seconds if seconds is not None else 0.0

    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            meeting: Meeting = pipe.recv()
            answer = play_one(tournament, meeting, agents, think)
            thinking[1] = 0.0
            pipe.send(answer)
    end(agents)


def end(agents: dict[int, Agent]) -> None:
    for agent in agents.values():
        close(agent)
    os._exit(0)


def play_one(
    tournament: Tournament, meeting: Meeting, agents: dict[int, Agent], think: Thinking
) -> Record | LudusError:
    """The record of one match, or an error of the game itself; mistakes of agents are forfeits."""
    try:
        for number in meeting.agents:
            if number not in agents:
                agents[number] = make_agent(tournament.agents[number])
                accept(agents[number], tournament.game)
        names = tournament.names
        one, other = meeting.agents
        return play(
            tournament.game_of(meeting), (agents[one], agents[other]), meeting.seed, tournament.clock, meeting.opening,
            (names[one], names[other]), meeting.number, think,
        )  # fmt: skip
    except LudusError as error:
        return LudusError(str(error))
    except Exception as error:
        return LudusError(f"the game broke in match {meeting.number}: {type(error).__name__}: {error}")
