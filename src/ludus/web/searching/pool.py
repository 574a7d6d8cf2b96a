"""The pool: worker processes that search for the server, outside its event loop. Used from that loop only.

`pool.start(task, report)` hands a task to a worker and returns its Job; `report` is called in the event loop whenever
there is news. What a worker does is in worker.py, how its process lives and dies in workers.py.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ludus.errors import LudusError
from ludus.monitor.metrics import Counter, Histogram
from ludus.system import cores
from ludus.web.searching.tasks import Facts, Task
from ludus.web.searching.tools import Limits
from ludus.web.searching.workers import WorkerProcess

TABLES = 1000  # whose worker is remembered
LEAN = 2  # jobs that the worker of a table may have more than another one


class Busy(LudusError):
    """The machine searches for so many people that it takes no further task."""


@dataclass(frozen=True)
class Report:
    """News of a job: plain JSON. After the last one (`done`) nothing more comes."""

    facts: Facts
    done: bool = False

    @property
    def failed(self) -> bool:
        return self.facts.get("kind") == "failed"


@dataclass(eq=False)
class Job:
    """A task that a worker has in hand. After cancel() nothing more is reported."""

    number: int
    task: Task
    tell: Callable[[Report], None]
    worker: WorkerProcess
    done: bool = False
    aside: bool = False  # it makes a step that may block
    resting: bool = False  # it only waits for questions
    losses: int = 0  # workers that ended with this job in hand
    steps: int = 0  # made so far
    questions: dict[int, asyncio.Future[Facts]] = field(default_factory=dict)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    begun: float = field(default_factory=time.monotonic)

    def cancel(self) -> None:
        """Stops the job at once; its memory is freed."""
        if not self.done:
            self.end()
            self.worker.cancel(self)

    def ask(self, question: object) -> asyncio.Future[Facts]:
        """The answer to a question about what the job has found so far; a refusal is a LudusError."""
        future: asyncio.Future[Facts] = asyncio.get_running_loop().create_future()
        if self.done:
            future.set_exception(LudusError("this search has ended"))
            return future
        number = max(self.questions, default=0) + 1
        self.questions[number] = future
        self.worker.send("ask", self.number, number, pickle.dumps(question))
        return future

    def hear(self, message: dict[str, Any]) -> None:
        """What the worker says about this job."""
        self.steps = message.get("steps", self.steps)
        if "aside" in message:
            self.aside = message["aside"]
        elif "resting" in message:
            self.resting = True
        elif "answer" in message:
            self.answer(message["answer"], message["facts"])
        elif not self.done:
            self.report(Report(message["facts"], message["done"]))

    def answer(self, number: int, facts: Facts) -> None:
        future = self.questions.pop(number, None)
        if future is None or future.done():
            return
        if "error" in facts:
            future.set_exception(LudusError(facts["error"]))
        else:
            future.set_result(facts)

    def report(self, report: Report) -> None:
        if report.done:
            self.end()
        try:
            self.tell(report)
        except Exception as error:  # a mistake of who is told must not end the worker
            about = {"message": f"the report of a {type(self.task).__name__} could not be told", "exception": error}
            asyncio.get_running_loop().call_exception_handler(about)

    def fail(self, kind: str, sentence: str) -> None:
        """The worker could not do it."""
        if not self.done:
            self.report(Report({"kind": "failed", "failure": kind, "sentence": sentence, "share": 0.0}, True))

    def end(self) -> None:
        self.done = True
        self.drop_questions()
        self.ended.set()

    def drop_questions(self) -> None:
        for number in list(self.questions):
            self.answer(number, {"error": "the search ended before it could answer"})


class Pool:
    """A number of workers. Create it and use it in one event loop; close() ends them all."""

    def __init__(
        self, workers: int | None = None, limits: Limits | None = None, jobs: int = 200, jobs_each: int = 100
    ) -> None:
        """`workers` processes (one for every core), at most `jobs` at a time and `jobs_each` in one worker."""
        count = workers or cores()
        limits = limits or Limits()
        self.most, self.most_each = jobs, jobs_each
        each = replace(limits, all_bytes=limits.all_bytes // count)
        self.answers, self.lost = Histogram("task"), Counter()  # seconds that tasks took; workers that have died
        self.workers = [WorkerProcess(each, self.lost) for _ in range(count)]
        self.tables: OrderedDict[str, WorkerProcess] = OrderedDict()
        self.numbers = 0
        self.closed = False

    def open(self) -> None:
        """Starts the workers, unless they run already."""
        for worker in self.workers:
            worker.open()

    def start(self, task: Task, report: Callable[[Report], None]) -> Job:
        """Hands a task to a worker; refuses it with a sentence when there are too many."""
        if self.closed:
            raise Busy("the server is closing")
        self.open()
        worker = self.worker_for(task)
        if sum(one.count for one in self.workers) >= self.most or worker.count >= self.most_each:
            raise Busy("this machine is searching for too many people at once; try again in a moment")
        self.numbers += 1
        job = Job(self.numbers, task, report, worker)
        job.tell = self.timed(job, report)
        worker.begin(job)
        return job

    def timed(self, job: Job, report: Callable[[Report], None]) -> Callable[[Report], None]:
        """Notes how long a task took before its last report is told."""

        def tell(news: Report) -> None:
            if news.done and not news.failed:
                self.answers.note(time.monotonic() - job.begun, type(job.task).__name__.lower())
            report(news)

        return tell

    @property
    def alive(self) -> int:
        """How many workers have a process that has said something."""
        return sum(worker.alive for worker in self.workers)

    @property
    def searching(self) -> int:
        return sum(worker.count for worker in self.workers)

    def worker_for(self, task: Task) -> WorkerProcess:
        """The idlest worker; for somebody who waits the one that keeps the table's agents, unless it is too busy."""
        idlest = min(self.workers, key=lambda worker: worker.load)
        if not task.urgent:
            return idlest
        worker = self.tables.get(task.table, idlest)
        if worker.load > idlest.load + LEAN:
            worker = idlest
        self.tables[task.table] = worker
        self.tables.move_to_end(task.table)
        if len(self.tables) > TABLES:
            self.tables.popitem(last=False)
        return worker

    def forget(self, table: str) -> None:
        """A table is closed: its agents end."""
        self.tables.pop(table, None)
        for worker in self.workers:
            worker.send("forget", table)

    async def close(self) -> None:
        """Ends all jobs and all workers."""
        self.closed = True
        await asyncio.gather(*(worker.close() for worker in self.workers))
