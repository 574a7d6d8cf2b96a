"""Trainings and tournaments as processes of their own: how the page starts, finds and stops them.

A chore is one of our own commands at work in the folder of a run. It leaves three files there:

page-train.json   what the page asked for (page-topp.json and page-tournament.json for tournaments)
page-train.lock   its process number, and "stopped" if it was told to stop; locked by the process while it lives
page-train.log    what it printed

The lock is handed to the process open, so it is free the moment the process ends, however it ends, and a server that
was killed and started again finds every chore that is still running. A server that is closed stops all of them with
SIGINT, after which each can be resumed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ludus.errors import LudusError
from ludus.load import COMMAND_LINE
from ludus.system import held, lock, read_json, write_whole
from ludus.web.learning.watched import changed_at

MOST = 2  # at a time
PATIENCE = 15.0  # seconds between SIGINT and SIGKILL
NICE = 10  # they give way to people who play on the same machine
COMPLAINT = 600  # characters of the end of a log in which an error is looked for
SETTLED = 1.0  # seconds after which whoever has opened a lock file holds it

Kind = Literal["train", "topp", "tournament"]
KINDS: tuple[Kind, ...] = ("train", "topp", "tournament")


class Refused(LudusError):
    """This cannot be started or stopped now."""


@dataclass(frozen=True)
class Chore:
    """One command in the folder of a run."""

    folder: Path
    kind: Kind

    def path(self, ending: str) -> Path:
        return self.folder / f"page-{self.kind}.{ending}"

    @property
    def running(self) -> bool:
        return held(self.path("lock"))

    @property
    def process(self) -> tuple[int | None, bool]:
        """Its process number, if it has one, and whether it was told to stop."""
        try:
            number, _, stopped = self.path("lock").read_text(encoding="utf-8").partition(" ")
        except OSError:
            return None, False
        return int(number) if number.isdecimal() else None, bool(stopped)

    @property
    def order(self) -> dict[str, Any] | None:
        """What the page asked for; None if no page did."""
        try:
            order = read_json(self.path("json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return order if isinstance(order, dict) else None

    def log(self, most: int) -> str:
        """The end of what it printed."""
        try:
            with self.path("log").open("rb") as file:
                file.seek(max(0, self.path("log").stat().st_size - most))
                return file.read(most).decode(errors="replace")
        except OSError:
            return ""

    def complaint(self) -> str:
        """The sentence with which it failed; empty if it did not fail, or was told to stop."""
        if self.process[1]:
            return ""
        lines = self.log(COMPLAINT).strip().splitlines()
        last = lines[-1].strip() if lines else ""
        command, _, sentence = last.partition(": ")
        if command == f"ludus {self.kind}":
            return sentence
        return f"It broke off: {last}" if any(line.startswith("Traceback") for line in lines) else ""


class Chores:
    """All chores in a runs folder, at most a few at a time."""

    def __init__(self, runs: Path, most: int = MOST, patience: float = PATIENCE) -> None:
        self.runs, self.most, self.patience = runs, most, patience
        self._mutex = threading.Lock()
        self._children: list[subprocess.Popen[bytes]] = []  # that this server has started
        self._stopping: dict[Chore, threading.Timer] = {}

    def running(self) -> list[Chore]:
        """Those at work, whichever server has started them."""
        self._children = [child for child in self._children if child.poll() is None]
        locks = [path for kind in KINDS for path in self.runs.glob(f"*/page-{kind}.lock")]
        chores = [Chore(path.parent, path.stem.removeprefix("page-")) for path in locks]  # type: ignore[arg-type]
        return [chore for chore in chores if chore.running]

    def stopping(self, chore: Chore) -> bool:
        """Has it been asked to stop, and not stopped yet?"""
        timer = self._stopping.get(chore)
        if timer is not None and not chore.running:
            timer.cancel()
            self._stopping.pop(chore, None)
        return chore in self._stopping

    def start(self, chore: Chore, arguments: Sequence[str], order: dict[str, Any]) -> None:
        """Starts one of our commands; refuses more than a few at a time."""
        if not hasattr(os, "killpg"):
            raise Refused("the page can start and stop trainings and tournaments on Linux and macOS only; "
                          "on this system start them on the command line, such as ludus train")  # fmt: skip
        with self._mutex:
            busy = self.running()
            if chore in busy:
                raise Refused(f"the run {chore.folder.name} is at work already")
            if len(busy) >= self.most:
                names = " and ".join(sorted({one.folder.name for one in busy}))
                raise Refused(f"this machine is busy with {names}; wait until one is finished, or stop one")
            chore.folder.mkdir(parents=True, exist_ok=True)
            with chore.path("lock").open("a+", encoding="utf-8") as file:
                if not lock(file):
                    raise Refused(f"the run {chore.folder.name} is at work already")
                write_whole(chore.path("json"), json.dumps(order, indent=1) + "\n")
                self._children.append(launch(chore, arguments, file.fileno()))
                file.truncate(0)
                file.write(str(self._children[-1].pid))

    def stop(self, chore: Chore) -> None:
        """Asks a chore to stop; ends it by force if it has not stopped after some seconds."""
        with self._mutex:
            if not chore.running:
                raise Refused(f"the run {chore.folder.name} is not at work, so there is nothing to stop")
            if chore not in self._stopping:
                send(chore, signal.SIGINT)
                timer = threading.Timer(self.patience, send, (chore, signal.SIGKILL))
                timer.daemon = True
                self._stopping[chore] = timer
                timer.start()

    def close(self) -> None:
        """Stops all of them, and waits for it: the server is being closed."""
        for timer in self._stopping.values():
            timer.cancel()
        for chore in self.running():
            send(chore, signal.SIGINT)
        deadline = time.monotonic() + self.patience
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        for chore in self.running():
            send(chore, signal.SIGKILL)


def launch(chore: Chore, arguments: Sequence[str], held_open: int) -> subprocess.Popen[bytes]:
    """The process of a chore: in a session of its own, niced, without input, its output in the log."""
    with chore.path("log").open("wb") as log:
        child = subprocess.Popen(
            [*COMMAND_LINE, *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            pass_fds=(held_open,),
        )  # fmt: skip
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, child.pid, NICE)
    return child


def send(chore: Chore, number: signal.Signals) -> None:
    """Sends a signal to a chore and the processes it has started.

    Its process number is the number of their group. As long as one of them holds the lock, no other group can have it.
    """
    group, _ = chore.process
    if group is not None and chore.running:
        chore.path("lock").write_text(f"{group} stopped", encoding="utf-8")
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


class Hold:
    """Whether any process, also one that no page has started, holds a lock file.

    To ask is to take the lock for a moment, in which another process could be refused it. So a file that was found
    free is not asked about again until it or one of its `witnesses` has changed, nor while a change is fresh.
    """

    def __init__(self, path: Path, *witnesses: Path) -> None:
        self.path, self.witnesses = path, (path, *witnesses)
        self._free: list[float] | None = None  # when the files were changed that belong to a lock that was free

    def held(self) -> bool:
        changed = [changed_at(path) for path in self.witnesses]
        if not self.path.exists() or changed == self._free:
            return False
        if 0 <= time.time() - max(changed) < SETTLED or held(self.path):
            return True
        self._free = changed
        return False
