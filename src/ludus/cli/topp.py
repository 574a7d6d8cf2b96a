"""`ludus topp RUN`: the saved networks of a training meet each other."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from ludus.cli import arena
from ludus.cli.parse import parse
from ludus.cli.tables import crosstable_of, print_tables, show_game, table_of
from ludus.cli.train import require_torch
from ludus.play.record import Record
from ludus.play.tournament import run

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Options:
    """The Tournament of Progressive Policies. Stopped, the same command goes on where it was."""

    run: tyro.conf.Positional[Path]  # the folder of a training
    games: int = 25  # for every pair
    choice: Literal["greedy", "sample", "epsilon"] = "greedy"  # how a network plays
    opening: int | None = None  # random plies before they begin; 2 for greedy networks, which have no dice
    seed: int = 0
    workers: int = 0
    again: Flag = False  # play everything anew
    show: Flag = False  # draw every game, move by move, when it is finished
    pause: float = 0.0  # seconds between the moves that are shown
    json: Flag = False  # print JSON


def main(arguments: list[str]) -> None:
    require_torch()
    from ludus.learn.topp import summary, topp, verdict
    from ludus.show.plots import strength_plot

    options = parse(Options, arguments, "ludus topp")
    contest = topp(options.run, options.games, options.choice, options.seed, options.workers, options.opening)
    try:
        with arena.progress(contest.tournament, quiet=options.json or options.show) as tell:

            def watch(records: list[Record]) -> None:
                tell(records)
                for record in records if options.show else []:
                    show_game(contest.tournament.game, record, options.pause)

            outcome = run(contest.tournament, contest.folder, watch, options.again)
    except KeyboardInterrupt:
        print("\nstopped: finished games are kept, and the same command goes on", file=sys.stderr)
        raise SystemExit(130) from None
    arena.save_files(contest.tournament, outcome, contest.folder, sgf=False)
    points = [(n, row.rating.elo, row.rating.low, row.rating.high) for n, row in contest.rows(outcome.standing)]
    (contest.folder / "strength.png").write_bytes(strength_plot(points, "Tournament of Progressive Policies"))
    if options.json:
        print(json.dumps(summary(contest, outcome.standing), indent=1))
        return
    print_tables(table_of(outcome.standing, False), crosstable_of(outcome.standing))
    print(verdict(contest, outcome.standing))
    print(f"records, report and plot: {contest.folder}/report.html, strength.png")
