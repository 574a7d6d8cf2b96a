"""`ludus topp RUN`: the saved networks of a training meet each other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from ludus.cli import arena
from ludus.cli.parse import parse
from ludus.cli.watch import lone_show, refuse_show
from ludus.errors import seed_option

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Options:
    """The Tournament of Progressive Policies. Stopped, the same command goes on where it was."""

    run: tyro.conf.Positional[Path]  # the folder of a training, or zoo:hex5-series
    games: int = 25  # for every pair
    choice: Literal["greedy", "sample", "epsilon"] = "greedy"  # how a network plays
    opening: int | None = None  # random plies before they begin; 2 for greedy networks, which have no dice
    alternate_starter: Flag = False  # the player who makes the first move changes every two games (Hex)
    seed: int = 0  # of all dice
    workers: int = 0  # processes; 0: one for every core
    again: Flag = False  # play everything anew; the records there are kept under another name
    show: int = 0  # draw the first so many games, move by move; --show without a number: all of them
    pause: float = 0.0  # seconds between the moves that are shown
    json: Flag = False  # print JSON

    def __post_init__(self) -> None:
        seed_option("seed", self.seed)
        refuse_show(self.show, self.pause)


def main(arguments: list[str]) -> None:
    options = parse(Options, lone_show(arguments), "ludus topp")
    from ludus.cli.tables import crosstable_of, print_tables, table_of
    from ludus.cli.train import require_torch

    require_torch()
    from ludus.learn.topp import summary, topp, verdict
    from ludus.show.plots import strength_plot

    contest = topp(
        options.run, options.games, options.choice, options.seed, options.workers, options.opening,
        options.alternate_starter,
    )  # fmt: skip
    outcome = arena.watched(
        contest.tournament, contest.folder, options.again, options.show, options.pause, options.json
    )
    arena.save_files(contest.tournament, outcome, contest.folder, sgf=False)
    points = [(n, row.rating.elo, row.rating.low, row.rating.high) for n, row in contest.rows(outcome.standing)]
    (contest.folder / "strength.png").write_bytes(strength_plot(points, "Tournament of Progressive Policies"))
    if options.json:
        print(json.dumps(summary(contest, outcome.standing), indent=1))
        return
    print_tables(table_of(outcome.standing), *crosstable_of(outcome.standing))
    print(verdict(contest, outcome.standing))
    arena.say_what_is_old(outcome)
    print(f"records, report and plot: {contest.folder}/report.html, strength.png")
