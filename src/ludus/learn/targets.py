"""What a finished search teaches the actor: D, a share for every action of the root."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.game import Action
from ludus.search.mcts import Child

Shares = dict[Action, float]  # not yet summing to one

SCALE, BASE = 0.1, 50  # how much a share of wins weighs beside a log prior (Gumbel; the same in the core)


def visits(children: Sequence[Child]) -> Shares:
    """The visits, as the textbooks have it."""
    return {child.action: child.visits for child in children}


def pruned_visits(children: Sequence[Child], forced: float, c: float) -> Shares:
    """The visits without those that were forced and did not pay (Wu 2019, section 3.2)."""
    total = sum(child.visits for child in children)
    best = max(children, key=lambda child: child.visits)

    def puct_score(child: Child, visits: float) -> float:
        return (child.value + 1) / 2 + c * child.prior * math.sqrt(total) / (1 + visits)

    top = puct_score(best, best.visits)
    shares: Shares = {}
    for child in children:
        left = float(child.visits)
        if child is not best and left > 0:
            least = left - math.sqrt(forced * child.prior * total)
            while left > max(least, 0) and puct_score(child, left - 1) < top:
                left -= 1
            left = 0.0 if left <= 1 else left
        shares[child.action] = left
    return shares


def improved_policy(children: Sequence[Child]) -> Shares:
    """The priors, raised or lowered by the values that the search found (Danihelka et al. 2022, section 4)."""
    logits = gumbel_scores(children)
    weights = np.exp(logits - logits.max())
    return {child.action: float(weight) for child, weight in zip(children, weights, strict=True)}


def gumbel_choice(children: Sequence[Child]) -> Action:
    """Of the most visited children the one with the highest score, noise included: a draw from the improved policy."""
    most = max(child.visits for child in children)
    leads = gumbel_scores(children) + np.array([child.noise for child in children])
    leads[[child.visits < most for child in children]] = -np.inf
    return children[int(leads.argmax())].action


def gumbel_scores(children: Sequence[Child]) -> NDArray[np.float64]:
    """Log prior + weighed share of wins; an unvisited child gets the mean of the visited ones."""
    seen = np.array([child.visits for child in children])
    priors = np.array([child.prior for child in children]) + 1e-9
    shares = np.array([(child.value + 1) / 2 for child in children])
    weights = priors * (seen > 0)
    mean = float((weights * shares).sum() / weights.sum()) if weights.sum() > 0 else 0.5
    logits: NDArray[np.float64] = np.log(priors) + SCALE * (BASE + seen.max()) * np.where(seen > 0, shares, mean)
    lost = np.array([child.proven == -1 for child in children])
    if not lost.all():
        logits[lost] = -50.0
    return logits
