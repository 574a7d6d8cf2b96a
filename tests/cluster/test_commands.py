"""`--on ray` from the command line: what is refused, and what Ctrl-C leaves behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import ludus.cluster.start
from ludus.cli import run
from tests.ports import lasting_port

LUDUS = str(Path(sys.executable).parent / "ludus")
TOURNAMENT = ["tournament", "mcts:simulations=300", "random", "--game", "hex", "--size", "4"]


def said(capsys, *arguments):
    """The one sentence with which a command refuses."""
    assert run(arguments[0], list(arguments[1:])) == 2
    words = capsys.readouterr().err
    assert words.count("\n") == 1 and words.startswith(f"ludus {arguments[0]}: ")
    return words


@pytest.mark.parametrize("command", [TOURNAMENT, ["train", "hex", "--size", "3"]])
def test_without_ray_a_sentence_says_how_to_get_it(command, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ludus.cluster.start, "find_spec", lambda name: None)
    assert "pip install 'ludus[cluster]'" in said(capsys, *command, "--on", "ray")
    assert not list(tmp_path.rglob("*.jsonl"))


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--address", "127.0.0.1:6379"], "say --on ray, too"),
        (["--on", "ray", "--address", ""], "is empty"),
        (["--on", "moon"], "--on must be here or ray, not 'moon'"),
        (["--on", "ray", "--workers", "-1"], "workers"),
    ],
)
@pytest.mark.parametrize("command", [TOURNAMENT, ["train", "hex", "--size", "3"]])
def test_flags_that_mean_nothing_are_refused(command, flags, words, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert words in said(capsys, *command, *flags)


def test_an_address_at_which_nobody_listens_is_refused(monkeypatch, tmp_path, capsys):
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'ludus[cluster]'")
    monkeypatch.chdir(tmp_path)
    address = f"127.0.0.1:{lasting_port()}"
    assert address in said(capsys, *TOURNAMENT, "--on", "ray", "--address", address)


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--workers", "2"], "--workers goes with --on ray"),
        (["--on", "ray", "--exercises", "1"], "no games are played"),
        (["--on", "ray", "--parallel", "1"], "one after the other"),
    ],
)
def test_trainings_that_no_cluster_helps_are_refused(flags, words, monkeypatch, tmp_path, capsys):
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'ludus[cluster]'")
    monkeypatch.chdir(tmp_path)
    assert words in said(capsys, "train", "hex", "--size", "3", *flags)
    assert not list(tmp_path.rglob("config.toml"))


def lines(folder):
    path = folder / "games.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def test_ctrl_c_leaves_nothing_of_ray_behind_and_the_same_command_goes_on_here(tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'ludus[cluster]'")
    command = [LUDUS, *TOURNAMENT, "--games", "300", "--out", str(tmp_path / "run"), "--json"]
    # A short path: it holds sockets, whose names may have a hundred letters.
    place = Path("/tmp") / f"lr{os.getpid()}"
    place.mkdir()
    try:
        process = subprocess.Popen(
            [*command, "--on", "ray"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env=os.environ | {"TMPDIR": str(place)},
        )  # fmt: skip
        end = time.monotonic() + 120
        while len(lines(tmp_path / "run")) < 5 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        started = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=120)
        assert process.returncode == 130 and "the same command goes on" in told and "Traceback" not in told
        _, alive = psutil.wait_procs(started, timeout=30)
        assert len(started) > 3 and not alive
        assert not list(place.glob("ludus-ray-*"))
    finally:
        for left in place.iterdir():
            left.unlink() if left.is_file() else None
        place.rmdir()
    before = len(lines(tmp_path / "run"))
    assert 5 <= before < 300
    subprocess.run(command, capture_output=True, check=True, timeout=300)
    numbers = [ludus_number(line) for line in lines(tmp_path / "run")]
    assert sorted(numbers) == list(range(300))


def ludus_number(line):
    from ludus.play.record import read_record

    return read_record(line).number
