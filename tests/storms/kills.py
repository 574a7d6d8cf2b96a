"""Commands are killed (kill -9) at random instants and started again; then nothing earned may be lost or counted twice.

A block is one folder in which a command is killed a number of times and then left alone until it is done. Each function
gives the counts of its block, or raises what was wrong. The tournament server's block is in tests/oht/server_kills.py.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from safetensors import safe_open

from ludus.play.record import read_record
from ludus.system import json_lines

PATIENCE = 300.0  # seconds in which whatever is waited for has happened, also on a slow and busy machine
LUDUS = "from ludus.cli import main; main()"
KEEPING = "import ludus.learn.trainer as trainer; trainer.KEEP_EVERY = 0.2; " + LUDUS  # keeps its state all the time
started: list[subprocess.Popen[str]] = []
Tell = Callable[[str], object]


def nobody(line: str) -> None:
    """Listens to no news."""


@dataclass
class Counts:
    """What a block has seen."""

    killed: int = 0  # instants at which the command was killed
    gone_on: int = 0  # kills after which it went on where it was
    before: int = 0  # finished games that were on the disk at the last kill
    after: int = 0  # finished games in the end
    lost: int = 0  # games that were finished before a kill and are not there in the end
    twice: int = 0  # games that are there twice
    broken: int = 0  # files that nobody can read


# ------------------------------------------------------------------------------------------------ processes


def begin(code: str, arguments: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    """A command in a group of processes of its own."""
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdout=log, stderr=log, text=True, start_new_session=True
        )
    started.append(process)
    return process


def end_all() -> None:
    """Ends what is still at work: Ctrl-C does not reach other groups of processes."""
    for process in started:
        if process.poll() is None:
            process.kill()


def finish(code: str, arguments: Sequence[str], folder: Path) -> None:
    """Runs a command to its end."""
    process = begin(code, arguments, folder)
    assert process.wait(20 * PATIENCE) == 0, (folder / "log").read_text()[-2000:]


def kill_at(process: subprocess.Popen[str], news: Callable[[], int], dice: random.Random, start: float) -> bool:
    """Kills a command at a random instant: one in three anywhere, also while it starts or goes back to where it was;
    the others shortly after something new is on the disk. Was it still at work?"""
    before, until = news(), time.monotonic() + PATIENCE
    if dice.random() < 1 / 3:
        time.sleep(dice.uniform(0.0, start))
    else:
        while process.poll() is None and news() <= before:
            assert time.monotonic() < until, "nothing new comes"
            time.sleep(0.002)
        time.sleep(dice.uniform(0.0, 0.5))
    process.kill()
    return process.wait() == -signal.SIGKILL


def wait_for_the_group(process: subprocess.Popen[str]) -> None:
    """Waits until the processes that a killed command had started have ended by themselves."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("a process has outlived the command that started it")


