"""What one sees of a tournament while it is played: a table that changes, or lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table

from ludus.game import NativeState
from ludus.protocols.oht.playing.player import AgentPlayer
from ludus.protocols.oht.playing.tally import RoundResult, SeriesResult
from ludus.protocols.oht.playing.values import printable

if TYPE_CHECKING:
    from ludus.cli.oht.play import Play

EVERY = 20.0  # seconds between lines of progress where there is no terminal


class Screen:
    """Shows the results so far on standard error, and the boards, if they are wanted."""

    def __init__(self, options: Play, player: AgentPlayer) -> None:
        self.options = options
        self.console = Console(stderr=True)
        self.live: Live | None = None  # begins with the first result: before that, a password may be asked for
        self.last, self.rounds = time.monotonic(), 0
        if options.show:
            player.watch = self.draw

    def __enter__(self) -> Screen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def see(self, result: RoundResult) -> None:
        """A game has ended, or a series has begun or ended."""
        series = result.series[-1]
        if self.console.is_terminal and not self.options.show:
            if self.live is None:
                self.live = Live(console=self.console, refresh_per_second=4, transient=True)
                self.live.start()
            self.live.update(table_of(result))
        elif series.over or time.monotonic() - self.last >= EVERY:
            self.line(f"series {len(result.series)}: {series_in_words(series)}")

    def say(self, text: str) -> None:
        """A message of the server."""
        self.line(f"the server says: {printable(text)}")

    def end_round(self, result: RoundResult) -> None:
        self.rounds += 1
        self.stop()
        if self.options.rounds > 1:
            self.line(f"round {self.rounds} of {self.options.rounds}: {in_words(result)}")

    def stop(self) -> None:
        if self.live is not None:
            self.live.stop()
            self.live = None

    def draw(self, state: NativeState) -> None:
        """Draws the board before one of our moves."""
        print(f"{state.game.draw(state)}\n", file=sys.stderr if self.options.json else sys.stdout, flush=True)

    def line(self, text: str) -> None:
        self.last = time.monotonic()
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)


def table_of(result: RoundResult) -> Table:
    """The series of a round, one line each, and all of them together."""
    done = "" if result.score is None else f", score {result.score:g}%"
    table, draws = Table(title=f"{result.game} tournament{done}"), result.total().draws > 0
    table.add_column("series", justify="right")
    for name in ("opponent", "we are player", "games", "wins", *(["draws"] if draws else []), "losses", "s/answer"):
        table.add_column(name, justify="right")
    for number, series in enumerate(result.series, 1):
        table.add_row(str(number), *cells(series, draws), end_section=number == len(result.series))
    if len(result.series) > 1:
        table.add_row("all", *cells(result.total(), draws))
    return table


def cells(series: SeriesResult, draws: bool) -> list[str]:
    """A series as a row of the table, with its draws if there were any."""
    opponent, player = ("", "") if series.player == 0 else (str(series.opponent), str(series.player))
    mean = "" if series.mean_seconds is None else f"{series.mean_seconds:.3f}"
    counts = [series.wins, *([series.draws] if draws else []), series.losses]
    return [opponent, player, f"{series.played} of {series.games}", *map(str, counts), mean]


def series_in_words(series: SeriesResult) -> str:
    """How a series goes, in one line."""
    drawn = f", {series.draws} drawn" if series.draws else ""
    counts = f"{series.wins} won{drawn} and {series.losses} lost"
    return f"{series.played} of {series.games} games against {series.opponent}, {counts}"


def in_words(result: RoundResult) -> str:
    """How a round ended, in one sentence."""
    total = result.total()
    done = total.done
    low, high = result.interval if done else (0.0, 1.0)
    games = (
        f"won {total.wins} of {done} games (95% interval {low:.0%} to {high:.0%})" if done else "no game was finished"
    )
    if not result.finished:
        return f"The tournament did not come to its end; {games}."
    over = f"The tournament is over with a score of {result.score:g}%"
    return f"{over}; in the series of this session, {games}." if result.counts_more else f"{over}: {games}."
