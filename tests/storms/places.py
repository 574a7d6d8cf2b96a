"""Disks that are full, small or can only be read, and how a command is run on them."""

import os
import resource
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

LUDUS = (sys.executable, "-c", "from ludus.cli import main; main()")


def run(*arguments, cwd, largest=None, memory=None, said=None):
    """A command, perhaps with a limit to the size of its files or its memory, in bytes."""

    def limit():
        for kind, most in ((resource.RLIMIT_FSIZE, largest), (resource.RLIMIT_AS, memory)):
            if most is not None:
                resource.setrlimit(kind, (most, most))

    return subprocess.run([*LUDUS, *arguments], capture_output=True, text=True, timeout=300, cwd=cwd,
                          preexec_fn=limit, input=said, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})  # fmt: skip


def one_sentence(done, *words):
    """It failed, and its last words are one sentence with these words, without a traceback."""
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode in (1, 2) and last.startswith("ludus "), (done.returncode, done.stderr[-2000:])
    assert all(word in last for word in words), last
    assert "Traceback" not in done.stderr + done.stdout, done.stderr[-3000:]
    return last


@contextmanager
def mounted(folder, options):
    """A small disk of its own at this folder. Skips where none may be mounted: that takes an administrator's rights."""
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here, which takes an administrator: {done.stderr.strip()[:100]}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def remount(folder, options):
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


def fill(folder):
    """Takes all the room that is left. Returns the file that has it."""
    path = Path(folder) / "ballast"
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            return path
    raise AssertionError("the disk does not get full")


@contextmanager
def read_only(folder):
    """Inside, nothing can be written to this folder, even by an administrator, who is not bound by permissions."""
    if os.geteuid() != 0:
        folder.chmod(0o500)
        try:
            yield
        finally:
            folder.chmod(0o700)
        return
    bind = subprocess.run(["mount", "--bind", str(folder), str(folder)], capture_output=True, text=True)
    if bind.returncode:
        pytest.skip(
            f"an administrator may write anywhere, and nothing can be mounted here: {bind.stderr.strip()[:100]}"
        )
    try:
        remount(folder, "ro,bind")
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
