"""The numbers behind the report's charts: axes with round marks, intervals, quartiles, bars and lines.

The report's template draws them as SVG. That takes a few milliseconds; importing a plotting library would cost every
match half a second.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ludus.play.record import Record
from ludus.play.standing import Standing
from ludus.play.tables import short_names


@dataclass(frozen=True)
class Axis:
    """Numbers from `low` to `high`, laid along pixels from `begin` to `end`."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a number."""
        return round(self.begin + (value - self.low) / (self.high - self.low or 1) * (self.end - self.begin), 1)

    @cached_property
    def marks(self) -> list[float]:
        """About five round numbers: multiples of 1, 2 or 5 times a power of ten."""
        rough = (self.high - self.low or 1) / 5
        power = 10 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


@dataclass(frozen=True)
class Spread:
    """A row of a chart: an interval, perhaps with a box inside, and its middle."""

    name: str
    low: float
    middle: float
    high: float
    box: tuple[float, float] | None = None


@dataclass(frozen=True)
class Chart:
    """One chart. It has spreads (a row each), bars (from, to, height) or lines (name, points)."""

    title: str
    x: Axis
    y: Axis
    width: int
    height: int
    spreads: list[Spread] = field(default_factory=list)
    bars: list[tuple[float, float, int]] = field(default_factory=list)
    lines: list[tuple[str, list[tuple[float, float]]]] = field(default_factory=list)


WIDTH, TOP, BOTTOM, ROW, TALL = 560, 34, 28, 30, 240  # pixels


def charts(standing: Standing, records: Sequence[Record]) -> list[Chart]:
    """Ratings with their intervals, the length of games, the time of moves and, with a clock, the time left."""
    agents = [row.agent for row in standing.rows]
    names = dict(zip(agents, short_names(agents, 32), strict=True))
    found = [
        spread_chart(
            "Elo, with 95% intervals",
            [Spread(names[row.agent], row.rating.low, row.rating.elo, row.rating.high) for row in standing.rows],
        ),
        length_chart([len(record.actions) for record in records]),
        spread_chart("Seconds per move: shortest, middle half, longest", times(records, names), low=0.0),
    ]
    if any(turn.left is not None for record in records for turn in record.turns):
        found.append(left_chart(records, names))
    return found


def spread_chart(title: str, rows: list[Spread], low: float | None = None) -> Chart:
    """A row for each agent."""
    ends = [end for row in rows for end in (row.low, row.high)] or [0.0]
    left = 12 + 7 * max((len(row.name) for row in rows), default=0)
    height = TOP + ROW * len(rows) + BOTTOM
    x = Axis(min(ends) if low is None else low, max(ends), left, WIDTH - 20)
    return Chart(title, x, Axis(0, len(rows), TOP, height - BOTTOM), WIDTH, height, spreads=rows)


def length_chart(lengths: list[int]) -> Chart:
    """How many games had how many moves, in at most 20 bars of equal width."""
    low, high = min(lengths, default=0), max(lengths, default=0)
    width = (high - low) // 20 + 1
    counts = Counter((length - low) // width for length in lengths)
    bars = [(low + k * width - 0.5, low + (k + 1) * width - 0.5, count) for k, count in sorted(counts.items())]
    x = Axis(low - 0.5, max((end for _, end, _ in bars), default=0.5), 40, WIDTH - 20)
    return Chart("Length of games, in moves", x, count_axis(max(counts.values(), default=1)), WIDTH, TALL, bars=bars)


def count_axis(high: float) -> Axis:
    return Axis(0, high, TALL - BOTTOM, TOP)


def times(records: Sequence[Record], names: dict[str, str]) -> list[Spread]:
    """The time of moves of each agent: the shortest, the quartiles and the longest."""
    rows = []
    for agent, name in names.items():
        used = [turn.seconds for record in records for turn in record.turns if record.agents[turn.player] == agent]
        if used:
            quarter, middle, three = statistics.quantiles(used, method="inclusive") if len(used) > 1 else used * 3
            rows.append(Spread(name, min(used), middle, max(used), (quarter, three)))
    return rows


def left_chart(records: Sequence[Record], names: dict[str, str]) -> Chart:
    """The mean time left on each agent's clock after its first, second, … move."""
    left: dict[str, dict[int, list[float]]] = {agent: defaultdict(list) for agent in names}
    for record in records:
        own: Counter[int] = Counter()
        for turn in record.turns:
            own[turn.player] += 1
            if turn.left is not None:
                left[record.agents[turn.player]][own[turn.player]].append(turn.left)
    lines = [
        (names[agent], [(float(move), statistics.fmean(seen)) for move, seen in sorted(moves.items())])
        for agent, moves in left.items()
        if moves
    ]
    last = max((x for _, points in lines for x, _ in points), default=1)
    most = max((y for _, points in lines for _, y in points), default=1)
    return Chart(
        "Mean seconds left, by move", Axis(0, last, 40, WIDTH - 20), count_axis(max(most, 1e-9)), WIDTH, TALL,
        lines=lines,
    )  # fmt: skip
