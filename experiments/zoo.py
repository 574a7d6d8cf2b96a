"""Trains, installs and measures the networks of the zoo. Expected times and results: on top of experiments/zoo/*.toml.

python experiments/zoo.py train hex7      as experiments/zoo/hex7.toml says; stopped, the same command goes on
python experiments/zoo.py install hex7    puts the last network (of hex5-series all of them) into src/ludus/zoo
python experiments/zoo.py measure hex7    measures it and writes the numbers to src/ludus/zoo/zoo.json
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import ludus
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.config import game_of
from ludus.learn.run import Run
from ludus.learn.truth import make_meter
from ludus.learn.zoo import FACTS, FOLDER, path_of
from ludus.play.rating import score_interval
from ludus.search.solve import Solver

HERE = Path(__file__).parent
LUDUS = str(Path(sys.executable).with_name("ludus"))
SERIES = ("hex5-series",)
EQUAL = "seconds=0.1"  # for every move, where a network meets a search without one

# The network as the first agent, its opponent, and the games they play; every opening is played by both.
MATCHES = {
    "hex5-series": [("", "openspiel:mcts,simulations=1000", 100)],
    "hex5": [("", "openspiel:mcts,simulations=1000", 100)],
    "hex7": [
        ("", "openspiel:mcts,simulations=1000", 100),
        (",simulations=200", "openspiel:mcts,simulations=10000", 100),
        (f",{EQUAL}", f"mcts:rave=true,{EQUAL}", 40),
    ],
    "connect4": [("", "openspiel:mcts,simulations=1000", 100), (f",{EQUAL}", f"deepening:{EQUAL}", 40)],
    "othello6": [
        ("", "mcts:simulations=1000", 100),
        (f",{EQUAL}", f"deepening:{EQUAL}", 40),
        (f",{EQUAL}", f"mcts:playout=estimate,c=0.2,endgame=true,{EQUAL}", 40),
    ],
    "othello8": [
        ("", "mcts:simulations=1000", 100),
        (f",{EQUAL}", f"deepening:{EQUAL}", 40),
        (f",{EQUAL}", f"mcts:playout=estimate,c=0.2,endgame=true,{EQUAL}", 40),
    ],
    "go5": [
        ("", "mcts:simulations=1000", 100),
        (f",{EQUAL}", f"mcts:rave=true,hints=true,playout=quick,{EQUAL}", 40),
    ],
}


def train(name: str) -> None:
    run = Path("runs") / f"zoo-{name}"
    which = ["--resume", str(run)] if (run / "config.toml").exists() else ["--config", str(HERE / f"zoo/{name}.toml")]
    again = [] if which[0] == "--resume" else ["--run", str(run)]
    subprocess.run([LUDUS, "train", *which, *again], check=True)


def install(name: str) -> None:
    run, home = Run(Path("runs") / f"zoo-{name}"), FOLDER / name
    shutil.rmtree(home, ignore_errors=True)
    (home / "checkpoints").mkdir(parents=True)
    shutil.copy(run.folder / "config.toml", home)
    for path in run.checkpoints if name in SERIES else run.checkpoints[-1:]:
        shutil.copy(path, home / "checkpoints")
    note(name, minutes=round(run.metrics()[-1]["seconds"] / 60))
    print(f"{home}: {sum(file.stat().st_size for file in home.rglob('*')) // 1024} KB")


def measure(name: str) -> None:
    game, network = game_of(FOLDER / name), path_of(name)
    measured = []
    for own, other, games in MATCHES[name]:
        measured.append(match(name, game, own, other, games))
        print(measured[-1], flush=True)
        note(name, measured=measured)
    meter = make_meter(game, 2000, 120, seed=31415, every_position=True)
    if meter is not None:
        truth = meter.measure(load_checkpoint(network).evaluator(game))
        count = len(meter.problems)
        low, high = score_interval(truth.kept * count, count)
        measured.append(
            f"bare: keeps {truth.kept:.1%} of the true results in {count} positions from games of tree searches "
            f"({low:.1%} to {high:.1%}), and {truth.won_kept:.1%} of the wins among them"
        )
        print(measured[-1])
    if name == "hex5":
        measured.append(proof(game, network))
        print(measured[-1])
    note(name, measured=measured)


def match(name: str, game: ludus.Game, own: str, other: str, games: int) -> str:
    """The score of a match in words. Played once, it is read from its folder."""
    options = [part for key, value in game.identity().items() if key == "size" for part in ("--size", str(value))]
    command = [LUDUS, "match", f"zoo:{name}{own}", other, "--game", game.name, *options]
    done = subprocess.run([*command, "--games", str(games), "--json"], check=True, capture_output=True, text=True)
    rows = json.loads(done.stdout)["agents"]  # the winner first
    points = next(row["score"] for row in rows if row["agent"].startswith("zoo:")) * games
    low, high = score_interval(points, games)
    how = "bare" if not own else own.strip(",").replace("=", " ")
    return f"{how}: {points:g} of {games} against {other} ({low:.0%} to {high:.0%})"


def proof(game: ludus.Game, path: Path, games: int = 2000) -> str:
    """Does the bare network, as first player, always win? The defender takes every win that it is offered."""
    evaluator, solver, rng = load_checkpoint(path).evaluator(game), Solver(), ludus.Rng(1)
    states, won = [game.start()] * games, 0
    while states:
        policies, _ = evaluator.evaluate(states)
        after = []
        for state, policy in zip(states, policies, strict=True):
            child = state.play(max(state.actions(), key=lambda a, policy=policy: policy[a]))
            if child.over:
                won += 1
            elif solver.value(child) == -1:  # every defence is lost, so any is perfect
                after.append(child.play(rng.choice(child.actions())))
        states = after  # what was let go is lost: a perfect defender does not give it back
    low, high = score_interval(won, games)
    return (
        f"bare, first player from the empty board: won {won} of {games} games against a perfect defender "
        f"({low:.1%} to {high:.1%})"
    )


def note(name: str, **facts: object) -> None:
    known = json.loads(FACTS.read_text()) if FACTS.exists() else {}
    known[name] = known.get(name, {}) | facts
    FACTS.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("train", "install", "measure") or sys.argv[2] not in MATCHES:
        sys.exit(__doc__)
    began = time.monotonic()
    {"train": train, "install": install, "measure": measure}[sys.argv[1]](sys.argv[2])
    print(f"{(time.monotonic() - began) / 60:.1f} minutes")
