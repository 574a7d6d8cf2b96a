"""The keeper of one outside program: runs it with limits, and ends it together with all that it has started.

A process of its own between Ludus and the program (program.py starts it). It ends everything when the program
ends, when Ludus asks by SIGTERM, and when Ludus is gone, however that happened. Then it ends just as the program
did, and hands on the last words of its standard error. It imports little, so that it starts quickly.
"""

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

with suppress(ImportError):  # Windows, where program.py starts no keeper
    import resource

KEPT = 4096  # bytes of the program's standard error
LOOK_UP = 0.5  # seconds between two looks whether Ludus is still there
LINUX = sys.platform.startswith("linux")
DEATH_SIGNAL, SUBREAPER = 1, 36  # of prctl(2)


def main(arguments: list[str]) -> None:
    """Runs a program until it ends or must end: Ludus' process, megabytes, 1 to show its errors, the command."""
    ludus, megabytes, shows, command = int(arguments[0]), int(arguments[1]), arguments[2] == "1", arguments[3:]
    prctl(SUBREAPER, 1)  # what the program leaves behind becomes our child, whatever session it is in
    signals = wake_on_signals()
    program, errors = start(command, megabytes)
    status, words = watch(ludus, program, signals, errors, shows)
    end_all(program)
    hand_on((words + read_some(errors))[-KEPT:])
    end_alike(status)


def prctl(option: int, value: int) -> None:
    """Sets an attribute of this process that only Linux has."""
    if LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def wake_on_signals() -> int:
    """A pipe from which the numbers of SIGTERM and SIGCHLD can be read as they arrive."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    for number in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def start(command: list[str], megabytes: int) -> tuple[int, int]:
    """The program's process and its standard error. Its standard input and output are those that we were given."""
    errors, writing = os.pipe()
    program = os.fork()
    if program == 0:
        os.dup2(writing, 2)
        become(command, megabytes)
    os.close(writing)
    os.set_blocking(errors, False)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # only the program holds its pipes, so that their end is seen
    os.dup2(nothing, 1)
    return program, errors


def become(command: list[str], megabytes: int) -> None:
    """Turns this process into the program, with its limits; never returns."""
    try:
        os.setsid()  # a program that signals its own group must not hit us
        prctl(DEATH_SIGNAL, signal.SIGKILL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, programs do not expect that
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_AS, megabytes * 2**20)
        os.execvp(command[0], command)
    except Exception as error:
        os.write(2, f"it could not be started: {error}".encode())
    os._exit(127)


def limit(what: int, most: int) -> None:
    """Lowers a limit of this process, where the system has it."""
    with suppress(OSError, ValueError):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def watch(ludus: int, program: int, signals: int, errors: int, shows: bool) -> tuple[int | None, bytes]:
    """Waits until the program has ended or must end. Returns how it ended (None: not yet) and its last words.

    Words that are shown at once are not among the last ones.
    """
    words, pipes = b"", [signals, errors]
    while os.getppid() == ludus:
        ready, _, _ = select.select(pipes, [], [], LOOK_UP)
        if errors in ready:
            news = read_some(errors)
            words = (words + news)[-KEPT:]
            if shows:
                hand_on(news)
                words = b""
            if not news:
                pipes.remove(errors)  # closed
        if signals in ready:
            if signal.SIGTERM in os.read(signals, 4096):
                break
            ended = reap() or {}
            if program in ended:
                return ended[program], words
    return None, words


def hand_on(words: bytes) -> None:
    """Writes to our standard error, whose reader may have ended."""
    with suppress(OSError):
        os.write(2, words)


def read_some(pipe: int) -> bytes:
    """What can be read without waiting."""
    try:
        return os.read(pipe, 65536)
    except BlockingIOError:
        return b""


def reap() -> dict[int, int] | None:
    """How our children ended, those that have; None if we have no child any more."""
    ended: dict[int, int] = {}
    try:
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if not child:
                return ended
            ended[child] = status
    except ChildProcessError:
        return ended or None


def end_all(program: int, seconds: float = 5.0) -> None:
    """Kills the program, its group and all its descendants."""
    deadline = time.monotonic() + seconds
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while reap() is not None and time.monotonic() < deadline:
        for process in descendants(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.001)


def descendants(root: int) -> list[int]:
    """All processes below one, by the parents that /proc lists; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if LINUX else []:
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except OSError:
                continue  # it has just ended
            children.setdefault(parent, []).append(int(name))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found[1:]


def end_alike(status: int | None) -> None:
    """Ends this process as the program ended: with its code, or by the signal that ended it."""
    code = 0 if status is None else os.waitstatus_to_exitcode(status)
    if code < 0:
        limit(resource.RLIMIT_CORE, 0)
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])
