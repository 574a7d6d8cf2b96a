"""What a cluster has room for, and what people are told where it has none. No Ray is started here."""

from types import SimpleNamespace

import pytest

pytest.importorskip("ray", reason="Ray is not installed: pip install 'ludus[cluster]'")
import ray

from ludus.cluster import room


def test_a_cluster_without_machines_says_once_that_it_waits(monkeypatch, capsys):
    clock, resources = SimpleNamespace(now=0.0), {}
    monkeypatch.setattr(room.time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(ray, "cluster_resources", lambda: resources)
    monkeypatch.setattr(ray, "wait", lambda refs, num_returns, timeout: ([], refs))
    there = room.Room(2)
    for clock.now in (1.0, 9.0):
        assert there.finished(["job"]) == []
    assert capsys.readouterr().err == ""
    for clock.now in (11.0, 12.0, 60.0):
        there.finished(["job"])
    assert capsys.readouterr().err == (
        "no machine of the cluster is left that could play; waiting for one to come, Ctrl-C stops\n"
    )
    monkeypatch.setattr(ray, "wait", lambda refs, num_returns, timeout: (refs, []))
    assert there.finished(["job"]) == ["job"]
    resources["CPU"] = 2.0
    monkeypatch.setattr(ray, "wait", lambda refs, num_returns, timeout: ([], refs))
    clock.now = 200.0
    there.finished(["job"])  # a long game on a machine that is there
    assert capsys.readouterr().err == ""