def whole_lines(path: Path) -> list[str]:
    """The lines of a file that were written to their end."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    return [line for line in text.splitlines(keepends=True) if line.endswith("\n")]


def broken_files(folder: Path) -> list[str]:
    """The files in a folder that cannot be read; a last line that was cut off is no fault."""
    return [f"{path.name}: {why}" for path in sorted(folder.rglob("*")) if path.is_file() and (why := trouble(path))]


def trouble(path: Path) -> str:
    """Why a file cannot be read; empty if it can."""
    try:
        if path.suffix == ".safetensors":
            with safe_open(path, "np") as file:
                for name in file.keys():  # noqa: SIM118
                    file.get_tensor(name)
        elif path.suffix == ".toml":
            tomllib.loads(path.read_text())
        elif path.suffix == ".json":
            json.loads(path.read_text())
        elif path.suffix == ".jsonl":
            for line in whole_lines(path):
                json.loads(line)
    except FileNotFoundError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def missing(before: Sequence[str], now: Sequence[str]) -> int:
    """How many of the lines that were there before are not where they were."""
    return sum(place >= len(now) or now[place] != line for place, line in enumerate(before))


# ------------------------------------------------------------------------------------------------ training


def train(folder: Path, kills: int, seed: int = 0, tell: Tell = nobody) -> Counts:
    """A training is killed so many times, each time gone on with, and finished in the end."""
    dice, run, counts = random.Random(seed), folder / "run", Counts()
    flags = ["--simulations", "20", "--hidden", "16", "--minibatch", "16", "--parallel", "4", "--truth", "0"]
    first = ["train", "hex", "--size", "3", *flags, "--seed", str(seed), "--run", str(run)]
    first += ["--episodes", "100000", "--checkpoints", "5000"]  # a network is saved every twenty games
    again = ["train", "--resume", str(run), "--truth", "0"]
    games = run / "games.jsonl"
    before: list[str] = []
    start = 0.0
    while counts.killed < kills:
        begun, can_go_on = time.monotonic(), any(run.glob("state-*.safetensors"))
        process = begin(KEEPING, again if can_go_on else first, folder)
        assert kill_at(process, lambda: len(whole_lines(games)), dice, 1.3 * start or 5.0), tail(folder)
        start = start or time.monotonic() - begun
        counts.killed += 1
        now = whole_lines(games)
        counts.gone_on += can_go_on and len(now) > len(before)
        counts.lost += missing(before, now)
        counts.broken += len(broken_files(run))
        before = now
        tell(f"training: kill {counts.killed} of {kills}, {len(now)} games, {counts.lost} lost, {counts.broken} broken")
    counts.before = len(before)
    episodes = len(before) + 20
    can_go_on = any(run.glob("state-*.safetensors"))
    finish(KEEPING, [*(again if can_go_on else first[:-4]), "--episodes", str(episodes)], folder)
    now = whole_lines(games)
    counts.after = len(now)
    counts.lost += missing(before, now)
    counts.twice += max(0, len(now) - episodes)
    counts.broken += len(broken_files(run))
    (state,) = run.glob("state-*.safetensors")
    assert state.name == f"state-{episodes}.safetensors" and counts.after == episodes, (state, counts)
    assert "Traceback" not in (folder / "log").read_text(), tail(folder)
    return counts


def tail(folder: Path) -> str:
    return (folder / "log").read_text()[-2000:]


# ------------------------------------------------------------------------------------------------ tournament


def tournament(folder: Path, kills: int, seed: int = 0, tell: Tell = nobody, games: int = 60) -> Counts:
    """A tournament is killed so many times, finished, and compared with the same one played straight through."""
    dice, counts = random.Random(seed), Counts()
    command = ["tournament", "random", "mcts:simulations=4000", "greedy", "--game", "hex", "--size", "5"]
    command += ["--games", str(games), "--seed", str(seed), "--workers", "2", "--out"]
    stopped, straight = folder / "stopped", folder / "straight"
    path, all_games, start = stopped / "games.jsonl", 3 * games, 0.0
    before: list[str] = []
    while counts.killed < kills and len(before) < all_games:
        begun = time.monotonic()
        process = begin(LUDUS, [*command, str(stopped)], folder)
        at_work = kill_at(process, lambda: len(whole_lines(path)), dice, 1.3 * start or 2.0)
        start = start or time.monotonic() - begun
        wait_for_the_group(process)
        now = whole_lines(path)
        counts.killed += at_work
        counts.gone_on += at_work and bool(before) and len(now) > len(before)
        counts.lost += missing(before, now)
        counts.broken += len(broken_files(stopped))
        before = now
        tell(f"tournament: kill {counts.killed} of {kills}, {len(now)} of {all_games} games, {counts.lost} lost")
    counts.before = len(before)
    for out in (stopped, straight):
        finish(LUDUS, [*command, str(out)], folder)
    records = [read_record(line) for line in whole_lines(path)]
    counts.after, counts.lost = len(records), counts.lost + missing(before, whole_lines(path))
    counts.twice += len(records) - len({record.number for record in records})
    counts.broken += len(broken_files(stopped))
    same = {read_record(line).number: moves_of(line) for line in whole_lines(straight / "games.jsonl")}
    assert {record.number for record in records} == set(range(all_games)) == set(same), "games are missing"
    assert all(moves_of(line) == same[read_record(line).number] for line in whole_lines(path)), "games are others"
    assert "Traceback" not in (folder / "log").read_text(), tail(folder)
    return counts


def moves_of(line: str) -> tuple[object, ...]:
    """What happened in a game, without the time that it took."""
    record = read_record(line)
    return record.agents, record.opening, tuple(turn.action for turn in record.turns), record.score, record.end


# ------------------------------------------------------------------------------------------------ the page


def page(folder: Path, kills: int, seed: int = 0, tell: Tell = nobody, visitors: int = 4) -> Counts:
    """The server of the page is killed so many times while visitors play; whatever they were told is kept."""
    from tests.storms.visitors import Visitor
    from tests.web.served import Server

    dice, counts, runs = random.Random(seed), Counts(), folder / "runs"
    server = Server(runs, "--workers", "1")
    playing = [Visitor(server.port, number, seed) for number in range(visitors)]
    for visitor in playing:
        visitor.start()
    try:
        for _ in range(kills):
            playing_on = dice.random() > 1 / 3  # else it is killed while it starts or pages come back
            moves, until = sum(visitor.moves for visitor in playing), time.monotonic() + PATIENCE
            while playing_on and sum(visitor.moves for visitor in playing) == moves:
                assert time.monotonic() < until and all(v.is_alive() for v in playing), [v.wrong for v in playing]
                time.sleep(0.02)
            time.sleep(dice.uniform(0.0, 0.6))
            server.kill()
            counts.killed += 1
            counts.broken += len(broken_files(runs))
            counts.gone_on += sum(visitor.moves for visitor in playing) > moves
            tell(f"page: kill {counts.killed} of {kills}, {sum(len(v.finished) for v in playing)} games finished")
            server.start()
        counts.before = sum(len(visitor.finished) for visitor in playing)
        least = counts.before + visitors
        until = time.monotonic() + PATIENCE
        while sum(len(visitor.finished) for visitor in playing) < least and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        for visitor in playing:
            visitor.stop()
        for visitor in playing:
            visitor.join(PATIENCE)
        server.close()
    assert not any(visitor.wrong for visitor in playing), [visitor.wrong for visitor in playing]
    finished = [game for visitor in playing for game in visitor.finished.items()]
    for table, actions in finished:
        events = list(json_lines(runs / "page" / f"{table}.jsonl"))
        kept = [event["action"] for event in events if event["event"] == "move"]
        counts.lost += kept[: len(actions)] != actions
        counts.twice += len(kept) > len(actions) or sum(event["event"] == "begin" for event in events) != 1
    counts.after = len(finished)
    counts.broken += len(broken_files(runs))
    return counts
