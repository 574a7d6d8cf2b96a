"""The Tournament of Progressive Policies: the saved networks of one training meet each other, and learn nothing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from ludus.errors import BadOption
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.config import BadRun, game_of
from ludus.learn.run import Run
from ludus.learn.zoo import folder_of, in_zoo, series
from ludus.play.rating import score_interval
from ludus.play.standing import Row, Standing, Tally
from ludus.play.tournament import Tournament

Choice = Literal["greedy", "sample", "epsilon"]


@dataclass(frozen=True)
class Topp:
    """The networks of a run, and the tournament that they play."""

    run: Run
    tournament: Tournament
    episodes: dict[str, int]  # by the agent's name

    @property
    def folder(self) -> Path:
        home = self.run.folder if not in_zoo(self.run.folder) else Path("runs") / f"zoo-{self.run.folder.name}"
        return home / self.tournament.usual_folder().name.replace("tournament", "topp").replace("match", "topp")

    def rows(self, standing: Standing) -> list[tuple[int, Row]]:
        """The networks by the episodes they have seen."""
        return sorted((self.episodes[row.agent], row) for row in standing.rows)


def topp(
    folder: Path,
    games: int,
    choice: Choice,
    seed: int,
    workers: int = 0,
    opening: int | None = None,
    alternate_starter: bool = False,
) -> Topp:
    """The tournament of a run. Greedy networks are deterministic, so they get different openings."""
    folder = folder_of(str(folder)[4:]) if str(folder).startswith("zoo:") else folder
    run = Run(folder)
    if not (folder / "config.toml").is_file():
        raise BadRun(f"there is no training in {folder}")
    game = game_of(folder)
    if len(run.checkpoints) < 2:
        advice = f"; the zoo has the stages of a training in {', '.join(series())}" if in_zoo(folder) else ""
        raise BadOption(f"a tournament needs two saved networks, but {folder.name} has {len(run.checkpoints)}{advice}")
    texts = tuple(f"{path}:choice={choice}" for path in run.checkpoints)
    episodes = {f"episode {(episode := load_checkpoint(path).episode)}": episode for path in run.checkpoints}
    plies = opening if opening is not None else 2 if choice == "greedy" else 0
    contest = Tournament(
        game, texts, games, opening=plies, paired=False, seed=seed, workers=workers, labels=tuple(episodes),
        alternate_starter=alternate_starter,
    )  # fmt: skip
    return Topp(run, contest, episodes)


def summary(topp: Topp, standing: Standing) -> dict[str, Any]:
    """The result for programs."""
    networks = [
        {
            "episode": episode,
            "score": round(row.all.score, 4),
            "elo": round(row.rating.elo, 1),
            "interval": [round(row.rating.low, 1), round(row.rating.high, 1)],
        }
        for episode, row in topp.rows(standing)
    ]
    pairs = [
        {"episode": topp.episodes[one], "against": topp.episodes[other], "games": tally.games, "wins": tally.wins,
         "draws": tally.draws, "losses": tally.losses}
        for (one, other), tally in standing.pairs.items()
        if topp.episodes[one] > topp.episodes[other]
    ]  # fmt: skip
    return {"networks": networks, "pairs": pairs, "different_games": standing.different_games,
            "games": standing.games, "verdict": verdict(topp, standing)}  # fmt: skip


def verdict(topp: Topp, standing: Standing) -> str:
    """Whether training helped, in sentences that say no more than the 95% intervals allow."""
    rows = topp.rows(standing)
    (first, low), *_, (last, high) = rows
    tally = standing.pairs[high.agent, low.agent]
    words = f"after {last} episodes the network scored {in_words(tally)} against the one after {first}"
    clear = {1: "Training helped", -1: "Training did harm", 0: "It is not clear that training helped"}
    return f"{clear[sign_of(tally)]}: {words}. {steps_in_words(topp, standing)}"


def steps_in_words(topp: Topp, standing: Standing) -> str:
    """What can be said about the way from the first network to the last."""
    agents = [row.agent for _, row in topp.rows(standing)]
    steps = [sign_of(standing.pairs[later, earlier]) for earlier, later in pairwise(agents)]
    words = f"Of the {len(steps)} steps from one saved network to the next, {steps.count(1)} "
    words += f"{'is a clear gain' if steps.count(1) == 1 else 'are clear gains'} and {steps.count(-1)} "
    words += f"{'a clear loss' if steps.count(-1) == 1 else 'clear losses'}"
    trained = agents[1:] if topp.rows(standing)[0][0] == 0 else agents
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
