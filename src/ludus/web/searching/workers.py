"""One worker process as the pool sees it: how it is started, watched, killed when it is stuck, and replaced.

A worker that dies takes nothing with it but a moment: its jobs are started again in the next process. A job that
was in hand when two workers ended, or that is known to have blocked one, fails with a sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pickle
import sys
import time
from typing import TYPE_CHECKING, Any

from ludus.monitor.logs import about, logger
from ludus.monitor.metrics import Counter
from ludus.web.searching.tools import Limits
from ludus.web.searching.worker import HEADER, Setup

if TYPE_CHECKING:
    from ludus.web.searching.pool import Job

COMMAND = [
    sys.executable,
    "-P",
    "-c",
    "from ludus.web.searching.worker import main; main()",
]  # -P: nothing of this folder
LOG = logger("web")
LONGEST = 8 << 20  # bytes of a line from a worker
PING = 1.0  # seconds between two questions whether a worker is alive
PATIENCE = 3.0  # seconds for a worker to end when asked
LOST = "the process that was searching has ended twice; try again, or with another opponent"
STUCK = "no answer came in time, so the search was ended"


class WorkerProcess:
    """A worker, process after process."""

    def __init__(self, limits: Limits, losses: Counter) -> None:
        self.limits, self.losses = limits, losses
        self.jobs: dict[int, Job] = {}
        self.leaving: dict[int, Job] = {}  # cancelled, but the process has not said yet that they have ended
        self.process: asyncio.subprocess.Process | None = None
        self.heard = 0.0  # when it last said something; for one that starts, when its time for that is up
        self.blamed = False  # it is known which job was to blame for the end of the process
        self.closing = False
        self.life: asyncio.Task[None] | None = None

    def open(self) -> None:
        if self.life is None and not self.closing:
            self.life = asyncio.get_running_loop().create_task(self.live())

    @property
    def alive(self) -> bool:
        """Has it a process that runs, and has said something?"""
        running = self.process is not None and self.process.returncode is None
        return running and self.heard <= time.monotonic()

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process else None

    @property
    def load(self) -> int:
        """How many of its jobs want to work."""
        return sum(not job.resting for job in self.jobs.values())

    @property
    def count(self) -> int:
        """How many jobs it holds."""
        return len(self.jobs) + len(self.leaving)

    # ----------------------------------------------------------------------------------- talking to it

    def send(self, *message: Any) -> None:
        """Sends a message, if there is a process; a new one is told of its jobs anyway."""
        if self.process is not None and self.process.stdin is not None:
            pickled = pickle.dumps(message)
            with contextlib.suppress(OSError, RuntimeError):  # it has just ended, which live() sees
                self.process.stdin.write(HEADER.pack(len(pickled)) + pickled)

    def begin(self, job: Job) -> None:
        self.jobs[job.number] = job
        self.hand_over(job)

    def cancel(self, job: Job) -> None:
        del self.jobs[job.number]
        if self.process is not None:
            self.leaving[job.number] = job
            self.send("cancel", job.number)

    def hand_over(self, job: Job) -> None:
        self.send("start", job.number, pickle.dumps(job.task))

    def hear(self, message: dict[str, Any]) -> None:
        self.heard = time.monotonic()
        if "stuck" in message:
            self.kill_for(message["stuck"])
            return
        number = message.get("job", 0)
        job = self.jobs.get(number) or self.leaving.get(number)
        if message.get("done"):
            self.jobs.pop(number, None)
            self.leaving.pop(number, None)
        if job is not None:
            job.hear(message)

    # ----------------------------------------------------------------------------------- its life

    async def live(self) -> None:
        """Keeps a process running until the pool is closed."""
        failures = 0
        while not self.closing:
            began = time.monotonic()
            await self.one_process()
            failures = 0 if time.monotonic() - began > 5.0 else failures + 1
            if not self.closing:
                self.lost()
                await asyncio.sleep(min(5.0, 0.05 * 2**failures))

    async def one_process(self) -> None:
        """Starts a process, gives it the jobs there are, and listens to it until it ends."""
        process = await asyncio.create_subprocess_exec(
            *COMMAND, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LONGEST
        )
        assert process.stdin is not None and process.stdout is not None
        self.process, self.heard, self.blamed = process, time.monotonic() + self.limits.loading_seconds, False
        setup = pickle.dumps(Setup(os.getpid(), sys.path, self.limits))
        process.stdin.write(HEADER.pack(len(setup)) + setup)
        for job in self.jobs.values():
            self.hand_over(job)
        if self.closing:
            process.kill()
        watch = asyncio.get_running_loop().create_task(self.watch())
        try:
            async for line in process.stdout:
                self.hear(json.loads(line))
        except ValueError:
            self.kill()  # what it says cannot be trusted any more
        finally:
            watch.cancel()
            self.process = None
            await end(process)

    async def watch(self) -> None:
        """Kills the process when it says nothing, not even that it is alive."""
        while True:
            await asyncio.sleep(PING)
            self.send("ping", 0)
            if time.monotonic() - self.heard > self.limits.silent_seconds:
                self.kill()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if self.process is not None:
                self.process.kill()

    def kill_for(self, number: int) -> None:
        """A step of a job does not end. The thread cannot be stopped, so the process is."""
        self.blamed = True
        if (job := self.jobs.pop(number, None)) is not None:
            job.fail("flag", STUCK)
        self.kill()

    def lost(self) -> None:
        """The process has ended: its jobs will start again, but not forever."""
        self.losses.add()
        LOG.warning("a process that searches has ended", extra=about(jobs=len(self.jobs)))
        self.leaving.clear()
        suspects = [job for job in self.jobs.values() if job.aside] or list(self.jobs.values())
        for job in [] if self.blamed else suspects:
            job.losses += 1
            if job.losses >= 2 and not job.done:
                del self.jobs[job.number]
                job.fail("crash", LOST)
        for job in self.jobs.values():
            job.aside = job.resting = False
            job.drop_questions()

    async def close(self) -> None:
        self.closing = True
        for job in list(self.jobs.values()):
            job.fail("closed", "the server is closing")
        self.jobs.clear()
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
        if self.life is not None:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(self.life), PATIENCE)
            self.kill()
            await self.life


async def end(process: asyncio.subprocess.Process) -> None:
    """Waits until a process has ended, and makes it."""
    try:
        await asyncio.wait_for(process.wait(), PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
