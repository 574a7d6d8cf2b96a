"""The stages of one training and what a tournament among them says, in sentences and numbers. No network is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ludus.play.rating import score_interval
from ludus.play.standing import Row, Standing, Tally


@dataclass(frozen=True)
class Stages:
    """The saved networks of a training, by the names under which they play."""

    episodes: dict[str, int]  # that each has seen

    def rows(self, standing: Standing) -> list[tuple[int, Row]]:
        """The networks by the episodes they have seen."""
        return sorted((self.episodes[row.agent], row) for row in standing.rows)


def stage_name(episode: int) -> str:
    """The name under which a saved network plays."""
    return f"episode {episode}"


def summary(stages: Stages, standing: Standing) -> dict[str, Any]:
    """The result for programs."""
    networks = [
        {
            "episode": episode,
            "score": round(row.all.score, 4),
            "elo": round(row.rating.elo, 1),
            "interval": [round(row.rating.low, 1), round(row.rating.high, 1)],
        }
        for episode, row in stages.rows(standing)
    ]
    pairs = [
        {"episode": stages.episodes[one], "against": stages.episodes[other], "games": tally.games, "wins": tally.wins,
         "draws": tally.draws, "losses": tally.losses}
        for (one, other), tally in standing.pairs.items()
        if stages.episodes[one] > stages.episodes[other]
    ]  # fmt: skip
    return {"networks": networks, "pairs": pairs, "different_games": standing.different_games,
            "games": standing.games, "verdict": verdict(stages, standing)}  # fmt: skip


def verdict(stages: Stages, standing: Standing) -> str:
    """Whether training helped, in sentences that say no more than the 95% intervals allow."""
    rows = stages.rows(standing)
    (first, low), *_, (last, high) = rows
    tally = standing.pairs[high.agent, low.agent]
    words = f"after {last} episodes the network scored {in_words(tally)} against the one after {first}"
    clear = {1: "Training helped", -1: "Training did harm", 0: "It is not clear that training helped"}
    return f"{clear[sign_of(tally)]}: {words}. {steps_in_words(stages, standing)}"


def steps_in_words(stages: Stages, standing: Standing) -> str:
    """What can be said about the way from the first network to the last."""
    agents = [row.agent for _, row in stages.rows(standing)]
    steps = [sign_of(standing.pairs[later, earlier]) for earlier, later in pairwise(agents)]
    words = f"Of the {len(steps)} steps from one saved network to the next, {steps.count(1)} "
    words += f"{'is a clear gain' if steps.count(1) == 1 else 'are clear gains'} and {steps.count(-1)} "
    words += f"{'a clear loss' if steps.count(-1) == 1 else 'clear losses'}"
    trained = agents[1:] if stages.rows(standing)[0][0] == 0 else agents
    later = sum((standing.pairs[b, a] for i, a in enumerate(trained) for b in trained[i + 1 :]), Tally())
    if len(trained) < 3 or later.games == 0:
        return words + "."
    trend = {1: "strength rises with training", -1: "strength falls with training", 0: "no trend is clear"}
    return f"{words}; among the trained networks {trend[sign_of(later)]}: the later of two scored {in_words(later)}."


def sign_of(tally: Tally) -> int:
    """+1 if the 95% interval of the score lies above one half, -1 if below, else 0."""
    low, high = score_interval(tally.points, tally.games)
    return (low > 0.5) - (high < 0.5)


def in_words(tally: Tally) -> str:
    low, high = score_interval(tally.points, tally.games)
    return f"{tally.points:g} of {tally.games} (95% interval {low:.0%} to {high:.0%})"
