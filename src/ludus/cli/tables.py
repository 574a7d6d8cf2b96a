"""Results of matches and tournaments for the terminal."""

from __future__ import annotations

import functools
import os
import shutil
import sys
import time
from typing import TextIO

from rich.console import Console
from rich.table import Table

from ludus.game import Game
from ludus.play.record import RULES, Record
from ludus.play.standing import Standing, Tally
from ludus.play.tournament import Outcome, Tournament


def short(agent: str, most: int = 40) -> str:
    return agent if len(agent) <= most else agent[: most - 1] + "…"


def table_of(standing: Standing, clock: bool, width: int | None = None) -> Table:
    """The standing as a table for the terminal. Where that is narrow, the least important columns are left out."""
    games = "1 game" if standing.games == 1 else f"{standing.games} games, {standing.different_games} different"
    table, rows = Table(title=games), standing.rows
    columns: dict[str, list[str]] = {
        "agent": [short(row.agent) for row in rows],
        "Elo": [f"{row.rating.elo:+.0f}" for row in rows],
        "95%": [f"{row.rating.low:+.0f} to {row.rating.high:+.0f}" for row in rows],
        "score": [f"{row.all.score:.1%}" for row in rows],
        "W-D-L": [f"{row.all.wins}-{row.all.draws}-{row.all.losses}" for row in rows],
        "W-L": [f"{row.all.lead:+d}" for row in rows],
        "as first": [share(row.first) for row in rows],
        "as second": [share(row.second) for row in rows],
        "s/move": [seconds(row.mean_seconds) for row in rows],
        "longest": [seconds(row.longest_seconds) for row in rows],
        "least left": [seconds(row.least_left) for row in rows] if clock else [],
        "forfeits": [", ".join(f"{count} {kind}" for kind, count in row.forfeits.items()) for row in rows],
    }
    columns = {name: cells for name, cells in columns.items() if any(cells)}
    for name in ("longest", "W-L", "s/move", "least left", "as second", "as first", "95%"):
        if sum(3 + max(len(name), *map(len, cells)) for name, cells in columns.items()) > (width or screen_width()):
            columns.pop(name, None)
    for name in columns:
        table.add_column(name, justify="left" if name in ("agent", "forfeits") else "right", overflow="fold")
    for cells in zip(*columns.values(), strict=True):
        table.add_row(*cells)
    return table


def share(tally: Tally) -> str:
    return f"{tally.score:.0%}" if tally.games else "–"


def screen_width() -> int:
    """The columns of the terminal; plenty where there is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else int(os.environ.get("COLUMNS", "160"))


def seconds(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:.2f}" if number >= 0.1 else f"{number:.4f}"


def crosstable_of(standing: Standing) -> Table:
    """Points of each agent against each."""
    table = Table(title="points against")
    table.add_column("agent")
    for number, _ in enumerate(standing.rows, 1):
        table.add_column(str(number), justify="right")
    for number, row in enumerate(standing.rows, 1):
        cells = ["" if row is other else points(standing, row.agent, other.agent) for other in standing.rows]
        table.add_row(f"{number} {short(row.agent)}", *cells)
    return table


def points(standing: Standing, one: str, other: str) -> str:
    tally = standing.pairs[one, other]
    return f"{tally.points:g}/{tally.games}" if tally.games else "-"


def print_tables(*tables: Table) -> None:
    console = Console(width=screen_width())
    for table in tables:
        console.print(table, markup=False)


def decided(tournament: Tournament, outcome: Outcome) -> str | None:
    """What the sequential test says, in a sentence."""
    verdict = outcome.verdict
    if verdict is None:
        return None
    games, one, other = 2 * verdict.pairs, *tournament.names
    test = f"sequential test, {verdict.error:.0%} error, {verdict.elo:g} Elo"
    match verdict.answer:
        case None:
            return f"not decided after {games} games ({test})"
        case "equal":
            return f"decided after {games} games: neither is better by {verdict.elo:g} Elo ({test})"
        case answer:
            return f"decided after {games} games: {one if answer == 'first' else other} is better ({test})"


def show_game(game: Game, record: Record, pause: float = 0.0, to: TextIO | None = None) -> None:
    """Draws a finished game, move by move."""
    one, other = record.agents
    say = functools.partial(print, file=to or sys.stdout, flush=True)
    say(f"game {record.number}: {one} (X) against {other} (O)\n")
    for index, state in enumerate(record.replay(game)):
        if index:
            say(f"{index}. {game.write(record.actions[index - 1])}")
        say(game.draw(state) + "\n")
        time.sleep(pause)
    result = {1: f"X wins ({one})", -1: f"O wins ({other})", 0: "a draw"}[(record.score > 0) - (record.score < 0)]
    say(result + ("" if record.end == RULES else f" ({record.end}: {record.why})") + "\n")


def forfeits_in_words(outcome: Outcome) -> str:
    """How many games were thrown away by whom, and the first reason; nothing if none were."""
    lines = []
    for row in outcome.standing.rows:
        lost = [r for r in outcome.records if r.fault is not None and r.agents[r.fault] == row.agent]
        if lost:
            first = f"first by {lost[0].end}: {lost[0].why}"
            lines.append(f"{row.agent} forfeited {len(lost)} of its {row.all.games} games, {first}\n")
    return "".join(lines)
