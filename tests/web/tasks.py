"""Small tasks for the tests of the pool, and a helper that runs a test with one."""

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

from ludus.web.searching.pool import Pool
from ludus.web.searching.tasks import Aside


@dataclass(frozen=True)
class Count:
    """Reports 1, 2, 3, …, one number a step."""

    most: int = 10**9
    pause: float = 0.001
    table: str = "t"
    urgent: bool = False

    def steps(self, tools):
        for number in range(1, self.most):
            time.sleep(self.pause)
            yield {"number": number}
        return {"number": self.most}


@dataclass(frozen=True)
class Hang:
    """Makes a step in a thread that never ends."""

    table: str = "t"
    urgent: bool = False
    seconds: float = 0.5  # after which it is stuck
    holding: bool = False  # on to the interpreter, so that the whole process stands still
    sign: str = ""  # a file that is made when it hangs

    def steps(self, tools):
        yield {"number": 0}
        yield Aside(self.seconds)
        if self.sign:
            Path(self.sign).touch()
        if self.holding:
            sum(range(10**12))
        while True:
            time.sleep(0.01)


@dataclass(frozen=True)
class Held:
    """Reports a number, and makes its second step when a file is there."""

    file: str
    table: str = "t"
    urgent: bool = False

    def steps(self, tools):
        yield {"number": 1}
        while not Path(self.file).exists():
            time.sleep(0.01)
        for number in range(2, 10**9):
            yield {"number": number}
            time.sleep(1)


@dataclass(frozen=True)
class Leave:
    """Ends its process, and says so the first time it is asked where."""

    table: str = "t"
    urgent: bool = False

    def steps(self, tools):
        yield Aside()
        os._exit(7)


@dataclass(frozen=True)
class Rubbish:
    """Reports what is no JSON."""

    table: str = "t"
    urgent: bool = False

    def steps(self, tools):
        yield {"number": 1, "thing": object()}
        return {"number": 2}


def with_pool(test, **options):
    """Runs an asynchronous test with a pool; the pool is closed, whatever happens."""

    async def run():
        pool = Pool(**{"workers": 1} | options)
        try:
            return await asyncio.wait_for(test(pool), 600)
        finally:
            await pool.close()

    return asyncio.run(run())


class Heard(list):
    """All reports of a job."""

    def __init__(self, pool, task):
        self.changed = asyncio.Event()
        self.job = pool.start(task, self.hear)

    def hear(self, report):
        self.append(report)
        self.changed.set()

    async def until(self, condition=lambda report: True, seen=0):
        """Waits for a report, not one of the first `seen`, for which the condition holds, and returns it."""
        while True:
            for report in self[seen:]:
                seen += 1
                if condition(report):
                    return report
            assert not self.job.done, f"it ended with {self[-1:]}"
            self.changed.clear()
            await self.changed.wait()

    async def last(self):
        """The facts of the last report."""
        await self.job.ended.wait()
        return self[-1].facts


async def gone(pool):
    """Waits until no worker has a job."""
    while any(worker.count for worker in pool.workers):
        await asyncio.sleep(0.01)
