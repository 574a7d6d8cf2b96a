"""The runs behind `ludus plan`, and the law fitted to them.

python experiments/plan.py run              all runs, one core each; stopped, the same command goes on with what is left
python experiments/plan.py run hex4-play   only those whose names begin so
python experiments/plan.py fit              fits the law to experiments/plan/*.json and writes it into the package
python experiments/plan.py check            forecasts each run from the others: how often is its end in the range?

All runs take about 25 minutes on each of two cores. Each leaves its curve in experiments/plan; its folder in runs/ can
then be deleted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any

import ludus
from ludus.cli import run as ludus_command
from ludus.cli.options import flags_of
from ludus.learn.law import LAW, Finished, TooFewRuns, fit, write_law
from ludus.learn.run import Run
from ludus.learn.speed import machine_speed

CURVES, RUNS = Path(__file__).parent / "plan", Path("runs")
POSITIONS = 300  # of the truth meter
COURSES: dict[str, dict[str, Any]] = {  # ways to train, as a TOML file has them
    "play": {"recipe": "zero"},
    "exercises": {
        "recipe": "zero",
        "network": {"channels": 32, "owners": False},
        "learn": {"lr": 0.003, "reuse": 12.0},
        "exercises": {"exercises": 1.0, "exercise_seconds": 0.02},
    },
}
MINUTES = {4: (0.25, 0.5, 1), 5: (0.5, 1, 2, 4), 6: (1, 2, 4, 8)}  # of Hex, by size


@dataclass(frozen=True)
class Plan:
    """One run."""

    size: int
    course: str
    minutes: float

    @property
    def name(self) -> str:
        return f"hex{self.size}-{self.course}-{self.minutes:g}"

    @property
    def curve(self) -> Path:
        return CURVES / f"{self.name}.json"


def all_plans() -> list[Plan]:
    """Every run, the short ones first."""
    plans = [Plan(size, course, m) for size, each in MINUTES.items() for course in COURSES for m in each]
    return sorted(plans, key=lambda plan: plan.minutes)


def run(beginning: str) -> None:
    """Makes the runs that are not there yet, as many side by side as there are cores."""
    missing = [plan for plan in all_plans() if plan.name.startswith(beginning) and not plan.curve.exists()]
    print(f"{len(missing)} runs, {sum(plan.minutes for plan in missing):g} minutes of one core", flush=True)
    free: Queue[int] = Queue()
    for core in sorted(os.sched_getaffinity(0)):
        free.put(core)

    def one(plan: Plan) -> None:
        core = free.get()
        try:
            command = [sys.executable, __file__, "one", plan.name]
            log = (RUNS / f"plan-{plan.name}.log").open("w")
            subprocess.run(["taskset", "-c", str(core), *command], check=True, stdout=log, stderr=log)
        finally:
            free.put(core)
        print(f"{plan.name}: keeps {json.loads(plan.curve.read_text())['curve'][-1][2]:.1%}", flush=True)

    RUNS.mkdir(exist_ok=True)
    with ThreadPoolExecutor(free.qsize()) as pool:
        list(pool.map(one, missing))


def one(plan: Plan) -> None:
    """One run, on the core that this process has. The speed of the machine is measured before and after it."""
    game, folder = ludus.make("hex", size=plan.size), RUNS / f"plan-{plan.name}"
    before = machine_speed(game)
    which = ["hex", "--size", str(plan.size), "--minutes", str(plan.minutes), *flags_of(COURSES[plan.course])]
    if (folder / "config.toml").exists():
        which = ["--resume", str(folder)]
    else:
        which += ["--run", str(folder), "--checkpoints", "2"]
    if ludus_command("train", [*which, "--truth", str(POSITIONS), "--every", str(max(2, 1.5 * plan.minutes))]) != 0:
        sys.exit(f"{plan.name} failed")
    rows = [row for row in Run(folder).metrics() if "truth" in row]
    known = {
        "game": "hex", "size": plan.size, "course": plan.course, "settings": COURSES[plan.course],
        "minutes": plan.minutes, "positions": len(json.loads((folder / "truth.json").read_text())["problems"]),
        "speed": round((before + machine_speed(game)) / 2),  # multiply-adds a second
        "curve": [[row["seconds"], row["episode"], row["truth"]] for row in rows],
    }  # fmt: skip
    CURVES.mkdir(exist_ok=True)
    plan.curve.write_text(json.dumps(known) + "\n")


def finished() -> list[Finished]:
    """The ends of all runs that were made."""
    ends = []
    for path in sorted(CURVES.glob("*.json")):
        known = json.loads(path.read_text())
        seconds, _, kept = known["curve"][-1]
        ends.append(Finished(known["course"], known["settings"], known["game"], known["size"],
                             known["speed"] * seconds, kept, known["positions"]))  # fmt: skip
    return ends


def fit_law() -> None:
    lines = fit(finished())
    write_law(lines)
    for line in lines:
        heights = ", ".join(f"{size}: {base:.2f}" for size, base in zip(line.sizes, line.bases, strict=True))
        print(f"{line.game}, {line.course}: log odds {heights} at effort e^{line.middle:.1f}, slope {line.slope:.2f}, "
              f"residuals {line.deviation:.2f} ({line.freedom} degrees of freedom)")  # fmt: skip
    print(f"written to {LAW}")


def check() -> None:
    """Forecasts each run from all others."""
    ends, inside, judged = finished(), 0, 0
    for i, end in enumerate(ends):
        try:
            lines = fit([other for other in ends[:i] + ends[i + 1 :] if other.course == end.course])
        except TooFewRuns:
            continue
        if end.size in lines[0].sizes:
            told = lines[0].forecast(end.size, end.effort)
            judged, inside = judged + 1, inside + (told.low <= end.kept <= told.high)
            print(f"hex{end.size} {end.course}: expected {told.text}, it is {end.kept:.1%}")
    print(f"{inside} of {judged} ends were in their range")


if __name__ == "__main__":
    known = {"run": run, "fit": lambda _: fit_law(), "check": lambda _: check()}
    if sys.argv[1:2] == ["one"] and len(sys.argv) == 3:
        one(next(plan for plan in all_plans() if plan.name == sys.argv[2]))
    elif sys.argv[1:2] and sys.argv[1] in known and len(sys.argv) <= 3:
        known[sys.argv[1]]("".join(sys.argv[2:]))
    else:
        sys.exit(__doc__)
