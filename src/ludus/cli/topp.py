"""`ludus topp RUN`: the saved networks of a training meet each other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from ludus.cli import arena
from ludus.cli.parse import parse


@dataclass(frozen=True, kw_only=True)
class Options(arena.Playing):
    """The Tournament of Progressive Policies. Stopped, the same command goes on where it was."""

    run: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]  # a training's folder, or zoo:hex5-series
    games: int = 25  # for every pair
    choice: Literal["greedy", "sample", "epsilon"] = "greedy"  # how a network plays
    opening: int | None = None  # random plies before they begin; 2 for greedy networks, which are deterministic
    alternate_starter: arena.Flag = False  # the player who makes the first move changes every two games (Hex)


def main(arguments: list[str]) -> None:
    options = parse(Options, arena.lone_show(arguments), "ludus topp")
    from ludus.cli.tables import crosstable_of, print_tables, table_of
    from ludus.cli.train import require_torch

    require_torch()
    from ludus.learn.stages import summary, verdict
    from ludus.learn.topp import topp
    from ludus.show.plots import strength_plot

    contest = topp(
        options.run, options.games, options.choice, options.seed, options.workers, options.opening,
        options.alternate_starter,
    )  # fmt: skip
    outcome = arena.watched(contest.tournament, contest.folder, options)
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
