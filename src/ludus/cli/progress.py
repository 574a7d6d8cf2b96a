"""How far a tournament is: a bar on a terminal, a line from time to time elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludus.game import seen_by
from ludus.monitor.logs import asked, logger, say, takes_stderr
from ludus.play.standing import tally_of
from ludus.play.tables import short_name

if TYPE_CHECKING:
    from ludus.play.record import Record
    from ludus.play.tournament import Tournament, Watch

LOG = logger("tournament")
EVERY = 20.0  # seconds between lines of progress where there is no terminal


class Count:
    """The games that are finished, and the points of each agent."""

    def __init__(self, tournament: Tournament) -> None:
        self.total, self.done = len(tournament.meetings), 0
        self.points = dict.fromkeys(tournament.names, 0.0)
        self.games = dict.fromkeys(tournament.names, 0)

    def add(self, records: list[Record]) -> str:
        """Counts some more games. Returns the three leaders, in words."""
        self.done += len(records)
        for record in records:
            for player, agent in enumerate(record.agents):
                self.points[agent] += tally_of(seen_by(player, 0, record.score)).points
                self.games[agent] += 1
        leaders = sorted(self.points, key=lambda agent: -self.points[agent] / max(1, self.games[agent]))[:3]
        return "  ".join(f"{short_name(agent, 24)} {self.points[agent]:g}/{self.games[agent]}" for agent in leaders)


@contextmanager
def progress(tournament: Tournament, quiet: bool) -> Iterator[Watch]:
    """Shows the games that are done, the standing and the time left; yields a function to call with finished games."""
    if quiet and not asked():
        yield lambda records: None
    elif sys.stderr.isatty() and not takes_stderr() and not quiet:
        with bar(Count(tournament)) as watch:
            yield watch
    else:
        yield lines(Count(tournament), quiet)


@contextmanager
def bar(count: Count) -> Iterator[Watch]:
    """A bar on standard error. What is printed meanwhile, if it goes to the same terminal, appears above it."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), "left", TimeRemainingColumn(),
               TextColumn("{task.fields[standing]}", markup=False))  # fmt: skip
    console, above = Console(stderr=True), sys.stdout.isatty()
    with Progress(*columns, console=console, transient=True, redirect_stdout=above) as shown:
        task = shown.add_task("", total=count.total, standing="")

        def watch(records: list[Record]) -> None:
            shown.update(task, advance=len(records), standing=count.add(records))

        yield watch


def lines(count: Count, quiet: bool) -> Watch:
    """A line on standard error every now and then, unless it is to be quiet, and in the log if there is one."""
    began = last = time.monotonic()

    def watch(records: list[Record]) -> None:
        nonlocal last
        standing, now = count.add(records), time.monotonic()
        if now - last >= EVERY:
            last = now
            left = (now - began) / count.done * (count.total - count.done)
            said = f"{count.done} of {count.total} games, about {left:.0f} s left   {standing}"
            LOG.info(said) if quiet else say(LOG, said)

    return watch
