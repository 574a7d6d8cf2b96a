"""One outside program, which is not trusted: it may hang, flood, crash, fork or leave things behind.

Between Ludus and the program stands a small process, its keeper (keeper.py). It is a process rather than a few
lines run before the program starts, for three reasons: it works from any thread, it finds even those children of
the program that went into a session of their own, and it ends all of them when Ludus itself is killed.
"""

from __future__ import annotations

import os
import selectors
import shlex
import shutil
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO

from ludus.agents.agent import AgentFailed
from ludus.errors import BadOption, LudusError

MAX_LINE = 64 * 1024  # bytes
MAX_PENDING = 1024 * 1024  # bytes that the program has written and that have not been read yet
CHUNK = 64 * 1024
GAMES = ":/usr/local/games:/usr/games"  # where Debian puts games; often not on the PATH
KEEPER = str(Path(__file__).with_name("keeper.py"))


class Program:
    """A running program: lines go to its standard input, lines come from its standard output."""

    def __init__(self, command: str, memory: int = 4096, show_errors: bool = False) -> None:
        """Starts a program, with at most `memory` megabytes for each of its processes.

        What it writes to its standard error is kept for a sentence about its end, or goes to ours with `show_errors`.
        """
        if not hasattr(os, "fork"):
            raise LudusError("programs of others can be run on Linux and macOS only, because their keeper needs a fork")
        self.command = command
        arguments = split(command)
        if not isinstance(memory, int) or memory < 1:
            raise BadOption(f"memory must be a whole number of megabytes from 1 up, not {memory!r}")
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", KEEPER, str(os.getpid()), str(memory), str(int(show_errors)), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if show_errors else subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._stdin, self._stdout, *self._stderr = pipes_of(self._process)
        for pipe in pipes_of(self._process):
            os.set_blocking(pipe.fileno(), False)
        self._pending = bytearray()  # said, but not read yet
        self._finished = False  # it will say nothing more
        self._last_words: str | None = None
        self._end = weakref.finalize(self, end, self._process, os.getpid())  # also when Ludus exits

    @property
    def pid(self) -> int:
        """The process to watch: the keeper's, which ends with the program and just as it did."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Is the program still running?"""
        return self._process.poll() is None

    def send(self, text: str, seconds: float) -> None:
        """Writes a line; `seconds` is how long the program may take to read it."""
        self._refuse_closed()
        rest, deadline = memoryview(f"{text}\n".encode()), time.monotonic() + seconds
        while rest:
            try:
                rest = rest[os.write(self._stdin.fileno(), rest) :]
            except BlockingIOError:
                if not self._wait(deadline, writing=True):
                    raise AgentFailed("flag", f"{self} did not read its input within {seconds:.1f} s") from None
            except BrokenPipeError:
                raise self._crashed("its input") from None

    def read_line(self, seconds: float) -> str:
        """The next line that the program writes, without its end."""
        self._refuse_closed()
        deadline = time.monotonic() + seconds
        self._take_in()
        while (end := self._pending.find(b"\n")) < 0:
            if len(self._pending) > MAX_LINE:
                break
            if self._finished:
                raise self._crashed("its output")
            if not self._wait(deadline):
                raise AgentFailed("flag", f"{self} gave no answer within {seconds:.1f} s")
        if end < 0 or end > MAX_LINE:
            raise AgentFailed("rubbish", f"{self} wrote a line of more than {MAX_LINE:,} bytes")
        line = bytes(self._pending[:end])
        del self._pending[: end + 1]
        try:
            return line.decode().removesuffix("\r")
        except UnicodeDecodeError:
            raise AgentFailed("rubbish", f"{self} wrote bytes that are no text: {line[:40]!r}") from None

    def close(self) -> None:
        """Ends the program and all that it has started."""
        self._end()

    def _wait(self, deadline: float, writing: bool = False) -> bool:
        """Waits until the program says something or, when writing, listens; False once the time is up."""
        with selectors.DefaultSelector() as selector:
            if not self._finished:
                selector.register(self._stdout, selectors.EVENT_READ)
            if writing:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            left = deadline - time.monotonic()
            ready = selector.select(left) if left > 0 else []
        if any(key.fileobj is self._stdout for key, _ in ready):
            self._take_in()
        return bool(ready)

    def _take_in(self) -> None:
        """Takes in what the program has said so far."""
        while not self._finished and len(self._pending) <= MAX_PENDING:
            try:
                news = os.read(self._stdout.fileno(), CHUNK)
            except BlockingIOError:
                return
            self._pending += news
            self._finished = not news
        if len(self._pending) > MAX_PENDING:
            raise AgentFailed("rubbish", f"{self} wrote more than {MAX_PENDING:,} bytes that nobody asked for")

    def _refuse_closed(self) -> None:
        if not self._end.alive:
            raise AgentFailed("crash", f"{self} has been ended")

    def _crashed(self, closed: str) -> AgentFailed:
        """What to say of a program that has closed a pipe, most often by ending."""
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return AgentFailed("crash", f"{self} has closed {closed}")
        how = f"exited with code {code}" if code >= 0 else f"was ended by signal {-code}"
        if self._last_words is None:
            self._last_words = last_line(b"".join(pipe.read() or b"" for pipe in self._stderr))
        said = f"; it last said: {self._last_words}" if self._last_words else ""
        return AgentFailed("crash", f"{self} {how}{said}")

    def __str__(self) -> str:
        return shorten(self.command, 80)


def split(command: str) -> list[str]:
    """The words of a command, the first of which is a program that is there."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise LudusError(f"cannot read the command {command!r}: {str(error).lower()}") from None
    if not arguments or "\0" in command:
        raise LudusError(f"a command is a program and its arguments, not {command!r}")
    place = shutil.which(arguments[0], path=os.environ.get("PATH", os.defpath) + GAMES)
    if place is None:
        raise LudusError(f"there is no program {arguments[0]!r} that could be run")
    return [place, *arguments[1:]]


def pipes_of(process: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    """Standard input, output and error."""
    return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]


def end(process: subprocess.Popen[bytes], owner: int) -> None:
    """Ends a keeper, which ends everything else. Forks of its owner, such as workers, leave it alone."""
    if os.getpid() == owner:
        process.terminate()
        try:
            process.wait(10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pipe in pipes_of(process):
        with suppress(OSError):
            pipe.close()


def last_line(said: bytes) -> str:
    """The last line with something in it, shortened."""
    lines = [line for line in said.decode(errors="replace").splitlines() if line.strip()]
    return shorten(lines[-1], 200) if lines else ""


def shorten(text: str, most: int = 60) -> str:
    """A text as part of a sentence: one line, printable, not too long."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * most]).split())
    return text if len(text) <= most else text[: most - 1] + "…"
