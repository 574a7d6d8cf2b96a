"""Ray for the time of a command: one of its own on this machine, or a cluster that it joins."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.system import cores, memory, starting_workers

LEAST_STORE, MOST_STORE = 80 << 20, 1 << 30  # bytes of the object store that a command starts
PATIENCE = 10.0  # seconds for a cluster to answer the door
PREFIX = "ludus-ray-"  # of its folder; the number of the process follows
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to anybody
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # GPUs are left as they are
    "RAY_NUM_REDIS_GET_RETRIES": "2",  # a cluster that does not answer is given up after a minute, not ten
}
ALONE = {  # a Ray of our own can be used by nobody else, who could run programs with it
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # it listens on 127.0.0.1 alone
    "RAY_AUTH_MODE": "token",
}


class NoCluster(LudusError):
    """There is no Ray here, or no cluster where it should be."""


@contextlib.contextmanager
def ray_at(address: str | None) -> Iterator[None]:
    """Joins the cluster at an address, such as 10.0.0.1:6379 or auto; without one, starts a Ray on this machine.

    What it has started is ended and removed behind it, whatever happens inside.
    """
    if find_spec("ray") is None:
        raise NoCluster("a cluster needs Ray; get it with: pip install 'ludus[cluster]'")
    alone = {} if address is not None else ALONE | {"RAY_AUTH_TOKEN": secrets.token_hex(32)}
    with _environment(QUIET, alone), _joined(address) if address is not None else _started():
        yield


@contextlib.contextmanager
def _environment(usual: dict[str, str], ours: dict[str, str]) -> Iterator[None]:
    """Variables that Ray reads: the usual ones unless the user has set them, ours in any case."""
    before = dict(os.environ)
    os.environ.update({name: value for name, value in usual.items() if name not in before} | ours)
    try:
        yield
    finally:
        for name in {**usual, **ours}:
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)


@contextlib.contextmanager
def _joined(address: str) -> Iterator[None]:
    import ray

    _knock(address)
    try:
        with starting_workers():
            _init(f"no cluster could be joined at {address!r}", address=address)
        yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Refuses an address at which nobody listens, before Ray tries it for a minute. It may also be a word of Ray's."""
    host, colon, port = address.rpartition(":")
    if not colon or "//" in address:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        raise NoCluster(f"no cluster could be joined at {address!r}: {error}") from None


@contextlib.contextmanager
def _started() -> Iterator[None]:
    import ray

    store = min(MOST_STORE, max(LEAST_STORE, memory() // 20))
    with _folder() as folder:
        try:
            with starting_workers():  # Ctrl-C in the middle of a start would leave half a Ray behind
                _init(
                    "Ray cannot be started here", num_cpus=cores(), object_store_memory=store,
                    include_dashboard=False, _temp_dir=folder, _node_ip_address="127.0.0.1",
                )  # fmt: skip
            yield
        finally:
            ray.shutdown()


@contextlib.contextmanager
def _folder() -> Iterator[str]:
    """A folder for Ray's sockets and logs; those that killed commands have left are removed with it."""
    place = Path(tempfile.gettempdir())
    for old in place.glob(f"{PREFIX}*-*"):
        number = old.name.removeprefix(PREFIX).partition("-")[0]
        if number.isdecimal() and not _alive(int(number)):
            shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", ignore_cleanup_errors=True) as folder:
        yield folder


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _init(wrong: str, **options: Any) -> None:
    """Starts or joins; what goes wrong is a sentence that begins so."""
    import ray
    from ray._private import worker

    # Ray prints what it has to say about machines on standard output, where results go. It has no switch for that.
    worker.print_to_stdstream = lambda *args, **options: None
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
    except Exception as error:  # Ray raises many kinds
        words = (str(error).strip() or type(error).__name__).splitlines()
        raise NoCluster(f"{wrong}: {words[0]}") from None
