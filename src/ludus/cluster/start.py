"""Ray for the time of a command: one of its own on this machine, or a cluster that it joins."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec

from ludus.errors import LudusError
from ludus.system import cores, memory

LEAST_STORE, MOST_STORE = 80 << 20, 1 << 30  # bytes of the object store that a command starts
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to anybody
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # GPUs are left as they are
    "RAY_DISABLE_IMPORT_WARNING": "1",
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
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    with _joined(address) if address is not None else _started():
        yield


@contextlib.contextmanager
def _joined(address: str) -> Iterator[None]:
    import ray

    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, configure_logging=True)
    except Exception as error:  # Ray raises many kinds
        raise NoCluster(f"no cluster could be joined at {address!r}: {_first_line(error)}") from None
    try:
        yield
    finally:
        ray.shutdown()


@contextlib.contextmanager
def _started() -> Iterator[None]:
    import ray

    store = min(MOST_STORE, max(LEAST_STORE, memory() // 20))
    with tempfile.TemporaryDirectory(prefix="ludus-ray-", ignore_cleanup_errors=True) as folder:
        try:
            ray.init(
                num_cpus=cores(), object_store_memory=store, include_dashboard=False, log_to_driver=False,
                logging_level=logging.ERROR, _temp_dir=folder, _node_ip_address="127.0.0.1",
            )  # fmt: skip
        except Exception as error:
            raise NoCluster(f"Ray cannot be started here: {_first_line(error)}") from None
        try:
            yield
        finally:
            ray.shutdown()
            shutil.rmtree(folder, ignore_errors=True)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
