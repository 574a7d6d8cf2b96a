"""Results as files: a CSV table, and one HTML page with its plots inside that needs nothing else."""

from __future__ import annotations

import csv
import html
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ludus.play.record import RULES, Record
from ludus.play.standing import Standing, Tally, plain_row

if TYPE_CHECKING:
    from ludus.play.tournament import Outcome, Tournament

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
table { border-collapse: collapse; margin: 1rem 0; font-size: .9rem; } caption { text-align: left; font-weight: 600; }
th, td { white-space: nowrap; padding: .3rem .6rem; border-bottom: 1px solid #d8dde5; text-align: right; }
td:last-child { white-space: normal; text-align: left; }
th:first-child, td:first-child { white-space: normal; text-align: left; min-width: 12rem; overflow-wrap: anywhere; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
.plots svg { width: 33rem; height: auto; }
.games { display: flex; flex-wrap: wrap; gap: 2rem; } .games div { max-width: 20rem; } pre { line-height: 1.2; }
"""


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
    """The whole story as one page."""
    standing = outcome.standing
    game = ", ".join(f"{key} {value}" for key, value in tournament.settings()["game"].items() if key != "name")
    title = f"{tournament.settings()['game']['name'].replace('_', ' ').title()}: {standing.games} games"
    facts = [
        f"Game: {tournament.settings()['game']['name']} ({game})." if game else "",
        f"Clock: {tournament.clock}." if tournament.clock else "No clock: agents think as long as their settings say.",
        f"{tournament.openings_in_words()} Seed {tournament.seed}.",
        f"{standing.different_games} of the {standing.games} games are different.",
    ]
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        f"<p>{html.escape(' '.join(filter(None, facts)))}</p>",
        table("Standing", *without_empty(STANDING, [standing_cells(row) for row in standing.rows])),
        "<p>Elo by Bradley–Terry, the mean of all agents is 0; intervals are 95%.</p>",
        table("Points against", *crosstable(standing)),
        '<div class="plots">' + "".join(plots(standing, outcome.records)) + "</div>",
        forfeits(outcome.records),
        sample_games(tournament, outcome.records),
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


STANDING = ["agent", "Elo", "95%", "score", "W–D–L", "W − L", "as first", "as second", "mean move",
            "longest", "least left", "forfeits"]  # fmt: skip


def standing_cells(row: Any) -> list[str]:
    def number(value: float | None) -> str:
        return "" if value is None else f"{value:.2f} s" if value >= 0.1 else f"{1000 * value:.2f} ms"

    lost = ", ".join(f"{count} {kind}" for kind, count in row.forfeits.items())
    return [
        row.agent, f"{row.rating.elo:+.0f}", f"{row.rating.low:+.0f} to {row.rating.high:+.0f}", f"{row.all.score:.1%}",
        f"{row.all.wins}–{row.all.draws}–{row.all.losses}", f"{row.all.lead:+d}", share(row.first), share(row.second),
        number(row.mean_seconds), number(row.longest_seconds), number(row.least_left), lost,
    ]  # fmt: skip


def share(tally: Tally) -> str:
    return f"{tally.score:.1%}" if tally.games else "–"


def without_empty(head: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """A table without the columns in which nothing stands."""
    keep = [i for i in range(len(head)) if any(row[i] for row in rows)]
    return [head[i] for i in keep], [[row[i] for i in keep] for row in rows]


def crosstable(standing: Standing) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of points of each against each."""
    head = ["agent", *(str(number) for number, _ in enumerate(standing.rows, 1))]
    rows = []
    for number, row in enumerate(standing.rows, 1):
        tallies = [None if row is other else standing.pairs[row.agent, other.agent] for other in standing.rows]
        cells = ["" if t is None else f"{t.points:g}/{t.games}" if t.games else "–" for t in tallies]
        rows.append([f"{number} {row.agent}", *cells])
    return head, rows


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}{shade(cell)}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "\n".join(line(row, "td") for row in rows)
    return f"<table><caption>{html.escape(caption)}</caption>\n{line(head, 'th')}\n{body}</table>"


def shade(cell: str) -> str:
    """A colour for a cell such as 15/20: the more points, the bluer."""
    points, slash, games = cell.partition("/")
    if not slash or not games.isdigit() or not points.replace(".", "").isdigit():
        return ""
    return f' style="background: rgb(31 111 235 / {0.6 * float(points) / float(games):.2f})"'


def forfeits(records: Sequence[Record]) -> str:
    """Games that were thrown away, with their stories."""
    lost = Counter((r.agents[r.fault], r.end, r.why) for r in records if r.end != RULES and r.fault is not None)
    rows = [[agent, kind, str(count), why] for (agent, kind, why), count in lost.most_common(100)]
    return table("Forfeits", ["agent", "kind", "games", "why"], rows) if rows else ""


def sample_games(tournament: Tournament, records: Sequence[Record], most: int = 6) -> str:
    """How the first games ended."""
    parts = ["<h2>Last positions of the first games</h2>"] if records else []
    for record in records[:most]:
        *_, last = record.replay(tournament.game)
        one, other = (html.escape(agent) for agent in record.agents)
        result = {1: f"{one} won", -1: f"{other} won", 0: "a draw"}[(record.score > 0) - (record.score < 0)]
        drawing = html.escape(tournament.game.draw(last, color=False))
        how = "" if record.end == RULES else f" ({record.end})"
        parts.append(f"<div><p>{one} (X) against {other} (O): {result}{how}</p><pre>{drawing}</pre></div>")
    return "\n".join([*parts[:1], '<div class="games">', *parts[1:], "</div>"])


# -------------------------------------------------------------------------------------------- plots


def plots(standing: Standing, records: Sequence[Record]) -> list[str]:
    """The plots as SVG: ratings with their intervals, length of games, time of moves, time left."""
    from matplotlib.figure import Figure

    def new(height: float, title: str) -> tuple[Any, Any]:
        figure = Figure(figsize=(6.4, height), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(title, loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        return figure, axes

    rows = standing.rows[::-1]
    names = [row.agent if len(row.agent) <= 32 else row.agent[:31] + "…" for row in rows]
    figures = []
    figure, axes = new(1.2 + 0.4 * len(rows), "Elo, 95% intervals")
    middle = [row.rating.elo for row in rows]
    spread = [[row.rating.elo - row.rating.low for row in rows], [row.rating.high - row.rating.elo for row in rows]]
    axes.errorbar(middle, names, xerr=spread, fmt="o", color="#1f6feb", capsize=4)
    axes.grid(axis="x", alpha=0.3)
    figures.append(figure)

    figure, axes = new(3.2, "Length of games, in moves")
    axes.hist([len(record.actions) for record in records], bins=20, color="#1f6feb")
    figures.append(figure)

    figure, axes = new(1.2 + 0.4 * len(rows), "Seconds per move")
    times = [[t.seconds for r in records for t in r.turns if r.agents[t.player] == row.agent] or [0.0] for row in rows]
    axes.boxplot(times, orientation="horizontal", tick_labels=names, whis=(0, 100))
    figures.append(figure)

    if any(turn.left is not None for record in records for turn in record.turns):
        figure, axes = new(3.2, "Seconds left, by move")
        for row, name in zip(rows, names, strict=True):
            moves = [
                (index // 2, turn.left)
                for record in records
                for index, turn in enumerate(record.turns)
                if record.agents[turn.player] == row.agent and turn.left is not None
            ]
            axes.plot(*zip(*moves, strict=True), ".", markersize=2, label=name) if moves else None
        axes.legend(markerscale=4)
        figures.append(figure)
    return [svg(figure) for figure in figures]


def svg(figure: Any) -> str:
    """A figure as SVG text that can stand inside a page."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    drawing = text.getvalue()
    return drawing[drawing.index("<svg") :]
