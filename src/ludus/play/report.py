"""Results as files: a CSV table, and one HTML page with its charts inside that needs nothing else."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.play.charts import charts
from ludus.play.record import RULES, Record
from ludus.play.standing import Standing, plain_row
from ludus.play.tables import crosstable, standing_columns

if TYPE_CHECKING:
    from ludus.play.tournament import Outcome, Tournament

TEMPLATE = Path(__file__).with_name("report.html.j2")


def write_csv(standing: Standing) -> str:
    """The table as comma-separated values, a line for each agent."""
    rows = []
    for row in standing.rows:
        plain = plain_row(row)
        for name in ("interval", "elo_interval"):
            plain[name.replace("interval", "low")], plain[name.replace("interval", "high")] = plain.pop(name)
        for side in ("as_first", "as_second"):
            plain[side] = plain[side]["score"]
        plain["forfeits"] = sum(plain["forfeits"].values())
        rows.append(plain)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def html_report(tournament: Tournament, outcome: Outcome) -> str:
    """Standing, crosstable, charts, forfeits and last positions as one page."""
    from jinja2 import Environment

    standing = outcome.standing
    caption, cross = crosstable(standing)
    page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        TEMPLATE.read_text(encoding="utf-8")
    )
    return page.render(
        title=f"{tournament.game.name.replace('_', ' ').title()}: {counted(standing.games, 'game')}",
        facts=facts(tournament, standing),
        standing=standing_columns(standing),
        caption=caption,
        cross=cross,
        charts=charts(standing, outcome.records),
        forfeits=forfeits(outcome.records),
        games=list(last_positions(tournament, outcome.records)),
        zip=zip,
    )


def counted(number: int, word: str) -> str:
    """1 game, 2 games."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def facts(tournament: Tournament, standing: Standing) -> list[str]:
    """What was played, in sentences."""
    game = ", ".join(f"{key} {value}" for key, value in tournament.game.identity().items() if key != "name")
    return [
        f"Game: {tournament.game.name}" + (f" ({game})." if game else "."),
        f"Clock: {tournament.clock}." if tournament.clock else "No clock: agents think as long as their settings say.",
        openings(tournament),
        f"Seed {tournament.seed}.",
        f"{standing.different_games} of the {standing.games} games are different.",
    ]


def openings(tournament: Tournament) -> str:
    """How games began: after which openings, and whether both agents had both sides of each."""
    begun = f"Openings: {counted(tournament.opening, 'random ply').replace('plys', 'plies')}"
    if not tournament.opening:
        begun = "Games begin at the start"
    if tournament.paired:
        begun += ", each played twice, with sides exchanged."
    else:
        begun += ", each played once; every agent has the first move in about half of its games."
    return begun + (" The player who begins alternates." if tournament.alternate_starter else "")


def forfeits(records: Sequence[Record]) -> list[tuple[str, str, int, str]]:
    """The games that were lost otherwise than by the rules: agent, kind, how many, why."""
    lost = Counter((r.agents[r.fault], r.end, r.why) for r in records if r.end != RULES and r.fault is not None)
    return [(agent, kind, count, why) for (agent, kind, why), count in lost.most_common(100)]


def last_positions(tournament: Tournament, records: Sequence[Record], most: int = 6) -> Iterator[tuple[str, str]]:
    """How the first games ended: a sentence and a drawing each."""
    for record in records[:most]:
        *_, last = record.replay(tournament.game)
        one, other = record.agents
        result = {1: f"{one} won", -1: f"{other} won", 0: "a draw"}[(record.score > 0) - (record.score < 0)]
        how = "" if record.end == RULES else f" ({record.end})"
        yield f"{one} (X) against {other} (O): {result}{how}", tournament.game.draw(last, color=False)
