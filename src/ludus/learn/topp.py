"""The Tournament of Progressive Policies: the saved networks of one training meet each other. Nobody learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ludus.errors import BadOption
from ludus.game import Game
from ludus.games import make
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.run import BadRun, Run, read_toml
from ludus.learn.zoo import folder_of, in_zoo
from ludus.play.rating import score_interval
from ludus.play.standing import Row, Standing
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


def topp(folder: Path, games: int, choice: Choice, seed: int, workers: int = 0, opening: int | None = None) -> Topp:
    """The tournament of a run. Greedy networks have no dice, so they get different openings."""
    folder = folder_of(str(folder)[4:]) if str(folder).startswith("zoo:") else folder
    run = Run(folder)
    if not (folder / "config.toml").is_file():
        raise BadRun(f"there is no training in {folder}")
    game = game_of(folder)
    if len(run.checkpoints) < 2:
        raise BadOption(f"a tournament needs two saved networks, but {folder} has {len(run.checkpoints)}")
    texts = tuple(f"{path}:choice={choice}" for path in run.checkpoints)
    episodes = {f"episode {(episode := load_checkpoint(path).episode)}": episode for path in run.checkpoints}
    plies = opening if opening is not None else 2 if choice == "greedy" else 0
    contest = Tournament(
        game, texts, games, opening=plies, paired=False, seed=seed, workers=workers, labels=tuple(episodes)
    )
    return Topp(run, contest, episodes)


def game_of(folder: Path) -> Game:
    """The game that a run is about."""
    options = dict(read_toml(folder / "config.toml").get("game", {}))
    return make(options.pop("name", ""), **options)


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
    """Whether training helped, in a sentence."""
    (first, low), *_, (last, high) = topp.rows(standing)
    tally = standing.pairs[high.agent, low.agent]
    least, most = score_interval(tally.points, tally.games)
    words = f"after {last} episodes the network scored {tally.points:g} of {tally.games} against the one after {first}"
    elo = [row.rating.elo for _, row in topp.rows(standing)]
    rises = rank_correlation(elo)
    trend = f"strength {'rises' if rises > 0.5 else 'falls' if rises < -0.5 else 'wanders'} with training"
    if least > 0.5:
        return f"Training helped: {words}, and {trend} (rank correlation {rises:+.2f})."
    if most < 0.5:
        return f"Training did harm: {words}, and {trend} (rank correlation {rises:+.2f})."
    return f"It is not clear that training helped: {words}, and {trend} (rank correlation {rises:+.2f})."


def rank_correlation(numbers: Sequence[float]) -> float:
    """How well numbers follow their order: +1 if they always rise, -1 if they always fall (Spearman)."""
    n = len(numbers)
    ranks = [sorted(numbers).index(x) for x in numbers]
    return 1 - 6 * sum((rank - i) ** 2 for i, rank in enumerate(ranks)) / (n * (n * n - 1))
