"""One server for a database at a time, beside the teacher's commands."""

import contextlib
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.errors import LudusError
from ludus.protocols.oht.storage import hold as hold_module
from ludus.protocols.oht.storage.store import Store
from tests.oht.rounds import CHEAP, plan_for, play

HOLDS = """
import sys
from ludus.protocols.oht.storage.store import Store
held = Store(sys.argv[1]).hold()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(hold_module, "PATIENCE", 0.0)


@pytest.fixture
def another(url):
    """Another store on the same database, closed at the end."""
    with contextlib.closing(Store(url, cost=CHEAP)) as other:
        yield other


def holder(url):
    """Another process that holds a database."""
    process = subprocess.Popen([sys.executable, "-c", HOLDS, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    return process


def test_a_second_server_is_refused_until_the_first_has_stopped(store, another):
    first = store.hold()
    with pytest.raises(LudusError, match="another server is running on the database"):
        another.hold()
    first.release()
    another.hold().release()


def test_a_server_that_was_killed_leaves_no_lock_behind(url, store, monkeypatch):
    process = holder(url)
    with pytest.raises(LudusError, match="another server is running"):
        store.hold()
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    monkeypatch.setattr(hold_module, "PATIENCE", 60.0)  # PostgreSQL notices a moment later
    store.hold().release()
    process.stdin.close()
    process.stdout.close()


def test_the_teacher_may_write_while_a_server_holds_the_database(store, another, anna):
    held = store.hold()
    another.set_status("paused")
    play(store, store.begin_official(anna, plan_for(anna)), wins=3)
    assert another.give_back(anna) is not None and store.status() == "paused"
    held.release()


def test_the_lock_of_a_file_is_beside_it_by_whatever_path_and_says_which_process_has_it(tmp_path):
    store = Store(str(tmp_path / "oht.db"), cost=CHEAP)
    (tmp_path / "other.db").symlink_to(tmp_path / "oht.db")
    other, held = Store(str(tmp_path / "other.db"), cost=CHEAP), store.hold()
    beside = tmp_path / "oht.db-server"
    assert stat.S_IMODE(beside.stat().st_mode) == 0o600
    with pytest.raises(LudusError, match=rf"other\.db \(process {os.getpid()}\); stop it first"):
        other.hold()
    held.release()
    assert not beside.exists()
    store.close()
    other.close()


def test_a_file_that_was_deleted_meanwhile_is_no_lock(tmp_path, monkeypatch):
    """A server that stops deletes its file; another one may have opened it a moment before."""
    store, real, files = Store(str(tmp_path / "oht.db"), cost=CHEAP), hold_module.lock, []

    def lock(file):
        if not files:
            os.unlink(tmp_path / "oht.db-server")
        files.append(file)
        return real(file)

    monkeypatch.setattr(hold_module, "lock", lock)
    held = store.hold()
    assert len(files) == 2 and Path(tmp_path / "oht.db-server").exists()
    with pytest.raises(LudusError, match="another server"):
        store.hold()
    held.release()
    store.close()


def test_two_servers_as_they_are_started(tmp_path):
    arguments = ["--port", "None", "--json-port", "0", "--league-port", "None", "--api-port", "None", "--board", "3"]
    serve = [sys.executable, "-m", "ludus.cli", "oht", "serve", *arguments, "--opponents", "random"]
    serve += ["--verification", "random"]
    environment = {name: value for name, value in os.environ.items() if name != "LUDUS_OHT_DATABASE"}
    with subprocess.Popen(serve, cwd=tmp_path, stdout=subprocess.PIPE, env=environment) as first:
        try:
            assert b"is open" in first.stdout.readline()
            second = subprocess.run(serve, cwd=tmp_path, capture_output=True, text=True, env=environment, timeout=60)
            assert second.returncode == 2 and f"(process {first.pid})" in second.stderr
            assert "Traceback" not in second.stderr and second.stdout == ""
            ludus = [sys.executable, "-m", "ludus.cli", "oht"]
            subprocess.run([*ludus, "add-player", "Anna", "--generate"], cwd=tmp_path, env=environment, check=True)
            subprocess.run([*ludus, "pause"], cwd=tmp_path, env=environment, check=True)
        finally:
            first.terminate()
            first.stdout.read()
        assert first.wait(timeout=60) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["oht.db", "server.crt", "server.key"]
