"""The cores of a wheel against one another, and against the one that `make` compiles for this machine.

    python benchmarks/cores.py native=.venv/bin/python v3=/tmp/wheel/bin/python [--repeats 7] [--json FILE]

Every name is followed by a Python with Ludus in it; a name that is a level (baseline, v3, v4) sets LUDUS_CPU. They take
turns at random games, tree searches and self-play. Rates are by processor time, because the machine may be busy, and a
ratio compares neighbours in time. The first one named is the measure of the others.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

LEVELS = ("baseline", "v3", "v4")
SIMULATIONS = 5000  # of a tree search
NETS = ("mlp", "conv")


def work(seconds: float) -> None:
    """In another process: measures what each line of the input names, and prints the rate."""
    from ludus._core import Rng, rollouts
    from ludus.cli.bench import ROWS
    from ludus.games import make
    from ludus.search.mcts import Mcts

    starts = {title(name, options): make(name, **options).start() for name, options, _ in ROWS}
    runs = {f"rollouts: {name}": lambda n, s=s: sum(rollouts(s, n, Rng(1))) for name, s in starts.items()}
    runs |= {
        f"mcts: {name}": lambda n, s=s: sum(Mcts(s, rng=Rng(i)).run(SIMULATIONS) for i in range(n))
        for name, s in starts.items()
    }
    batches: dict[str, int] = {}
    print(json.dumps([*runs, *(f"self-play: hex 5, {net}" for net in NETS)]), flush=True)
    for line in sys.stdin:
        what = line.strip()
        if what.startswith("self-play"):
            print(self_play(what.split()[-1], 5 * seconds), flush=True)
            continue
        batches[what] = batches.get(what) or batch_for(runs[what], seconds)
        print(rate(runs[what], batches[what]), flush=True)


def self_play(net: str, seconds: float) -> float:
    from ludus.games import make
    from ludus.learn import speed

    speed.time = SimpleNamespace(perf_counter=time.process_time)  # its clock tells processor time
    return speed.measure(make("hex", size=5), net, "critic", 1, 128, 64, seconds).positions_per_second


def title(name: str, options: dict[str, object]) -> str:
    return " ".join([name, *(str(value) for value in options.values())])


def rate(run, n: int) -> float:
    began = time.process_time()
    done = run(n)
    return done / (time.process_time() - began)


def batch_for(run, seconds: float) -> int:
    """How many runs take about so much processor time."""
    n = 1
    while True:
        began = time.process_time()
        run(n)
        spent = time.process_time() - began
        if spent > seconds / 4:
            return max(1, int(n * seconds / spent))
        n *= 4


class Side:
    """One core at work in a process of its own."""

    def __init__(self, text: str, seconds: float) -> None:
        self.name, _, python = text.partition("=")
        environment = os.environ | ({"LUDUS_CPU": self.name} if self.name in LEVELS else {})
        self._process = subprocess.Popen(
            [python, __file__, "--work", "--seconds", str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=environment,
        )  # fmt: skip
        self.rows = json.loads(self._process.stdout.readline())

    def ask(self, what: str) -> float:
        print(what, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("sides", nargs="*", metavar="NAME=PYTHON")
    options.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--seconds", type=float, default=0.2, help="processor time of a measurement")
    options.add_argument("--repeats", type=int, default=7)
    options.add_argument("--only", default="", help="rows that begin with this")
    options.add_argument("--json", type=Path)
    options = options.parse_args()
    if options.work:
        return work(options.seconds)
    sides = [Side(text, options.seconds) for text in options.sides]
    print(f"{'':<34}{sides[0].name + ' /s':>16}" + "".join(f"{side.name:>24}" for side in sides[1:]))
    found = []
    for row in (row for row in sides[0].rows if row.startswith(options.only)):
        turns = [[side.ask(row) for side in sides] for _ in range(options.repeats)]
        ratios = {side.name: sorted(turn[k] / turn[0] for turn in turns) for k, side in enumerate(sides) if k}
        first = statistics.median(turn[0] for turn in turns)
        cells = [f"{statistics.median(r):.2f} ({r[0]:.2f}-{r[-1]:.2f})" for r in ratios.values()]
        print(f"{row:<34}{first:>16,.0f}" + "".join(f"{cell:>24}" for cell in cells), flush=True)
        found.append({"row": row, "rate": first, "ratios": ratios})
    for kind in ("rollouts", "mcts", "self-play"):
        mine = [row for row in found if row["row"].startswith(kind)]
        for side in sides[1:]:
            if mine:
                mean = statistics.geometric_mean(statistics.median(row["ratios"][side.name]) for row in mine)
                print(f"{kind}: {side.name} is {mean:.2f} times {sides[0].name} (geometric mean of {len(mine)} rows)")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
