"""The clock on the wall jumps, back and forth by years: nobody loses on time, and nothing ends early or never."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ludus

PACKAGE, CORE = Path(ludus.__file__).parent, Path(__file__).parents[2] / "core"
DATES = {  # who may ask what day it is, and why; whoever measures uses time.monotonic or time.perf_counter
    "monitor/process.py": "when the process was started",
    "protocols/oht/page/standings_page.py": "the hour that the page shows",
    "protocols/oht/serving/certificate.py": "how long a certificate is valid",
    "protocols/oht/serving/league.py": "rounds at times of day; test_league.py lets this clock jump",
    "protocols/oht/storage/store.py": "how long a temporary token is valid",
    "web/learning/chores.py": "how old a file is; one from the future counts as settled",
}
JUMPS = """
import itertools, sys, time
real, jumps = time.time, itertools.cycle((0, 1e9, -1e9, 3600, -3600, 5e8))
time.time = lambda: real() + next(jumps)
from ludus.cli import main
main()
"""


def test_whoever_measures_asks_a_clock_that_cannot_be_set():
    asks = re.compile(r"\btime\.time\b|\bdatetime\.(?:now|today|utcnow)\(|\bdate\.today\(|\btime\.ctime\(")
    found = {str(p.relative_to(PACKAGE)) for p in PACKAGE.rglob("*.py") if asks.search(p.read_text(encoding="utf-8"))}
    assert found == set(DATES), "time.time() jumps when the clock is set; use time.monotonic()"


@pytest.mark.skipif(not CORE.exists(), reason="the sources of the core are not here")
def test_the_core_measures_with_a_clock_that_cannot_be_set():
    for path in CORE.rglob("*.[hc]*"):
        words = path.read_text(encoding="utf-8")
        assert "system_clock" not in words and "gettimeofday" not in words and "high_resolution_clock" not in words


def jumping(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-c", JUMPS, *arguments], capture_output=True, text=True, timeout=300, cwd=cwd
    )


def test_no_flag_falls_because_the_clock_on_the_wall_was_set(tmp_path):
    flags = ("--game", "hex", "--size", "4", "--games", "6", "--clock", "20+0.1", "--workers", "2")
    done = jumping("match", "mcts:simulations=50", "random", *flags, "--json", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert done.returncode == 0 and told["games"] == 6
    assert told["forfeits"] == {"mcts:simulations=50": {}, "random": {}}


def test_a_training_of_some_minutes_takes_them_whatever_the_clock_on_the_wall_says(tmp_path):
    flags = ("--size", "3", "--simulations", "10", "--hidden", "8", "--truth", "0", "--run", "run", "--json")
    done = jumping("train", "hex", *flags, "--minutes", "0.03", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert done.returncode == 0 and told["episode"] > 0 and told["seconds"] >= 1.8
