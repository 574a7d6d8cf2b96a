"""A real Ray of several nodes on this machine, and how to kill one of them as if its plug had been pulled."""

import contextlib
import os
import signal

import psutil
import pytest

STORE = {"object_store_memory": 80 << 20}  # bytes, of every node
SETTINGS = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # nodes listen on 127.0.0.1 alone
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_health_check_initial_delay_ms": "1000",  # a dead node is missed after three seconds, not after twenty
    "RAY_health_check_period_ms": "500",
}
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # Ray reads it when it is imported


class Nodes:
    """Raylets on loopback: the head, which plays nothing, and others that come and go."""

    def __init__(self):
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 0, "include_dashboard": False, **STORE},
        )

    @property
    def address(self):
        return self.cluster.address

    def add(self, cores=1):
        return self.cluster.add_node(num_cpus=cores, **STORE)

    def kill(self, *nodes):
        """SIGKILL to their raylets and to everything that those have started, all at once."""
        raylets = [psutil.Process(node.all_processes["raylet"][0].process.pid) for node in nodes]
        doomed = raylets + [child for raylet in raylets for child in raylet.children(recursive=True)]
        for process in doomed:
            with contextlib.suppress(psutil.NoSuchProcess):
                os.kill(process.pid, signal.SIGKILL)
        psutil.wait_procs(doomed, timeout=10)
        for node in nodes:
            self.cluster.remove_node(node, allow_graceful=False)

    def end(self):
        self.cluster.shutdown()


@pytest.fixture(scope="package")
def nodes():
    """One cluster for all tests: starting it takes seconds."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'ludus[cluster]'")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        there = Nodes()
        try:
            yield there
        finally:
            there.end()
