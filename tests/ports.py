"""Ports for servers that are killed and started again on the same one."""

import contextlib
import os
import random
import socket
from pathlib import Path

SYSTEM = Path("/proc/sys/net/ipv4/ip_local_port_range")  # from which the system gives ports to whoever asks for any
FIRST, USUAL = 10_000, 32_768  # the first one that we take, and the system's first one where it does not say
WORKERS = 16  # of pytest-xdist that get ports of their own
given: set[int] = set()


def lasting_port() -> int:
    """A free port that the system gives to nobody by itself: so it is still free when the server is started again."""
    end = int(SYSTEM.read_text().split()[0]) if SYSTEM.exists() else USUAL
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    own = [port for port in range(FIRST + worker % WORKERS, end, WORKERS) if port not in given]
    for port in random.SystemRandom().sample(own, min(100, len(own))):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            given.add(port)
            return port
    with socket.create_server(("127.0.0.1", 0)) as door:  # where the system keeps all ports to itself
        return int(door.getsockname()[1])
