"""How strong, and how sure: scores with intervals, Elo by Bradley–Terry, and a test that stops a match early."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Z = NormalDist().inv_cdf(0.975)  # standard errors on either side of a 95% interval
ELO = 400 / math.log(10)  # Elo points of a factor e in the odds of winning


def score_interval(points: float, games: int) -> tuple[float, float]:
    """The 95% interval of a share of points (Wilson 1927). A draw is half a point, which makes it a little wide."""
    if games == 0:
        return 0.0, 1.0
    share, spread = points / games, Z * Z / games
    middle = share + spread / 2
    half = Z * math.sqrt(share * (1 - share) / games + spread / games / 4)
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return max(0.0, low), min(1.0, high)


@dataclass(frozen=True)
class Rating:
    """Elo, with its 95% interval. The mean of all agents is 0."""

    elo: float
    low: float
    high: float


def bradley_terry(points: ArrayLike, prior: float = 0.5) -> list[Rating]:
    """Ratings from a matrix of points, points[i, j] won by i against j, a draw half a point to each.

    A prior of one drawn game (`prior` points to each) in every pair that has met keeps ratings finite. Newton's method
    on the log-likelihood; the intervals come from its curvature (the inverse of the Fisher information), each agent
    against the mean of all.
    """
    import numpy as np

    points = np.asarray(points, dtype=float)
    met = (points + points.T) > 0
    won = points + prior * met
    games, count = won + won.T, len(points)
    strength = np.zeros(count)
    for _ in range(200):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (won - games * chance).sum(axis=1)
        curvature = information(games * chance * (1 - chance))
        step = np.linalg.pinv(curvature) @ gradient
        strength += np.clip(step, -1, 1)
        if np.abs(step).max(initial=0) < 1e-10:
            break
    strength -= strength.mean()
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    covariance = np.linalg.pinv(information(games * chance * (1 - chance)))
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    pairs = zip(strength.tolist(), errors.tolist(), strict=True)
    return [Rating(ELO * s, ELO * (s - Z * e), ELO * (s + Z * e)) for s, e in pairs]


def information(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Fisher information of strengths from the weights p(1-p)·n of the pairs: a graph's Laplacian."""
    import numpy as np

    weights = weights - np.diag(np.diag(weights))
    return np.asarray(np.diag(weights.sum(axis=1)) - weights)


@dataclass(frozen=True)
class Verdict:
    """What a sequential test says."""

    answer: Literal["first", "second", "equal"] | None  # who is better; equal: less than `elo` apart; None: go on
    pairs: int  # pairs of games it needed, or has seen
    elo: float = 35.0
    error: float = 0.05


def sequential_test(pair_scores: Iterable[float], elo: float = 35, error: float = 0.05) -> Verdict:
    """Is one agent better by `elo`, and which? Two of Wald's sequential probability ratio tests against "equal".

    Each number is the first agent's share of the points of one pair of games, 0 to 1. The likelihood is normal, with
    the variance of what was seen so far; one imagined win and one imagined loss keep it above zero.
    """
    margin = 1 / (1 + math.exp(-elo / ELO)) - 0.5
    better, equal = math.log((1 - error) / (error / 2)), math.log(error / (1 - error / 2))
    seen = [0.0, 1.0]
    for score in pair_scores:
        seen.append(score)
        mean, count = sum(seen) / len(seen), len(seen)
        variance = sum((s - mean) ** 2 for s in seen) / count
        lead = mean - 0.5
        first, second = (margin * (2 * side - margin) * count / (2 * variance) for side in (lead, -lead))
        for answer, ratio in (("first", first), ("second", second)):
            if ratio >= better:
                return Verdict(answer, count - 2, elo, error)  # type: ignore[arg-type]
        if first <= equal and second <= equal:
            return Verdict("equal", count - 2, elo, error)
    return Verdict(None, len(seen) - 2, elo, error)
