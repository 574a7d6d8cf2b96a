"""The standing and the crosstable as rows of text, for the terminal and for the report."""

from __future__ import annotations

import re
from typing import NamedTuple

from ludus.play.standing import Standing, Tally


def standing_columns(standing: Standing) -> dict[str, list[str]]:
    """The columns of the standing, the strongest agent first; columns in which nothing stands are left out."""
    rows = standing.rows
    columns = {
        "agent": [row.agent for row in rows],
        "Elo": [f"{row.rating.elo:+.0f}" for row in rows],
        "95%": [f"{row.rating.low:+.0f} to {row.rating.high:+.0f}" for row in rows],
        "score": [f"{row.all.score:.1%}" for row in rows],
        "W-D-L": [f"{row.all.wins}-{row.all.draws}-{row.all.losses}" for row in rows],
        "W-L": [f"{row.all.lead:+d}" for row in rows],
        "as first": [share(row.first) for row in rows],
        "as second": [share(row.second) for row in rows],
        "s/move": [seconds(row.mean_seconds) for row in rows],
        "longest": [seconds(row.longest_seconds) for row in rows],
        "least left": [seconds(row.least_left) for row in rows],
        "forfeits": [", ".join(f"{count} {kind}" for kind, count in row.forfeits.items()) for row in rows],
    }
    return {name: cells for name, cells in columns.items() if any(cells)}


def share(tally: Tally) -> str:
    """The share of the points, or a dash where no game was played."""
    return f"{tally.score:.0%}" if tally.games else "–"


def seconds(number: float | None) -> str:
    """A time in seconds; nothing if there is none."""
    if number is None:
        return ""
    return f"{number:.2f}" if number >= 0.1 else f"{number:.4f}"


class Cell(NamedTuple):
    """A cell of the crosstable: its text, and the share of the points where games were played."""

    text: str
    share: float | None


def crosstable(standing: Standing) -> tuple[str, list[list[Cell]]]:
    """A caption, and a row for each agent with its points against each of the others.

    Where all pairs have played equally often, the caption says how often, and the cells hold points only.
    """
    played = {tally.games for tally in standing.pairs.values() if tally.games}
    same = played.pop() if len(played) == 1 else None

    def cell(one: str, other: str) -> Cell:
        tally = standing.pairs.get((one, other))
        if tally is None:
            return Cell("", None)
        if not tally.games:
            return Cell("–", None)
        return Cell(f"{tally.points:g}" + ("" if same else f"/{tally.games}"), tally.score)

    agents = [row.agent for row in standing.rows]
    return f"points against, of {same} games" if same else "points against", [
        [cell(a, b) for b in agents] for a in agents
    ]


def short_name(agent: str, most: int = 40) -> str:
    """The name of an agent for a table: files without their folders, and the middle left out if it is still too long.

    runs/hex5/checkpoints/000200.safetensors:choice=sample becomes hex5/200:choice=sample.
    """
    name = re.sub(r"(?:[^\s\"':]*/)?([^\s\"':/]+)/checkpoints/0*(\d+)\.safetensors", r"\1/\2", agent)
    name = re.sub(r"[^\s\"':,=]*/([^\s\"':/]+\.(?:py|safetensors))\b", r"\1", name)
    if len(name) <= most:
        return name
    end = max(1, (most - 1) // 3)
    return name[: most - 1 - end] + "…" + name[-end:]


def short_names(agents: list[str], most: int = 40) -> list[str]:
    """Short names, or the full ones of those agents whose short names would be the same."""
    names = [short_name(agent, most) for agent in agents]
    return [agent if names.count(name) > 1 else name for agent, name in zip(agents, names, strict=True)]
