"""How true a network becomes with a given effort: a law fitted to finished trainings, and what it expects.

For every way to train (a *course*: settings as a TOML file has them) the log odds of the truth meter at the end of a
training rise by `slope` with every e-fold of effort, from a height that the size of the board decides. Effort is the
number of multiply-adds that the machine could have done in self-play in the time of the training, so that a law of one
machine holds on another. Ranges are 95% prediction intervals of this least-squares fit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from ludus.errors import LudusError

LAW = Path(__file__).with_name("plan_law.json")  # written by experiments/plan.py
LEAST_FREEDOM = 3  # degrees of it, below which no range can be given
FAR = 4.0  # beyond so many times the efforts of all runs, a forecast is one of unknown land


class TooFewRuns(LudusError):
    """A law cannot be fitted."""


@dataclass(frozen=True)
class Finished:
    """The end of one training."""

    course: str  # the name of the way to train
    settings: dict[str, Any]  # as in a TOML file: {"recipe": "zero", "network": {"channels": 32}}
    game: str
    size: int  # of the board; 0 for a game that has none
    effort: float  # multiply-adds
    kept: float  # share of the truth meter's positions
    positions: int


@dataclass(frozen=True)
class Forecast:
    """What is to be expected of a training: the share of the truth meter's positions, with a 95% range."""

    expected: float
    low: float
    high: float
    far: bool = False  # is the effort far from that of every run behind the law?

    @property
    def text(self) -> str:
        return f"{self.expected:.0%} ({self.low:.0%} to {self.high:.0%})"


@dataclass(frozen=True)
class Line:
    """The law of one course of one game."""

    course: str
    settings: dict[str, Any]
    game: str
    sizes: tuple[int, ...]
    bases: tuple[float, ...]  # log odds of each size at the middle effort
    slope: float
    middle: float  # the mean logarithm of effort
    deviation: float  # of the residuals
    freedom: int  # degrees of freedom: runs less parameters
    inverse: tuple[tuple[float, ...], ...]  # of the normal equations' matrix: the uncertainty of bases and slope
    efforts: tuple[tuple[float, float], ...]  # the least and the greatest of the runs of each size

    def forecast(self, size: int, effort: float) -> Forecast:
        """What to expect on a board of one of the sizes."""
        place, reach = self.sizes.index(size), math.log(effort) - self.middle
        middle = self.bases[place] + self.slope * reach
        row = np.array([*(float(i == place) for i in range(len(self.sizes))), reach])
        spread = 1 + float(row @ np.array(self.inverse) @ row)
        half = student(self.freedom) * self.deviation * math.sqrt(spread)
        least, most = self.efforts[place]
        far = not least / FAR <= effort <= most * FAR
        return Forecast(share(middle), share(middle - half), share(middle + half), far)


def fit(runs: Iterable[Finished]) -> list[Line]:
    """The law behind finished trainings, a line for each course of each game."""

    def key(run: Finished) -> tuple[str, str]:
        return run.game, run.course

    return [fit_line(list(group)) for _, group in groupby(sorted(runs, key=key), key)]


def fit_line(runs: Sequence[Finished]) -> Line:
    """Least squares: a height for each size and one slope for all of them."""
    sizes = sorted({run.size for run in runs})
    freedom = len(runs) - len(sizes) - 1
    if freedom < LEAST_FREEDOM:
        raise TooFewRuns(
            f"{runs[0].game}, course {runs[0].course}: {len(runs)} runs on {len(sizes)} sizes are too few for a law; "
            f"it needs {len(sizes) + 1 + LEAST_FREEDOM}"
        )
    efforts = np.log([run.effort for run in runs])
    middle = float(efforts.mean())
    rows = np.array(
        [[*(float(run.size == size) for size in sizes), x - middle] for run, x in zip(runs, efforts, strict=True)]
    )
    seen = np.array([log_odds(run.kept, run.positions) for run in runs])
    inverse = np.linalg.pinv(rows.T @ rows)
    found = inverse @ rows.T @ seen
    deviation = math.sqrt(float(((seen - rows @ found) ** 2).sum()) / freedom)
    covered = [[run.effort for run in runs if run.size == size] for size in sizes]
    return Line(
        runs[0].course, runs[0].settings, runs[0].game, tuple(sizes), tuple(map(float, found[:-1])), float(found[-1]),
        middle, deviation, freedom, tuple(tuple(map(float, row)) for row in inverse),
        tuple((min(each), max(each)) for each in covered),
    )  # fmt: skip


def log_odds(kept: float, positions: int) -> float:
    """The log odds of a share; half a position is added on both sides, which keeps 0 and 1 finite."""
    right = kept * positions
    return math.log((right + 0.5) / (positions - right + 0.5))


def share(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def student(freedom: int) -> float:
    """The 97.5% quantile of Student's t (Abramowitz and Stegun 26.7.5), good to 1% from three degrees of freedom on."""
    z, n = NormalDist().inv_cdf(0.975), freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / n**power for power, term in enumerate(terms, 1)))


# ------------------------------------------------------------------------------------------- on disk


def write_law(lines: Sequence[Line], path: Path = LAW) -> None:
    path.write_text(json.dumps({"lines": [asdict(line) for line in lines]}, indent=1) + "\n", encoding="utf-8")


def read_law(path: Path = LAW) -> list[Line]:
    """The law that comes with Ludus."""
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return [Line(**{key: as_tuple(value) for key, value in line.items()}) for line in kept["lines"]]


def as_tuple(value: Any) -> Any:
    return tuple(map(as_tuple, value)) if isinstance(value, list) else value
