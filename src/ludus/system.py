"""What we ask of the operating system: cores, memory, workers, whole files, locks, lines of JSON, connections."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from pathlib import Path
from typing import IO, Any

_sharing = 1  # how many processes use the cores side by side


def cores() -> int:
    """How many cores this process may use: all, or its share of them."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, there // _sharing)


def share_cores(processes: int) -> None:
    """From now on this process is one of several that work side by side."""
    global _sharing
    _sharing = processes


def memory() -> int:
    """The bytes of memory of this machine; 4 GB where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 4 << 30


def settle_worker(parent: int, end: Callable[[], None]) -> None:
    """Makes this process a worker: it leaves Ctrl-C to the parent, ends when it does, and prints off its results.

    `end` closes what the worker has started and exits.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: end())
    with contextlib.suppress(Exception):  # Linux: die with the parent even inside a call that never comes back
        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))
    threading.Thread(target=end_with, args=(parent, end), daemon=True).start()
    sys.stdout.flush()
    os.dup2(2, 1)


@contextlib.contextmanager
def starting_workers() -> Iterator[None]:
    """Processes that are started inside leave Ctrl-C to the parent from the beginning, also while they are loaded."""
    if not hasattr(signal, "pthread_sigmask"):  # not on this system
        yield
        return
    resource_tracker.ensure_running()  # its own start lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which a new process inherits
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with(parent: int, end: Callable[[], None]) -> None:
    """Calls `end` when this process has lost its parent."""
    while os.getppid() == parent:
        time.sleep(0.2)
    end()


def be_nice(by: int) -> None:
    """Lets other programs run first, where the system knows how."""
    if hasattr(os, "nice"):
        os.nice(by)


def give_way() -> None:
    """Lets the other threads of this program run first, where the system can tell threads apart."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file so that a reader, even after a crash, sees all of it or what was there before."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        error.filename = str(path)  # which the system does not say of a disk that is full
        with contextlib.suppress(OSError):
            part.unlink()
        raise


NO_ROOM = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is full",
    errno.EFBIG: "a file has reached the largest size that is allowed here",
}


def trouble_of(error: OSError) -> str:
    """What the system refuses, in words that say what would help."""
    if error.errno in NO_ROOM:
        return f"{NO_ROOM[error.errno]}{f' ({error.filename})' if error.filename else ''}; make room"
    return f"cannot use {error.filename!r}: {error.strerror}" if error.filename else str(error)


def lock(file: IO[str]) -> bool:
    """Takes an open file for this process alone. False if another process has it."""
    try:
        import fcntl
    except ImportError:  # not on this system
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def unlock(file: IO[str]) -> None:
    """Gives up a lock before the file is closed."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_UN)


def held(path: Path) -> bool:
    """Has a process locked this file? False if there is no such file."""
    try:
        with path.open(encoding="utf-8") as file:
            free = lock(file)
            if free:
                unlock(file)  # at once, also for a process that is just being started and has the file, too
            return not free
    except OSError:
        return False


def read_json(text: str | bytes) -> Any:
    """What a text in JSON means; ValueError for every text that is none, also one that is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def is_file(path: Path) -> bool:
    """Is there such a file? There is none whose name is too long or otherwise impossible."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """The same for a folder."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file with one JSON object a line; a last line that was cut off is left out."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
        try:
            row = read_json(line)
        except ValueError:
            return  # whatever follows a damaged line cannot be trusted
        if not line.endswith("\n") or not isinstance(row, dict):
            return
        yield row


def keep_alive(connection: socket.socket) -> None:
    """Lets the system notice within about a minute that the other side of a connection is gone without a word."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, seconds in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)
