"""Results of matches and tournaments for the terminal."""

from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.table import Table

from ludus.game import Game
from ludus.play.record import RULES, Record
from ludus.play.standing import Standing
from ludus.play.tournament import Outcome, Tournament


def short(agent: str, most: int = 40) -> str:
    return agent if len(agent) <= most else agent[: most - 1] + "…"


def table_of(standing: Standing, clock: bool) -> Table:
    """The standing as a table for the terminal."""
    table = Table(title=f"{standing.games} games, {standing.different_games} different")
    table.add_column("agent")
    for name in ("Elo", "95%", "score", "W-D-L", "W-L", "as first", "as second", "s/move", "longest"):
        table.add_column(name, justify="right")
    if clock:
        table.add_column("least left", justify="right")
    if any(row.forfeits for row in standing.rows):
        table.add_column("forfeits")
    for row in standing.rows:
        cells = [
            short(row.agent), f"{row.rating.elo:+.0f}", f"{row.rating.low:+.0f} to {row.rating.high:+.0f}",
            f"{row.all.score:.1%}", f"{row.all.wins}-{row.all.draws}-{row.all.losses}", f"{row.all.lead:+d}",
            f"{row.first.score:.0%}", f"{row.second.score:.0%}",
            seconds(row.mean_seconds), seconds(row.longest_seconds),
        ]  # fmt: skip
        if clock:
            cells.append(seconds(row.least_left))
        if any(r.forfeits for r in standing.rows):
            cells.append(", ".join(f"{count} {kind}" for kind, count in row.forfeits.items()))
        table.add_row(*cells)
    return table


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
    console = Console(width=None if sys.stdout.isatty() else 160)
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


def show_game(game: Game, record: Record, pause: float = 0.0) -> None:
    """Draws a finished game, move by move."""
    one, other = record.agents
    print(f"game {record.number}: {one} (X) against {other} (O)\n", flush=True)
    for index, state in enumerate(record.replay(game)):
        if index:
            print(f"{index}. {game.write(record.actions[index - 1])}")
        print(game.draw(state) + "\n", flush=True)
        time.sleep(pause)
    result = {1: f"{one} wins", -1: f"{other} wins", 0: "a draw"}[(record.score > 0) - (record.score < 0)]
    print(result + ("" if record.end == RULES else f" ({record.end}: {record.why})") + "\n", flush=True)
