"""A visitor's game whose random games never end, and little memory: commands that come back, by the whole way."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.storms.places import one_sentence, run

GAME = f"{Path(__file__).parent / 'endless.py'}:Endless"
BREAKS_OFF = f"{Path(__file__).parent / 'endless.py'}:GivesUp"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are those of Linux")


def test_every_search_comes_back_in_a_match_with_a_clock(tmp_path):
    """Whoever waits for the end of a playout never answers, and its process has to be killed. On a busy machine a flag
    may fall, which test_clock_is_kept.py looks at without a clock on the wall."""
    agents = ("mcts", "flat", "alphabeta:depth=40")
    flags = ("--game", GAME, "--games", "2", "--opening", "0", "--clock", "2/move", "--pairing", "one-against-all")
    done = run("tournament", BREAKS_OFF, *agents, *flags, "--workers", "2", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    records = [json.loads(line) for line in (tmp_path / "out" / "games.jsonl").read_text().splitlines()]
    assert len(records) == 6 and {record["end"] for record in records} <= {"exception", "flag"}
    assert not any("had to be killed" in record["why"] for record in records)


def test_a_person_can_play_it_in_the_terminal(tmp_path):
    done = run("play", GAME, "--against", "mcts:seconds=0.2", cwd=tmp_path, said="0\n0\nquit\n")
    assert done.returncode == 0 and done.stdout.count("plays ") == 2 and "Goodbye" in done.stdout


@linux
def test_a_search_with_little_memory_stops_growing_and_answers(tmp_path):
    """The address space of the whole command is bounded; its tree alone would need most of that."""
    agent = "mcts:rule=puct,simulations=400000,memory=8000,solver=false"
    done = run("play", "hex", "--size", "11", "--against", agent, cwd=tmp_path, memory=300 << 20, said="f6\nquit\n")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr[-2000:]
    assert "X plays" in done.stdout or "O plays" in done.stdout


@linux
def test_a_command_that_runs_out_of_memory_says_so(tmp_path):
    """Where nothing is left but what Python itself has, also the sentence must need no more."""
    code = "import resource, sys, ludus.cli as cli; cli.importlib.import_module = lambda name: [0] * 10**12; cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "games"], capture_output=True, text=True, timeout=300, cwd=tmp_path
    )
    assert done.returncode == 1
    one_sentence(done, "there is not enough memory for that")
