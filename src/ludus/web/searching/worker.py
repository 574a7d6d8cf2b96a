"""A worker process: it holds many jobs and goes round them, a short step each. The pool (pool.py) talks to it.

Messages come in as pickled tuples on standard input, each after its length; lines of JSON go out. A step that may
take long runs in a thread, so that the other jobs go on. A thread cannot be stopped: if such a step is stuck, the
worker says so, and the pool kills the process.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import struct
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import IO, Any

from ludus.agents import close
from ludus.system import be_nice, settle_worker
from ludus.web.searching.running import Ended, Running, Said, failure
from ludus.web.searching.tasks import SLICE, Aside, Facts, Rest, Task
from ludus.web.searching.tools import Kept, Limits, Tools

HEADER = struct.Struct(">I")  # the length of a message
LOOK_UP = 0.5  # seconds between two looks at jobs that rest or are in a thread
UNWANTED = 2.0  # seconds for a step in a thread whose job was cancelled, if the worker has no other job
NICE = 10  # the event loop of the server and everything else on the machine come first


@dataclass(frozen=True)
class Setup:
    """The first message to a worker."""

    parent: int  # its process
    path: list[str]  # where it finds modules
    limits: Limits


class Worker:
    """The jobs of one process. Those for which somebody waits take turns; after a round of them comes one other."""

    def __init__(self, limits: Limits, out: IO[str], turn: float = SLICE / 2) -> None:
        """Whoever has its turn makes steps until it has had `turn` seconds, and at least one."""
        self.kept = Kept(limits)
        self.out = out
        self.turn = turn
        self.inbox: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self.jobs: dict[int, Running] = {}
        self.strays: list[Running] = []  # cancelled, but their threads are still at work
        self.urgent: deque[Running] = deque()
        self.others: deque[Running] = deque()
        self.since_other = 0  # urgent steps since one of the others had its turn

    def run(self) -> None:
        """Works until the pool hangs up."""
        while self.hear():
            if (job := self.next_job()) is not None:
                self.advance(job)

    # ----------------------------------------------------------------------------------- messages

    def hear(self) -> bool:
        """Takes in all messages; waits for one if there is nothing else to do. False once the pool has hung up."""
        idle = not (self.urgent or self.others)
        try:
            message = self.inbox.get(timeout=LOOK_UP) if idle else self.inbox.get_nowait()
            while message[0] != "end":
                getattr(self, f"on_{message[0]}")(*message[1:])
                message = self.inbox.get_nowait()
            return False
        except queue.Empty:
            self.look_up()
            return True

    def tell(self, **message: Any) -> None:
        print(json.dumps(message, separators=(",", ":"), allow_nan=False), file=self.out, flush=True)

    def on_start(self, number: int, pickled: bytes) -> None:
        try:
            task: Task = pickle.loads(pickled)
            tools = Tools(self.kept, task.table)
            job = Running(number, task, tools, task.steps(tools))
        except Exception as error:
            sentence = f"the task cannot be understood: {type(error).__name__}: {error}"
            self.tell(job=number, facts=failure("exception", sentence), done=True, steps=0)
            return
        self.jobs[number] = job
        self.line_up(job)

    def on_cancel(self, number: int) -> None:
        if (job := self.jobs.get(number)) is not None:
            job.cancelled = True
            self.finish(job, {"kind": "cancelled"})

    def on_ask(self, number: int, question: int, pickled: bytes) -> None:
        job = self.jobs.get(number)
        if job is None:
            self.tell(job=number, answer=question, facts={"error": "this search has ended"})
        elif job.thread_since is not None:
            job.questions.append((question, pickled))
        else:
            self.tell(job=number, answer=question, facts=job.answer(pickled))

    def on_forget(self, table: str) -> None:
        self.kept.forget_table(table)

    def on_ping(self, number: int) -> None:
        self.tell(pong=number)

    def on_stepped(self, job: Running, said: Said) -> None:
        """A step in a thread is done."""
        job.aside = job.thread_since = None
        if job.cancelled:
            self.strays.remove(job)
            job.steps.close()
            return
        self.tell(job=job.number, aside=False)
        questions, job.questions = job.questions, []
        for question, pickled in questions:
            self.tell(job=job.number, answer=question, facts=job.answer(pickled))
        self.take(job, said)

    # ----------------------------------------------------------------------------------- turns

    def line_up(self, job: Running) -> None:
        (self.urgent if job.task.urgent else self.others).append(job)

    def next_job(self) -> Running | None:
        if self.urgent and (not self.others or self.since_other < len(self.urgent)):
            self.since_other += 1
            return self.urgent.popleft()
        self.since_other = 0
        return self.others.popleft() if self.others else None

    def advance(self, job: Running) -> None:
        """The turn of a job: steps until it has had its time. Those of a visitor's game are made in a thread."""
        if job.tools.outside:
            self.step_aside(job, Aside(self.kept.limits.step_seconds))
            return
        until = time.monotonic() + self.turn
        said = job.step()
        while isinstance(said, dict | None) and time.monotonic() < until:
            self.report(job, said)
            said = job.step()
        self.take(job, said)

    def step_aside(self, job: Running, aside: Aside) -> None:
        """The next step of a job has a thread of its own. When it is done, the job lines up again."""
        job.aside, job.thread_since = aside, time.monotonic()
        self.tell(job=job.number, aside=True)
        threading.Thread(target=lambda: self.inbox.put(("stepped", job, job.step())), daemon=True).start()

    def take(self, job: Running, said: Said) -> None:
        """What the last step of a turn has said: a report, what the job needs next, or that it is over."""
        if isinstance(said, Ended):
            self.finish(job, said.facts or {})
        elif isinstance(said, Rest):
            job.rests_until = time.monotonic() + said.seconds
            self.tell(job=job.number, resting=True)
        elif isinstance(said, Aside):
            self.step_aside(job, said)
        else:
            self.report(job, said)
            self.line_up(job)

    # ----------------------------------------------------------------------------------- the end of jobs

    def finish(self, job: Running, facts: Facts) -> None:
        """A job is over: its agents wait for the next one, unless they failed or are still at work in a thread."""
        del self.jobs[job.number]
        for line in (self.urgent, self.others):
            if job in line:
                line.remove(job)
        if job.thread_since is not None:
            self.strays.append(job)
        else:
            job.steps.close()
        if job.thread_since is not None or facts.get("kind") == "failed":
            job.tools.close_agents()
        else:
            job.tools.return_agents(with_trees=not job.cancelled)
        self.report(job, facts, True)

    def report(self, job: Running, facts: Facts | None, done: bool = False) -> None:
        if facts is None:
            return
        try:
            facts = facts | {"share": round(job.share, 4)}
            self.tell(job=job.number, facts=facts, done=done, steps=job.count)
        except (TypeError, ValueError) as error:
            bad = failure("exception", f"a report that is no JSON: {error}")
            self.tell(job=job.number, facts=bad, done=done, steps=job.count)

    def look_up(self) -> None:
        """Ends jobs whose time is up, and tells of steps that are stuck."""
        now = time.monotonic()
        for job in [*self.jobs.values(), *self.strays]:
            if job.thread_since is not None and now > job.thread_since + self.patience(job):
                self.tell(stuck=job.number)
        for job in list(self.jobs.values()):
            if job.rests_until is not None and now > job.rests_until:
                self.take(job, job.step())
            elif job.thread_since is None and now > job.began + self.kept.limits.job_seconds:
                most = self.kept.limits.job_seconds
                self.finish(job, failure("time", f"the search was ended because it took longer than {most:g} seconds"))
        self.make_room()

    def patience(self, job: Running) -> float:
        """How long a step may stay in its thread. One that nobody wants any more ends soon if no other job suffers."""
        assert job.aside is not None
        return min(job.aside.seconds, UNWANTED) if job.cancelled and not self.jobs else job.aside.seconds

    def make_room(self) -> None:
        """Ends what nobody has used for long, and when memory is short the analyses that only wait for questions."""
        self.kept.forget_idle()
        resting = [job for job in self.jobs.values() if job.rests_until is not None]
        for job in sorted(resting, key=lambda job: job.began):
            if self.kept.bytes > 0.8 * self.kept.limits.all_bytes:
                self.take(job, job.step())

    def close(self) -> None:
        """Ends what agents have started."""
        lent = [kept for job in [*self.jobs.values(), *self.strays] for kept in job.tools.lent.values()]
        for kept in [*self.kept.agents.values(), *lent]:
            close(kept.agent)


def read_messages(source: IO[bytes], inbox: queue.SimpleQueue[tuple[Any, ...]]) -> None:
    """Puts every message from the pool into the inbox."""
    while len(header := source.read(HEADER.size)) == HEADER.size:
        inbox.put(pickle.loads(source.read(HEADER.unpack(header)[0])))
    inbox.put(("end",))


def main() -> None:
    source = os.fdopen(os.dup(0), "rb")
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    setup: Setup = pickle.loads(source.read(HEADER.unpack(source.read(HEADER.size))[0]))
    sys.path[:] = setup.path
    worker = Worker(setup.limits, out)

    def end() -> None:
        worker.close()
        os._exit(0)

    settle_worker(setup.parent, end)
    be_nice(NICE)
    worker.tell(ready=os.getpid())
    threading.Thread(target=read_messages, args=(source, worker.inbox), daemon=True).start()
    worker.run()
    end()
