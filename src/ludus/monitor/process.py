"""What the operating system knows about this process, by the names that Prometheus has for it."""

from __future__ import annotations

import os
import time
from pathlib import Path

from ludus import __version__
from ludus.monitor.metrics import Labels, Metrics

BEGUN = time.time()  # about when this process was started; a date, not a measurement


def add_process(metrics: Metrics) -> None:
    """The numbers of this process; those that the system does not tell are left out."""
    version: dict[Labels, float] = {(__version__,): 1.0}
    metrics.gauge("ludus_build_info", "The version of Ludus that runs.", lambda: version, "version")
    metrics.gauge("process_start_time_seconds", "When the process was started, in seconds since 1970.", lambda: BEGUN)
    metrics.gauge(
        "process_cpu_seconds_total", "Processor time of this process alone, in seconds.", time.process_time,
        kind="counter",
    )  # fmt: skip
    if Path("/proc/self/statm").exists():
        metrics.gauge("process_resident_memory_bytes", "Memory of this process alone.", resident)
        metrics.gauge("process_open_fds", "Open files and connections.", lambda: len(os.listdir("/proc/self/fd")))


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))
