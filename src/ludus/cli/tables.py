"""Results of matches and tournaments for the terminal."""

from __future__ import annotations

import math
import os
import shutil
import sys

from rich import box
from rich.console import Console
from rich.table import Table

from ludus.play.standing import Standing
from ludus.play.tables import Cell, crosstable, short_names, standing_columns
from ludus.play.tournament import Outcome, Tournament

# The columns that a narrow screen can do without, the least important first.
DISPENSABLE = ("longest", "W-L", "s/move", "least left", "as second", "as first", "W-D-L", "score", "95%")
NARROWEST = 30  # columns; a narrower width is ignored


def screen_width() -> int:
    """The columns of the terminal; plenty where there is none and COLUMNS does not say."""
    if sys.stdout.isatty():
        return max(NARROWEST, shutil.get_terminal_size().columns)
    columns = os.environ.get("COLUMNS", "")
    return max(NARROWEST, int(columns)) if columns.isdecimal() else 160


def table_of(standing: Standing, width: int | None = None) -> Table:
    """The standing as a table for the terminal. Where that is narrow, the least important columns are left out."""
    games = "1 game" if standing.games == 1 else f"{standing.games} games, {standing.different_games} different"
    width, columns = width or screen_width(), standing_columns(standing)
    columns["agent"] = short_names(columns["agent"], max(14, min(40, width // 3)))
    for name in DISPENSABLE:
        if sum(3 + max(len(name), *map(len, cells)) for name, cells in columns.items()) > width:
            columns.pop(name, None)
    table = Table(title=games)
    for name in columns:
        table.add_column(name, justify="left" if name in ("agent", "forfeits") else "right", overflow="fold")
    for cells in zip(*columns.values(), strict=True):
        table.add_row(*cells)
    return table


def crosstable_of(standing: Standing, width: int | None = None) -> list[Table]:
    """Points of each agent against each: one table, or several with some of the columns each where that is too wide."""
    width = width or screen_width()
    caption, rows = crosstable(standing)
    names = short_names([row.agent for row in standing.rows], max(14, min(40, width // 3)))
    names = [f"{number} {name}" for number, name in enumerate(names, 1)]
    longest = max(len(name) for name in names)
    cell = max(len(cell.text) for row in rows for cell in row)
    if longest + 4 + (cell + 3) * len(rows) <= width:
        return [cross_part(caption, names, rows, range(len(rows)), box.HEAVY_HEAD)]
    fitting = max(1, (width - longest - 2) // (cell + 2))
    each = math.ceil(len(rows) / math.ceil(len(rows) / fitting))
    parts = [range(i, min(i + each, len(rows))) for i in range(0, len(rows), each)]
    return [cross_part(caption if part.start == 0 else "", names, rows, part, None) for part in parts]


def cross_part(caption: str, names: list[str], rows: list[list[Cell]], part: range, lines: box.Box | None) -> Table:
    """Some columns of a crosstable."""
    table = Table(title=caption or None, box=lines)
    table.add_column("agent", no_wrap=True)
    for index in part:
        table.add_column(str(index + 1), justify="right", no_wrap=True)
    for name, row in zip(names, rows, strict=True):
        table.add_row(name, *(row[index].text for index in part))
    return table


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


def forfeits_in_words(outcome: Outcome) -> str:
    """How many games each agent forfeited, and the first reason; nothing if there were none."""
    lines = []
    for row in outcome.standing.rows:
        lost = [r for r in outcome.records if r.fault is not None and r.agents[r.fault] == row.agent]
        if lost:
            first = f"first by {lost[0].end}: {lost[0].why}"
            lines.append(f"{row.agent} forfeited {len(lost)} of its {row.all.games} games, {first}\n")
    return "".join(lines)
