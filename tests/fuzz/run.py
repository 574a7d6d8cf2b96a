"""Runs targets, each in processes of its own, until they have read so many inputs."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.contract import Target
from tests.fuzz.counts import Counts, write_counts

ROOT = Path(__file__).parent.parent.parent
COVERED = re.compile(r"#\d+\s+(\w+)\s+cov: (\d+)")
ENDED = re.compile(r"(SUMMARY: .*|==\d+== ERROR: .*)")
STOPPED = (72, -signal.SIGINT, -signal.SIGTERM)  # as libFuzzer ends when somebody stops it
MOST_ENDS = 5  # crashes, hangs and floods of one target after which it is given up


@dataclass
class Run:
    """One target and its folder."""

    target: Target
    folder: Path
    process: subprocess.Popen[str] | None = None

    def to(self, inputs: int, told: Callable[[], None] = lambda: None, seed: int = 1) -> Counts:
        """Goes on until so many inputs have been read."""
        self.folder.mkdir(parents=True, exist_ok=True)
        ends = 0
        while (counts := Counts.of(self.folder)).inputs < inputs and ends < MOST_ENDS:
            why = self.go_on(inputs, told, seed + ends + counts.inputs)
            if why is None:
                break
            ends += 1
            self.blame(why)
        return Counts.of(self.folder)

    def go_on(self, inputs: int, told: Callable[[], None], seed: int) -> str | None:
        """One process. What ended it, if it was not the number of inputs."""
        command = [sys.executable, "-m", "tests.fuzz.one", self.target.run.__module__, self.target.name]
        self.process = subprocess.Popen(
            [*command, str(self.folder), str(inputs), str(seed)],
            cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            text=True, errors="replace",
        )  # fmt: skip
        assert self.process.stderr is not None
        first, now, why, last = None, None, None, ""
        for line in self.process.stderr:
            last = line.strip() or last
            if seen := COVERED.match(line):
                now = int(seen[2])
                first = now if seen[1] == "INITED" else first
                told()
            elif ended := ENDED.search(line):
                why = why or ended[1]
        code = self.process.wait()
        self.cover(first, now)
        return None if code == 0 or code in STOPPED else why or f"it ended with code {code}: {last[:200]}"

    def cover(self, first: int | None, now: int | None) -> None:
        counts = Counts.of(self.folder)
        if first is not None and now is not None:
            counts.covered = [*(counts.covered[:1] or [first]), max(now, *counts.covered[1:], 0)]
            write_counts(self.folder, counts)

    def blame(self, why: str) -> None:
        """A process that ended before its time is a fault as well."""
        counts = Counts.of(self.folder)
        inputs = sorted((self.folder / "faults").glob("*-*"), key=lambda path: path.stat().st_mtime)
        counts.faults[f"{why} ({len(counts.faults)})"] = inputs[-1].name if inputs else ""
        write_counts(self.folder, counts)

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
