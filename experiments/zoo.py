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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ludus
from ludus.agents import make_agent
from ludus.learn.config import game_of
from ludus.learn.measure import SEED, Measured, Perfect, chooser, games_against_perfect, positions, results_kept
from ludus.learn.run import Run
from ludus.learn.zoo import FACTS, FOLDER
from ludus.play.rating import score_interval

HERE = Path(__file__).parent
LUDUS = str(Path(sys.executable).with_name("ludus"))
SERIES = ("hex5-series",)


@dataclass(frozen=True)
class Kept:
    """The share of true results that it keeps, in positions of a kind."""

    kind: str  # searches, random or all
    own: str = ""  # how the network plays: bare, or with a search
    headline: str = ""  # of the list of the zoo, if this is the measurement to show there; at most 42 characters
    count: int = 2000
    seconds: float = 240.0

    def measure(self, name: str, game: ludus.Game) -> Measured:
        meter = positions(game, self.kind, self.count, self.seconds)
        return results_kept(meter, self.kind, chooser(game, make_agent(f"zoo:{name}{self.own}"), ludus.Rng(SEED)))


@dataclass(frozen=True)
class AsFirst:
    """Games as first player from the empty board against a perfect opponent."""

    games: int
    own: str = ""
    headline: str = ""

    def measure(self, name: str, game: ludus.Game) -> Measured:
        choose = chooser(game, make_agent(f"zoo:{name}{self.own}"), ludus.Rng(SEED))
        return games_against_perfect(game, choose, self.games, Perfect(seconds=600))


@dataclass(frozen=True)
class Match:
    """Games against another agent, every opening played by both. Played once, they are read from their folder."""

    other: str
    games: int
    own: str = ""
    headline: str = ""

    def measure(self, name: str, game: ludus.Game) -> Measured:
        options = [part for key, value in game.identity().items() if key == "size" for part in ("--size", str(value))]
        command = [LUDUS, "match", f"zoo:{name}{self.own}", self.other, "--game", game.name, *options]
        command += ["--games", str(self.games), "--json"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows = json.loads(done.stdout)["agents"]  # the winner first
        points = next(row["score"] for row in rows if row["agent"].startswith("zoo:")) * self.games
        low, high = score_interval(points, self.games)
        text = f"scores {points:g} of {self.games} against {self.other} ({low:.0%} to {high:.0%})"
        return Measured(points, self.games, text)


MCTS_BOT = "openspiel:mcts,simulations=1000"
RAVE = "mcts:rave=true"
GO_SEARCH = "mcts:rave=true,hints=true,playout=quick"
QUICK, SLOW = ",seconds=0.1", ",seconds=1"
SPOILED = "keeps {share:.1%} where a move can spoil it"
ALL_KEPT = [Kept("searches", headline=SPOILED), Kept("random"), Kept("all")]

# What is measured of every network. The headline says which number stands in the list of the zoo.
MEASUREMENTS: dict[str, list[Kept | AsFirst | Match]] = {
    "hex5-series": [Match(MCTS_BOT, 100, headline="{points:g} of {count} against OpenSpiel's MCTSBot")],
    "hex5": [*ALL_KEPT, AsFirst(2000), Match(MCTS_BOT, 100)],
    "hex6": [*ALL_KEPT, AsFirst(500), Match(MCTS_BOT, 100), Match(RAVE + QUICK, 100, QUICK)],
    "hex7": [*ALL_KEPT, Match(MCTS_BOT, 100), Match(RAVE + QUICK, 100, QUICK)],
    "hex9": [
        Match(RAVE + SLOW, 40, headline="bare {points:g} of {count} against RAVE with 1 s"),
        Match(RAVE + SLOW, 40, SLOW),
    ],
    "hex11": [
        Match(RAVE + SLOW, 40, headline="bare {points:g} of {count} against RAVE with 1 s"),
        Match(RAVE + SLOW, 40, SLOW),
    ],
    "connect4": [
        *ALL_KEPT,
        Kept("searches", QUICK, count=1000),
        Kept("random", QUICK, count=1000),
        AsFirst(200),
        AsFirst(200, QUICK),
        Match("deepening" + QUICK.replace(",", ":"), 100, QUICK),
    ],
    "othello6": [
        Kept("all", headline="keeps {share:.1%} of all true results"),
        Kept("searches"),
        Match("deepening" + QUICK.replace(",", ":"), 100, QUICK),
        Match("mcts:playout=estimate,c=0.2,endgame=true" + QUICK, 100, QUICK),
    ],
    "othello8": [
        Match(
            "deepening" + QUICK.replace(",", ":"), 100, QUICK,
            headline="{points:g} of {count} against deepening, 0.1 s each",
        ),
        Match("mcts:playout=estimate,c=0.2,endgame=true" + QUICK, 100, QUICK),
        Match("mcts:simulations=1000", 100),
    ],
    "go5": [
        Match(GO_SEARCH + QUICK, 100, QUICK, headline="{points:g} of {count} against MCTS, 0.1 s each"),
        Match("mcts:simulations=1000", 100),
    ],
    "go9": [Match(GO_SEARCH + SLOW, 40, SLOW, headline="{points:g} of {count} against MCTS, 1 s each")],
}  # fmt: skip


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
    last = run.metrics()[-1]
    note(name, script=f"experiments/zoo/{name}.toml", minutes=round(last["seconds"] / 60), games=last["episode"])
    print(f"{home}: {sum(file.stat().st_size for file in home.rglob('*')) // 1024} KB")


def measure(name: str) -> None:
    """Measures everything anew; what is known already is written down after every step."""
    game, rows = game_of(FOLDER / name), list[dict[str, Any]]()
    for step in MEASUREMENTS[name]:
        measured = step.measure(name, game)
        rows.append({"how": step.own.strip(",").replace("=", " ") or "bare", **measured.plain()})
        print(f"{rows[-1]['how']}: {measured.text}", flush=True)
        note(name, measured=rows)
        if step.headline:
            facts = {"share": measured.share, "points": measured.points, "count": measured.count}
            note(name, headline=step.headline.format(**facts))


def note(name: str, **facts: object) -> None:
    known = json.loads(FACTS.read_text()) if FACTS.exists() else {}
    known[name] = known.get(name, {}) | facts
    FACTS.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("train", "install", "measure") or sys.argv[2] not in MEASUREMENTS:
        sys.exit(__doc__)
    began = time.monotonic()
    {"train": train, "install": install, "measure": measure}[sys.argv[1]](sys.argv[2])
    print(f"{(time.monotonic() - began) / 60:.1f} minutes")
