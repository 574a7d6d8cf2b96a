"""Fuzzing from the command line: python -m tests.fuzz [TARGET …] --inputs 1000000. It goes on where it was stopped.

--jobs N      targets side by side (2)
--folder F    what it has reached (build/fuzz); an input that breaks something is in F/TARGET/faults
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.counts import Counts
from tests.fuzz.run import Run
from tests.fuzz.targets import TARGETS

EVERY = 15.0  # seconds between two lines of one target


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--inputs", type=int, default=1_000_000, help="for every target, with those of earlier runs")
    parser.add_argument("--jobs", type=int, default=2, help="targets side by side")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="keeps what was reached")
    options = parser.parse_args()
    if strange := [name for name in options.targets if name not in TARGETS]:
        parser.error(f"there is no target {strange[0]!r}; there are {', '.join(TARGETS)}")
    if find_spec("atheris") is None:
        parser.error("fuzzing needs atheris: pip install 'ludus[fuzz]'")
    names = options.targets or list(TARGETS)
    runs = [Run(TARGETS[name], (options.folder / name).absolute()) for name in names]
    pool = ThreadPoolExecutor(max(1, options.jobs))
    try:
        list(pool.map(lambda run: run.to(options.inputs, Reporter(run)), runs))
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        print("\nstopped; the same command goes on from here", flush=True)
        return 130
    finally:
        for run in runs:
            run.stop()
        print(table(runs))
    return int(any(Counts.of(run.folder).faults for run in runs))


class Reporter:
    """A line about a target from time to time."""

    def __init__(self, run: Run) -> None:
        self.run, self.told = run, 0.0

    def __call__(self) -> None:
        if time.monotonic() - self.told >= EVERY:
            self.told = time.monotonic()
            counts = Counts.of(self.run.folder)
            print(f"{self.run.target.name:<16} {counts.inputs:>9,} inputs, {len(counts.faults)} faults", flush=True)


def table(runs: list[Run]) -> str:
    """What every target has reached."""
    lines = [f"{'target':<16} {'inputs':>9} {'inputs/s':>9} {'branches':>9} {'new':>6} {'faults':>6}"]
    for run in runs:
        counts = Counts.of(run.folder)
        first, now = [*counts.covered, 0, 0][:2]
        rate = counts.inputs / counts.seconds if counts.seconds else 0.0
        numbers = f"{counts.inputs:>9,} {rate:>9,.0f} {now:>9,} {now - first:>6,} {len(counts.faults):>6}"
        lines.append(f"{run.target.name:<16} {numbers}")
        lines += [f"    {where}: {run.folder / 'faults' / name}" for where, name in counts.faults.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
