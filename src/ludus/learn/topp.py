"""The Tournament of Progressive Policies: the saved networks of one training meet each other, and learn nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ludus.errors import BadOption
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.config import BadRun, game_of
from ludus.learn.run import Run
from ludus.learn.stages import Stages, stage_name
from ludus.learn.zoo import folder_of, in_zoo, series
from ludus.play.tournament import Tournament

Choice = Literal["greedy", "sample", "epsilon"]


@dataclass(frozen=True)
class Topp(Stages):
    """The networks of a run, and the tournament that they play."""

    run: Run
    tournament: Tournament

    @property
    def folder(self) -> Path:
        home = self.run.folder if not in_zoo(self.run.folder) else Path("runs") / f"zoo-{self.run.folder.name}"
        return home / self.tournament.usual_folder().name.replace("tournament", "topp").replace("match", "topp")


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
    episodes = {stage_name(episode := load_checkpoint(path).episode): episode for path in run.checkpoints}
    plies = opening if opening is not None else 2 if choice == "greedy" else 0
    contest = Tournament(
        game, texts, games, opening=plies, paired=False, seed=seed, workers=workers, labels=tuple(episodes),
        alternate_starter=alternate_starter,
    )  # fmt: skip
    return Topp(episodes, run, contest)
