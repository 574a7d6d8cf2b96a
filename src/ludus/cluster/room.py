"""What both kinds of crews ask of Ray: how much room there is, what has finished, and what an error means."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

import ray

from ludus.errors import LudusError
from ludus.monitor.logs import logger, say

LOOK = 1.0  # seconds between two looks at how large the cluster is
TICK = 0.2  # seconds after which Python sees to Ctrl-C
PATIENCE = 10.0  # seconds without machines after which somebody is told
LOG = logger("cluster")


class LostTooOften(LudusError):
    """A job was lost with its machine again and again."""


class Room:
    """How many workers a cluster has room for: a core for each, as machines come and go."""

    def __init__(self, most: int) -> None:
        """`most` workers are wanted; 0: as many as there is room for."""
        self.most = most
        self._seen, self._looked = 1, 0.0
        self._heard, self._told = time.monotonic(), False  # when a job finished last; were people told of the silence?

    @property
    def cores(self) -> int:
        """All cores of the cluster, now or a moment ago; at least one, for a machine that is to come."""
        if time.monotonic() > self._looked + LOOK:
            self._seen = max(1, int(ray.cluster_resources().get("CPU", 0)))
            self._looked = time.monotonic()
        return self._seen

    @property
    def workers(self) -> int:
        return self.most or self.cores

    def finished(self, refs: list[Any]) -> list[Any]:
        """Those of some jobs that have finished by now or in a moment. Where no machine is left, it says so, once."""
        done, open_ones = ray.wait(refs, num_returns=1, timeout=TICK)
        if done:
            self._heard, self._told = time.monotonic(), False
        elif not self._told and time.monotonic() > self._heard + PATIENCE and not ray.cluster_resources().get("CPU"):
            self._told = True
            say(LOG, "no machine of the cluster is left that could play; waiting for one to come, Ctrl-C stops")
        more: list[Any] = ray.wait(open_ones, num_returns=len(open_ones), timeout=0)[0] if done and open_ones else []
        return [*done, *more]


def told(error: Exception) -> LudusError:
    """An error that a job has raised, for people: a sentence of ours, or Ray's."""
    cause = getattr(error, "cause", None) or error
    if isinstance(cause, LudusError):
        return cause
    words = str(cause).strip().splitlines()
    return LudusError(f"a worker of the cluster failed with {type(cause).__name__}: {words[-1] if words else '?'}")


def settle(folder: str) -> None:
    """What a worker does first: it goes to the folder of the command, if there is one of that name on its machine."""
    with contextlib.suppress(OSError):
        os.chdir(folder)
