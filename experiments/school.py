"""What was measured about learning, and its pictures in docs/images. Two cores, nothing else running.

    python experiments/school.py seeds      the default training on five seeds, and its tournament     (4 minutes)
    python experiments/school.py demo       what `make demo` trains, on six seeds, and its tournament  (6 minutes)
    python experiments/school.py textbook   the loop of the textbooks on 4×4, on three seeds           (2 minutes)
    python experiments/school.py recipes    both recipes, and zero with a playout cap, truth over time (8 minutes)
    python experiments/school.py parallel   games one after the other, and side by side                (4 minutes)
    python experiments/school.py teacher    what the solver as a teacher buys                         (18 minutes)
    python experiments/school.py scaling    seconds per position against the size of the board         (2 minutes)

What came out is in docs/training.md.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import ludus
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.network import Network
from ludus.learn.run import json_lines
from ludus.learn.self_play import SelfPlay
from ludus.learn.settings import CLASSIC, ZERO

LUDUS = str(Path(sys.executable).with_name("ludus"))
IMAGES = Path(__file__).parent.parent / "docs" / "images"
RUNS = Path("runs") / "school"


def train(name: str, *flags: str, size: int = 5) -> list[dict]:
    """The metrics of a training; one that was done before is not done again."""
    folder = RUNS / name
    if not (folder / "training.png").exists():
        shutil.rmtree(folder, ignore_errors=True)
        command = [LUDUS, "train", "hex", "--size", str(size), "--run", str(folder), "--every", "3", "--truth", "1000"]
        subprocess.run([*command, *flags], check=True, capture_output=True)
    rows = list(json_lines(folder / "metrics.jsonl"))
    last = rows[-1]
    print(f"{name:28} {last['episode']:6} episodes {last['seconds']:6.0f} s  keeps {last['truth']:.1%}", flush=True)
    return rows


CAPPED = ("--episodes", "2000", "--simulations", "128", "--forced", "2", "--fast", "0.75", "--minibatches", "4")


def seeds() -> None:
    """Five trainings by default, and the tournament of each; then a hundred games of the last against the first."""
    for seed in range(1, 6):
        name = f"seed{seed}"
        train(name, "--seed", str(seed))
        tournament(name, 100)


def demo() -> None:
    """What `make demo` trains: do the ratings of its four networks rise?"""
    for seed in range(1, 7):
        name = f"demo{seed}"
        flags = ("--episodes", "800", "--checkpoints", "4", "--spacing", "quadrupling", "--minibatches", "2")
        train(name, *flags, "--seed", str(seed))
        tournament(name, 40)


def textbook() -> None:
    """The recipe textbook on 4×4: one game after the other, rollouts by the actor, one minibatch after each game."""
    curves = {}
    for seed in range(1, 4):
        name = f"textbook{seed}"
        flags = ("--recipe", "textbook", "--episodes", "400", "--seed", str(seed))
        curves[f"seed {seed}"] = train(name, *flags, size=4)
        tournament(name, 50)
    plot("textbook", "4×4 Hex, recipe textbook: true results that the bare network keeps", curves, "episode")


def tournament(name: str, games: int) -> None:
    """Prints the ratings of the saved networks of a training, and what can be said about them."""
    told = subprocess.run([LUDUS, "topp", str(RUNS / name), "--games", str(games), "--json"], capture_output=True)
    result = json.loads(told.stdout)
    elo = [
        f"{n['episode']}: {n['elo']:+.0f} ± {(n['interval'][1] - n['interval'][0]) / 2:.0f}" for n in result["networks"]
    ]
    print(f"  {', '.join(elo)}\n  {result['verdict']}")


def recipes() -> None:
    plot(
        "recipes",
        "5×5 Hex: positions in which the bare network keeps the true result",
        {
            "classic (rollouts at first, then the critic)": train("classic", "--episodes", "1500"),
            "zero": train("zero", "--recipe", "zero", "--episodes", "4000"),
            "zero with playout cap and forced playouts": train("zero-capped", "--recipe", "zero", *CAPPED),
        },
        "episode",
    )


def parallel() -> None:
    curves = {}
    for games in (1, 16, 128):
        for seed in (1, 2):
            flags = ("--episodes", "300", "--seed", str(seed), "--parallel", str(games))
            curves[f"at most {games} side by side, seed {seed}"] = train(f"parallel{games}-{seed}", *flags)
    plot("parallel", "5×5 Hex, classic: games one after the other and side by side", curves, "episode")


def teacher() -> None:
    usual = ("--recipe", "zero", "--fast", "0", "--forced", "0", "--simulations", "64", "--channels", "32")
    usual += ("--buffer", "100000", "--checkpoints", "7")
    taught = ("--teacher", "solver", "--teacher-seconds", "0.003", "--minibatches", "2", "--episodes", "5000")
    plot(
        "teacher",
        "5×5 Hex: what the solver as a teacher buys",
        {
            "from play alone, 11,000 games": train("untaught5", *usual, "--minibatches", "1", "--episodes", "11000"),
            "taught by the solver, 5,000 games": train("taught5", *usual, *taught),
        },
    )


def scaling() -> None:
    """Milliseconds per position of self-play, one thread, for boards from 4×4 to 10×10."""
    from matplotlib.figure import Figure

    sizes = range(4, 11)
    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    axes = figure.add_subplot()
    for label, settings in (("classic, after its rollouts", CLASSIC), ("zero", ZERO)):
        costs = [cost(size, settings) for size in sizes]
        slope, _ = np.polyfit(np.log(sizes), np.log(costs), 1)
        print(label, {s: f"{1000 * c:.2f} ms" for s, c in zip(sizes, costs, strict=True)}, f"slope {slope:.2f}")
        axes.loglog(sizes, [1000 * c for c in costs], "o-", label=f"{label}: slope {slope:.2f}")
    axes.set(
        xlabel="size of the board", ylabel="milliseconds per position", title="Hex: cost of a position of self-play"
    )
    axes.set_xticks(list(sizes), [str(size) for size in sizes])
    axes.legend()
    axes.grid(alpha=0.3, which="both")
    figure.savefig(IMAGES / "scaling.png", dpi=110)


def cost(size: int, settings, seconds: float = 3.0) -> float:
    game = ludus.make("hex", size=size)
    judge = NetworkEvaluator(game, Network(settings.network, game.planes_shape, game.num_actions))
    search = replace(settings.search, sigma=0.0, sigma_end=0.0)
    player = SelfPlay(game, search, judge, 64, ludus.Rng(1), episode=10**6, progress=1.0)
    moves, began, make_move = 0, time.perf_counter(), player._move

    def count(slot):
        nonlocal moves
        moves += 1
        if time.perf_counter() - began > seconds and moves > 128:
            raise TimeoutError
        return make_move(slot)

    player._move = count
    try:
        for _ in player.games():
            pass
    except TimeoutError:
        pass
    return (time.perf_counter() - began) / moves


def plot(name: str, title: str, curves: dict[str, list[dict]], across: str = "seconds") -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.add_subplot()
    for label, rows in curves.items():
        axes.plot([row[across] for row in rows], [row["truth"] for row in rows], label=label)
    axes.set(xlabel=f"{across}s".replace("ss", "s") + " of training", ylabel="true results kept", title=title)
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    figure.savefig(IMAGES / f"{name}.png", dpi=110)


if __name__ == "__main__":
    parts = {f.__name__: f for f in (seeds, demo, textbook, recipes, parallel, teacher, scaling)}
    if len(sys.argv) != 2 or sys.argv[1] not in parts:
        sys.exit(__doc__)
    IMAGES.mkdir(exist_ok=True)
    parts[sys.argv[1]]()
