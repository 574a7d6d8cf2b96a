"""Numbers about a running server, in the text format of Prometheus (version 0.0.4).

Use them from one thread: an event loop. Labels come from small fixed sets, never from what a client has sent, so the
number of series is bounded.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)  # bounds of a histogram of times
Labels = tuple[str, ...]  # the values, in the order of the names
Sample = tuple[str, Sequence[tuple[str, str]], float]  # what follows the name, labels with their values, the number
Reading = Callable[[], float | Mapping[Labels, float]]


class Counter:
    """A number that only grows, for every value of its labels."""

    kind = "counter"

    def __init__(self, *labels: str) -> None:
        self.labels = labels
        self.values: dict[Labels, float] = {} if labels else {(): 0.0}

    def add(self, *values: str, amount: float = 1) -> None:
        assert len(values) == len(self.labels) and amount >= 0
        self.values[values] = self.values.get(values, 0.0) + amount

    def samples(self) -> Iterator[Sample]:
        for values, number in self.values.items():
            yield "", list(zip(self.labels, values, strict=True)), number


class Gauge:
    """A number that is looked up when somebody asks."""

    def __init__(self, labels: Labels, read: Reading, kind: str = "gauge") -> None:
        self.labels, self.read, self.kind = labels, read, kind

    def samples(self) -> Iterator[Sample]:
        read = self.read()
        for values, number in (read if isinstance(read, Mapping) else {(): read}).items():
            yield "", list(zip(self.labels, values, strict=True)), number


class Histogram:
    """How often a number was at most each of some bounds."""

    kind = "histogram"

    def __init__(self, *labels: str, bounds: Sequence[float] = SECONDS) -> None:
        self.labels, self.bounds = labels, sorted(bounds)
        self.values: dict[Labels, tuple[list[int], float]] = {}
        if not labels:
            self.values[()] = ([0] * (len(self.bounds) + 1), 0.0)

    def note(self, number: float, *values: str) -> None:
        assert len(values) == len(self.labels)
        counts, total = self.values.get(values, ([0] * (len(self.bounds) + 1), 0.0))
        counts[bisect_left(self.bounds, number)] += 1
        self.values[values] = (counts, total + number)

    def samples(self) -> Iterator[Sample]:
        for values, (counts, total) in self.values.items():
            own, so_far = list(zip(self.labels, values, strict=True)), 0
            for bound, count in zip((*self.bounds, math.inf), counts, strict=True):
                so_far += count
                yield "_bucket", [*own, ("le", written(bound))], so_far
            yield "_sum", own, total
            yield "_count", own, so_far


Family = Counter | Gauge | Histogram


class Metrics:
    """All numbers of a server."""

    def __init__(self) -> None:
        self.families: dict[str, tuple[str, Family]] = {}

    def gauge(self, name: str, what: str, read: Reading, *labels: str, kind: str = "gauge") -> None:
        self.families[name] = (what, Gauge(labels, read, kind))

    def add(self, name: str, what: str, family: Family) -> None:
        """Numbers that a part of the server keeps."""
        self.families[name] = (what, family)

    def text(self) -> str:
        """Everything, as Prometheus reads it."""
        lines = []
        for name, (what, family) in self.families.items():
            lines.append(f"# HELP {name} {escaped(what)}")
            lines.append(f"# TYPE {name} {family.kind}")
            for ending, labels, number in family.samples():
                inside = ",".join(f'{label}="{escaped(value, quotes=True)}"' for label, value in labels)
                lines.append(
                    f"{name}{ending}{{{inside}}} {written(number)}" if inside else f"{name}{ending} {written(number)}"
                )
        return "\n".join(lines) + "\n"


def escaped(text: str, quotes: bool = False) -> str:
    """A text in which the format's own signs are escaped."""
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quotes else text


def written(number: float) -> str:
    """A number as the format has it."""
    if math.isinf(number):
        return "+Inf" if number > 0 else "-Inf"
    return "NaN" if math.isnan(number) else str(int(number)) if number == int(number) else repr(float(number))
