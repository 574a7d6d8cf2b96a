"""On systems that are not Linux every module can be imported, and what cannot work there says so.

The other systems are played: modules that they lack cannot be imported, and functions that they lack are taken away.
"""

import subprocess
import sys

import pytest

# Everything is imported once, so that the libraries know the true system; then Ludus alone is imported again.
OTHER_SYSTEM = """
import asyncio, importlib, multiprocessing.context, os, pkgutil, signal, socket, sys
import ludus, ludus.cli

names = [m.name for m in pkgutil.walk_packages(ludus.__path__, "ludus.") if not m.name.endswith("__main__")]
for name in names:
    importlib.import_module(name)

LACKING = {
    "win32": {
        "modules": ["fcntl", "grp", "posix", "pwd", "resource", "termios", "tty", "readline"],
        os: ["fork", "killpg", "nice", "setpriority", "setsid", "sysconf", "sched_getaffinity", "getuid", "geteuid",
             "WNOHANG", "PRIO_PROCESS", "getloadavg", "fchmod", "uname", "pread"],
        signal: ["SIGKILL", "SIGALRM", "SIGCHLD", "SIGPIPE", "SIGUSR1", "setitimer", "ITIMER_REAL", "pthread_sigmask",
                 "SIG_BLOCK", "SIG_SETMASK"],
        socket: ["TCP_QUICKACK", "TCP_USER_TIMEOUT", "AF_UNIX", "SO_REUSEPORT"],
        multiprocessing.context: ["ForkContext", "ForkServerContext"],
        asyncio: ["get_child_watcher"],
    },
    "darwin": {
        "modules": [],
        os: ["sched_getaffinity"],
        socket: ["TCP_QUICKACK", "TCP_KEEPIDLE", "TCP_USER_TIMEOUT"],
    },
}

def become(system):
    lacking = LACKING[system]
    for name in [name for name in sys.modules if name.split(".")[0] == "ludus" and name != "ludus._core"]:
        if not name.startswith("ludus.cpu"):
            del sys.modules[name]
    for name in lacking["modules"]:
        sys.modules[name] = None
    for module, members in lacking.items():
        if module != "modules":
            for member in members:
                if hasattr(module, member):
                    delattr(module, member)
    sys.platform = system
"""

IMPORTS = """
become(SYSTEM)
for name in names:
    importlib.import_module(name)
print(len(names), "modules")
"""

DEGRADES = """
import pathlib, tempfile
become(SYSTEM)
from ludus.errors import LudusError
from ludus.play.workers import CONTEXT
from ludus.protocols.program import Program
from ludus import system
from ludus.web.learning.chores import Chore, Chores
from ludus.cli.oht.serve import allow_many_files

def refusal(what):
    try:
        what()
    except LudusError as error:
        return str(error)

folder = pathlib.Path(tempfile.mkdtemp())
print(CONTEXT.get_start_method())
print(refusal(lambda: Program("true")))
print(refusal(lambda: Chores(folder).start(Chore(folder, "train"), ["games"], {})))
with system.starting_workers():
    pass
system.be_nice(1)
system.give_way()
allow_many_files()
assert system.cores() >= 1 and system.memory() == 4 << 30
with (folder / "file").open("w") as file:
    assert system.lock(file) and not system.held(folder / "file")
    system.unlock(file)
"""


def run(system, code):
    script = f"SYSTEM = {system!r}\n{OTHER_SYSTEM}{code}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_every_module_can_be_imported(system):
    (line,) = run(system, IMPORTS)
    assert int(line.split()[0]) > 200  # all there are


def test_windows_gets_sentences():
    start, programs, chores = run("win32", DEGRADES)
    assert start == "spawn"
    assert "on Linux and macOS only" in programs and "on Linux and macOS only" in chores
