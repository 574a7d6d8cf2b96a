"""A hundred games against a program that misbehaves in every way: right results, and nothing left behind."""

import contextlib
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import ludus
from ludus.play.record import RULES
from ludus.play.tournament import Tournament, run

MISBEHAVING = Path(__file__).parent / "misbehaving.py"


def processes_of(mark):
    """The command lines of all processes that carry a mark."""
    if not Path("/proc").exists():
        return subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True).stdout.splitlines()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [line for line in found if mark in line]


def test_a_hundred_games_with_a_program_that_misbehaves(tmp_path):
    count = tmp_path / "count"
    count.mkdir()
    bad = f'othello-pipe:"{sys.executable} -S -E {MISBEHAVING} {count}",seconds=1.5'
    game = ludus.make("othello", size=4, passing=False)
    outcome = run(Tournament(game, (bad, "random"), games=100, opening=0, seed=5), tmp_path / "games")
    ends = Counter(record.end for record in outcome.records)
    assert outcome.standing.games == 100
    assert 20 <= ends[RULES] <= 90 and {"flag", "crash", "rubbish", "illegal"} <= ends.keys()
    for record in outcome.records:
        if record.end == RULES:
            *_, last = record.replay(game)
            assert last.over and record.score == last.score(0) and record.fault is None
        else:
            assert record.agents[record.fault] == bad and record.why
            assert record.score == (-1 if record.fault == 0 else 1)
    assert outcome.standing[bad].forfeits == {kind: count for kind, count in ends.items() if kind != RULES}
    assert outcome.standing["random"].forfeits == {}
    deadline = time.monotonic() + 100  # a keeper whose worker was killed needs a moment
    while (left := processes_of(f"{MISBEHAVING} {count}")) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []
