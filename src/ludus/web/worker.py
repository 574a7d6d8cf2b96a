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
from dataclasses import dataclass, field
from typing import IO, Any

from ludus.agents import AgentFailed, close
from ludus.errors import LudusError
from ludus.system import settle_worker
from ludus.web.tasks import Aside, Facts, Rest, Steps, Task
from ludus.web.tools import VISITORS_STEP, Kept, Limits, Tools

HEADER = struct.Struct(">I")  # the length of a message
LOOK_UP = 0.5  # seconds between two looks at jobs that rest or are in a thread
NICE = 10  # the event loop of the server and everything else on the machine come first


@dataclass(frozen=True)
class Setup:
    """The first message to a worker."""

    parent: int  # its process
    path: list[str]  # where it finds modules
    limits: Limits


@dataclass
class Ended:
    """A job's steps are over: with the facts of its last report."""

    facts: Facts


@dataclass
class Job:
    """A task under way."""

    number: int
    task: Task
    tools: Tools
    steps: Steps
    began: float = field(default_factory=time.monotonic)
    had: float = 0.0  # seconds of work
    count: int = 0  # steps made
    aside: Aside | None = None  # the next step, or the one under way, has a thread
    thread_since: float | None = None  # when its thread began
    rests_until: float | None = None
    cancelled: bool = False

    @property
    def share(self) -> float:
        """How much of the time since it began the job was worked on."""
        return min(1.0, self.had / max(1e-9, time.monotonic() - self.began))

    def step(self) -> Facts | Aside | Rest | Ended | None:
        """The next step, and what it says."""
        began, worked = time.monotonic(), time.process_time()
        try:
            return next(self.steps)
        except StopIteration as end:
            return Ended(end.value)
        except AgentFailed as failed:
            return Ended(failure(failed.kind, str(failed)))
        except LudusError as error:
            return Ended(failure("refused", str(error)))
        except (Exception, SystemExit) as error:  # a visitor's game may raise anything
            return Ended(failure("exception", f"{type(error).__name__}: {str(error)[:200]}"))
        finally:
            self.count += 1
            seconds = time.monotonic() - began
            self.had += seconds if self.aside else min(seconds, time.process_time() - worked)


def failure(kind: str, sentence: str) -> Facts:
    """The last report of a job that went wrong."""
    return {"kind": "failed", "failure": kind, "sentence": sentence}


class Worker:
    """The jobs of one process. Those for which somebody waits take turns; after a round of them comes one other."""

    def __init__(self, limits: Limits, out: IO[str]) -> None:
        self.kept = Kept(limits)
        self.out = out
        self.inbox: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self.jobs: dict[int, Job] = {}
        self.strays: list[Job] = []  # cancelled, but their threads are still at work
        self.urgent: deque[Job] = deque()
        self.others: deque[Job] = deque()
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
            job = Job(number, task, tools, task.steps(tools))
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

    def on_ask(self, number: int, question_number: int, question: object) -> None:
        job = self.jobs.get(number)
        try:
            if job is None or job.tools.answer is None:
                raise LudusError("this search cannot be asked now")
            facts = job.tools.answer(question)
        except (LudusError, LookupError, TypeError) as error:
            facts = {"error": str(error)}
        self.tell(job=number, answer=question_number, facts=facts)

    def on_forget(self, table: str) -> None:
        self.kept.forget_table(table)

    def on_ping(self, number: int) -> None:
        self.tell(pong=number)

    def on_stepped(self, job: Job, said: Facts | Aside | Rest | Ended | None) -> None:
        """A step in a thread is done."""
        job.aside = job.thread_since = None
        if job.cancelled:
            self.strays.remove(job)
            job.steps.close()
            return
        self.tell(job=job.number, aside=False)
        self.take(job, said)

    # ----------------------------------------------------------------------------------- turns

    def line_up(self, job: Job) -> None:
        (self.urgent if job.task.urgent else self.others).append(job)

    def next_job(self) -> Job | None:
        if self.urgent and (not self.others or self.since_other < len(self.urgent)):
            self.since_other += 1
            return self.urgent.popleft()
        self.since_other = 0
        return self.others.popleft() if self.others else None

    def advance(self, job: Job) -> None:
        """One step of a job; its own thread makes it if it may take long."""
        if job.tools.outside and job.aside is None:
            job.aside = Aside(VISITORS_STEP)
        if job.aside is None:
            self.take(job, job.step())
            return
        job.thread_since = time.monotonic()
        self.tell(job=job.number, aside=True)
        threading.Thread(target=lambda: self.inbox.put(("stepped", job, job.step())), daemon=True).start()

    def take(self, job: Job, said: Facts | Aside | Rest | Ended | None) -> None:
        """What a step has said: a report, what the job needs next, or that it is over."""
        if isinstance(said, Ended):
            self.finish(job, said.facts or {})
            return
        if isinstance(said, Rest):
            job.rests_until = time.monotonic() + said.seconds
            return
        if isinstance(said, Aside):
            job.aside = said
        elif said is not None:
            self.report(job, said, False)
        self.line_up(job)

    # ----------------------------------------------------------------------------------- the end of jobs

    def finish(self, job: Job, facts: Facts) -> None:
        """A job is over: its agents wait for the next one, unless they failed or are still at work in a thread."""
        del self.jobs[job.number]
        for line in (self.urgent, self.others):
            if job in line:
                line.remove(job)
        self.report(job, facts, True)
        if job.thread_since is not None:
            self.strays.append(job)
        else:
            job.steps.close()
        if job.thread_since is not None or facts.get("kind") == "failed":
            job.tools.close_agents()
        else:
            job.tools.return_agents(with_trees=not job.cancelled)

    def report(self, job: Job, facts: Facts, done: bool) -> None:
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
            if job.thread_since is not None and job.aside and now > job.thread_since + job.aside.seconds:
                self.tell(stuck=job.number)
        for job in list(self.jobs.values()):
            if job.rests_until is not None and now > job.rests_until:
                self.take(job, job.step())
            elif job.thread_since is None and now > job.began + self.kept.limits.job_seconds:
                most = self.kept.limits.job_seconds
                self.finish(job, failure("time", f"the search was ended because it took longer than {most:g} seconds"))
        self.kept.forget_idle()

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
    os.nice(NICE)
    worker.tell(ready=os.getpid())
    threading.Thread(target=read_messages, args=(source, worker.inbox), daemon=True).start()
    worker.run()
    end()
