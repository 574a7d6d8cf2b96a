"""What was measured about clusters, and the model of how far they reach. What came out is in docs/cluster.md.

    python experiments/cluster.py throughput   games here and on Ray, one and two workers, in turns      (6 minutes)
    python experiments/cluster.py sleepers     workers that wait instead of playing: 2, 8, 32, 100      (10 minutes)
    python experiments/cluster.py late         weights that are k games old, three seeds each           (10 minutes)
    python experiments/cluster.py take         what a game costs its learner without Ray             (1 minute)
    python experiments/cluster.py model        the model beside the points, and the picture

Other work on the machine makes wall-clock rates smaller, so processor time is measured as well.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import replace
from itertools import islice
from pathlib import Path

import psutil

import ludus
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.network import make_network
from ludus.learn.remote import MOST, Orders, Plan, Player, Report, games_of
from ludus.learn.run import Run
from ludus.learn.self_play import Hours, SelfPlay
from ludus.learn.settings import ZERO, TrainSettings
from ludus.learn.trainer import Trainer
from ludus.learn.truth import load_meter, make_meter

HERE = Path(__file__).parent / "cluster"
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "cluster.png"
HEX = ludus.make("hex", size=5)
HEX9 = ludus.make("hex", size=9)  # large enough that a cluster is worth the trouble
LARGE = replace(ZERO, network=replace(ZERO.network, channels=32, blocks=4))
TURNS, SECONDS = 3, 12.0  # of every measurement of throughput
WORKERS = (2, 8, 32, 100)
DELAYS, SEEDS = (0, 30, 100, 300, 1000), (1, 2, 3)


def note(name: str, row: dict) -> None:
    HERE.mkdir(exist_ok=True)
    with (HERE / f"{name}.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")
    print(row, flush=True)


def noted(name: str) -> list[dict]:
    path = HERE / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


# ------------------------------------------------------------------------------------------- throughput


def processor_seconds() -> float:
    """Of this process and of all that it has started and that are alive."""
    total = 0.0
    for process in (me := psutil.Process(), *me.children(recursive=True)):
        times = process.cpu_times()
        total += times.user + times.system
    return total


def one_throughput(where: str, workers: int) -> dict:
    """Self-play alone, from a network that does not learn; its games are unpacked as a learner does it."""
    from ludus.cluster.players import Players
    from ludus.cluster.start import ray_at

    network = make_network(ZERO.network, HEX.planes_shape, HEX.num_actions)
    judge = NetworkEvaluator(HEX, network)
    player = SelfPlay(HEX, ZERO.search, judge, 64, ludus.Rng(1), 10**6, 1.0)

    def count(games) -> dict:
        next(games)  # everybody has started, or nearly
        list(islice(games, 20))
        began, spent, before, told = time.monotonic(), processor_seconds(), player.hours.evaluations, 0
        while time.monotonic() < began + SECONDS:
            next(games)
            told += 1
        seconds, spent = time.monotonic() - began, processor_seconds() - spent
        evaluations = player.hours.evaluations - before
        games.close()
        return {
            "where": where, "workers": workers, "games_per_second": round(told / seconds, 2),
            "evaluations_per_second": round(evaluations / seconds),
            "evaluations_per_processor_second": round(evaluations / spent),
            "games_per_processor_second": round(told / spent, 2), "load": round(os.getloadavg()[0], 1),
        }  # fmt: skip

    if where == "here":
        return count(player.games_of_threads(workers))
    with ray_at(None):
        return count(games_of(Players(Plan(HEX, ZERO.search, 64, False, True, 1), workers), player, judge))


def throughput() -> None:
    for _ in range(TURNS):
        for where in ("here", "ray"):
            for workers in (1, 2):
                command = [sys.executable, __file__, "one", where, str(workers)]
                told = subprocess.run(command, capture_output=True, text=True, check=True)
                note("throughput", json.loads(told.stdout.splitlines()[-1]))


# ------------------------------------------------------------------------------------------- sleepers


class Sleeper:
    """Has finished a game every so many seconds, but has only waited."""

    def __init__(self, plan: Plan, number: int, players: int, folder: str, game=None, seconds: float = 0.0) -> None:
        self.number, self.game, self.seconds, self.told = number, game, seconds, 0
        self.began: float | None = None

    def play(self, weights, episode: int, progress: float) -> Report:
        now = time.monotonic()
        # Players do not begin all at the same time.
        self.began = self.began or now - self.seconds * (self.number * 0.618 % 1)
        time.sleep(max(0.0, self.began + (self.told + 1) * self.seconds - now))
        finished = int((time.monotonic() - self.began) / self.seconds) - self.told
        if finished > 2 * MOST:  # a real player waits when so many are ready
            self.began += (finished - 2 * MOST) * self.seconds
        report = Report(self.number, self.told, [self.game] * max(1, min(finished, MOST)), Hours())
        self.told += len(report.games)
        return report


def one_crew(workers: int, learns: bool, game, seconds: float) -> dict:
    """A training whose games come from sleepers."""
    import ray

    from ludus.cluster import players
    from ludus.cluster.start import ray_at

    class Sleepers(players.Players):
        def __init__(self, plan: Plan) -> None:
            super().__init__(plan, workers)
            self._cores = 0.001

    started: dict[str, float] = {}

    def watch(played, losses) -> None:
        now = time.monotonic()
        if "steady" not in started:
            crew = crews[-1]
            if len(crew._new) == 0 and crew._hired == workers:
                started["steady"] = now
        elif "began" not in started:
            if now > started["steady"] + 2:  # what has piled up meanwhile is learned
                started.update(began=now, spent=time.process_time(), episode=trainer.episode)
        elif now > started["began"] + SECONDS:
            started.update(ended=now, spent=time.process_time() - started["spent"],
                           episode=trainer.episode - started["episode"])  # fmt: skip
            raise Enough

    class Enough(Exception):
        pass

    crews: list[Sleepers] = []

    def hire(plan: Plan) -> Sleepers:
        crews.append(Sleepers(plan))
        return crews[-1]

    learn = replace(LARGE.learn, reuse=LARGE.learn.reuse if learns else 1e-6)
    settings = replace(LARGE, learn=learn, episodes=10**7, checkpoints=2)
    with ray_at(None), tempfile.TemporaryDirectory() as folder:
        Sleeper.__init__.__defaults__ = (game, seconds)
        players.ACTOR = ray.remote(max_restarts=0)(Sleeper)
        run = Run(Path(folder) / "run")
        trainer = Trainer(HEX9, settings, run, hire=hire)
        run.begin("hex", HEX9, settings)
        try:
            trainer.train(watch)
        except Enough:
            pass
        finally:
            run.close()
    games, wall = started["episode"], started["ended"] - started["began"]
    return {
        "workers": workers, "learns": learns, "seconds_per_game": round(seconds, 4),
        "games_per_second": round(games / wall, 2), "learner_seconds_per_game": round(started["spent"] / games, 6),
        "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def a_game():
    """A real game as it is sent, and the processor seconds that it takes a player."""
    network = make_network(LARGE.network, HEX9.planes_shape, HEX9.num_actions)
    player = Player(Plan(HEX9, LARGE.search, 16, False, True, 1), 0, 1)
    orders = Orders(NetworkEvaluator(HEX9, network).weights(), 10**6, 1.0)
    player.play(orders)
    began, games = time.process_time(), 0
    while time.process_time() < began + 6:
        games += len(player.play(orders).games)
    return player.play(orders).games[0], (time.process_time() - began) / games


def sleepers() -> None:
    import pickle

    game, seconds = a_game()
    network = make_network(LARGE.network, HEX9.planes_shape, HEX9.num_actions)
    weights = len(pickle.dumps(NetworkEvaluator(HEX9, network).weights()))
    note("sizes", {"game": len(pickle.dumps(game)), "weights": weights, "seconds_per_game": round(seconds, 4)})
    for workers, learns in [(w, learns) for w in WORKERS for learns in (False, True)]:
        note("sleepers", one_crew(workers, learns, game, seconds))


# ------------------------------------------------------------------------------------------- late weights


class Late:
    """An evaluator whose weights are those of so many games ago."""

    def __init__(self, evaluator: NetworkEvaluator, trainer: Trainer, delay: int) -> None:
        self.evaluator, self.trainer, self.delay = evaluator, trainer, delay
        self.past: deque = deque()

    def native(self, example):
        self.past.append((self.trainer.episode, self.evaluator.native(example)))
        while len(self.past) > 1 and self.past[1][0] <= self.trainer.episode - self.delay:
            self.past.popleft()
        return self.past[0][1]


def one_late(delay: int, seed: int) -> None:
    game, folder = ludus.make("hex", size=4), Path("runs") / "late"
    folder.mkdir(parents=True, exist_ok=True)
    if (meter := load_meter(folder / "meter.json", game)) is None:
        meter = make_meter(game, 500, 60)
        meter.save(folder / "meter.json")
    shutil.rmtree(folder / "run", ignore_errors=True)
    settings: TrainSettings = replace(
        ZERO, episodes=2000, seed=seed, checkpoints=2, parallel=8, search=replace(ZERO.search, simulations=32),
        learn=replace(ZERO.learn, minibatch=128),
    )  # fmt: skip
    run = Run(folder / "run")
    trainer = Trainer(game, settings, run)
    trainer.source.evaluator = Late(trainer.source.evaluator, trainer, delay)  # type: ignore[assignment]
    run.begin("hex", game, settings)
    curve: dict[int, float] = {}

    def watch(played, losses) -> None:
        if trainer.episode % 250 == 0:
            curve[trainer.episode] = round(meter.measure(trainer.evaluator).kept, 4)

    trainer.train(watch)
    run.close()
    note("late", {"delay": delay, "seed": seed, "truth": curve})


def late() -> None:
    done = {(row["delay"], row["seed"]) for row in noted("late")}
    for seed in SEEDS:
        for delay in DELAYS:
            if (delay, seed) not in done:
                one_late(delay, seed)


# ------------------------------------------------------------------------------------------- the model

NETWORK = 125e6  # bytes a second of a network card of 1 Gbit/s
CORES = 8  # players of a machine
UPDATES = 10  # times a second that weights go to every machine, at most


def take() -> None:
    """The processor time of a learner for a game that has come, without Ray: states, cases, files, no minibatch."""
    game, _ = a_game()
    network = make_network(LARGE.network, HEX9.planes_shape, HEX9.num_actions)
    settings = replace(LARGE, learn=replace(LARGE.learn, reuse=1e-6), episodes=10**7, checkpoints=2)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder) / "run")
        run.begin("hex", HEX9, settings)
        trainer = Trainer(HEX9, settings, run)
        player = SelfPlay(HEX9, LARGE.search, NetworkEvaluator(HEX9, network), 8, ludus.Rng(1))
        run.keep(trainer.learner, 0, 0.0)
        began, games = time.process_time(), 1000
        for _ in range(games):
            played = player.played(game)
            run.add(played)
            trainer._learn(played)
        note("take", {"seconds_per_game": round((time.process_time() - began) / games, 6)})
        run.close()


def model() -> None:
    """The limits of a learner are those of its processor time for a game: to take it, and to learn from it."""
    from matplotlib.figure import Figure

    sizes = noted("sizes")[-1]
    wait, sent, weights = sizes["seconds_per_game"], sizes["game"], sizes["weights"]
    points = {learns: [r for r in noted("sleepers") if r["learns"] == learns] for learns in (False, True)}
    takes = noted("take")[-1]["seconds_per_game"]
    learns = points[True][0]["learner_seconds_per_game"]
    print(f"a game: {wait:.3f} s of a player, {sent / 1e3:.1f} kB; weights {weights / 1e3:.0f} kB; a learner takes "
          f"{1e3 * takes:.2f} ms without Ray, {1e3 * learns:.1f} ms with what it learns")  # fmt: skip
    for workers in (10, 100, 1000):
        rate, machines = workers / wait, -(-workers // CORES)
        up, down = rate * sent, machines * weights * UPDATES
        print(f"{workers:5} players: {rate:6.0f} games/s, {rate * takes:.2f} cores to take them, {rate * learns:.1f} "
              f"to learn; reports {up / 1e6:.1f} MB/s ({up / NETWORK:.0%} of a card), weights {down / 1e6:.0f} MB/s "
              f"({down / NETWORK:.0%}), reports in the store at most {workers * MOST * sent / 1e6:.0f} MB")  # fmt: skip
    for name, cost in (("takes", takes), ("learns", learns)):
        print(f"{name}: full at {1 / cost:.0f} games/s, {wait / cost:.1f} players")
        for row in points[name == "learns"]:
            print(f"  {row['workers']:4} players: model {min(row['workers'] / wait, 1 / cost):6.1f} games/s, measured "
                  f"{row['games_per_second']:6.1f}, {1e3 * row['learner_seconds_per_game']:.2f} ms a game, "
                  f"load {row['load']}")  # fmt: skip
    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    crews = [10 ** (k / 20) for k in range(61)]
    for which, cost, color, label in (
        (False, takes, "#1f77b4", "a learner that only takes games"),
        (True, learns, "#d62728", "a learner that learns from them, on one core"),
    ):
        axes.plot(crews, [min(n / wait, 1 / cost) for n in crews], color=color, label=f"model: {label}")
        measured = [(row["workers"], row["games_per_second"]) for row in points[which]]
        axes.plot(*zip(*measured, strict=True), "o", color=color, label="measured, with players that only wait")
    axes.axhline(NETWORK / sent, color="#888888", linestyle="--", label="reports fill 1 Gbit/s")
    axes.set(xscale="log", yscale="log", xlabel="players", ylabel="games a second", title="Hex 9×9, 0.2 s a game")
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize=8)
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "one":
        print(json.dumps(one_throughput(sys.argv[2], int(sys.argv[3]))))
    elif what in ("throughput", "sleepers", "late", "take", "model"):
        {"throughput": throughput, "sleepers": sleepers, "late": late, "take": take, "model": model}[what]()
    else:
        print(__doc__)
