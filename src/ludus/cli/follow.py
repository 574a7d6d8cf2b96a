"""What one sees of a training: a table that changes, lines where there is no terminal, words at the end."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from ludus.errors import BadOption
from ludus.game import Game

if TYPE_CHECKING:
    from rich.table import Table

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Watch:
    """What to see and where to keep it."""

    run: Path | None = None  # the folder of the training; one in runs/ if not said
    show_every: int = 0  # draw every n-th actual game; 0: none
    show_at: tuple[int, ...] = ()  # draw the actual games of these episodes
    pause: float = 0.0  # seconds between the moves that are shown
    every: float = 5.0  # seconds between lines of metrics
    truth: int = 300  # positions of the truth meter; 0: none
    back: Flag = False  # with --resume: go on from the best network so far
    tensorboard: Flag = False  # write what TensorBoard reads as well
    json: Flag = False  # print the last metrics as JSON

    def __post_init__(self) -> None:
        for name in ("show_every", "pause", "every", "truth"):
            if getattr(self, name) < 0:
                raise BadOption(f"{name} must be 0 or more, not {getattr(self, name)}")


def follow(trainer: Any, game: Game, watch: Watch) -> None:
    """Trains, shows how it goes, and says at the end what came out."""
    from ludus.learn.watch import Watcher

    watcher = Watcher(trainer, meter_of(trainer, game, watch), watch.tensorboard)
    if trainer.episode == 0:
        watcher.look()  # the untrained network
    with Screen(trainer, watcher, watch) as screen:
        try:
            trainer.train(screen.see)
        except KeyboardInterrupt:
            trainer.run.close()
            print(f"\nstopped after {trainer.episode} episodes; ", end="", file=sys.stderr)
            print(f"`ludus train --resume {trainer.run.folder}` goes on", file=sys.stderr)
            raise SystemExit(130) from None
    finish(trainer, watcher, watch)


class Screen:
    """Sees every finished game and shows from time to time how the training goes."""

    def __init__(self, trainer: Any, watcher: Any, watch: Watch) -> None:
        from rich.console import Console
        from rich.live import Live

        self.trainer, self.watcher, self.watch = trainer, watcher, watch
        self.console = Console(stderr=True)
        self.live = Live(console=self.console, refresh_per_second=4, transient=True)
        self.last_look = time.monotonic()
        self.told: set[str] = set()
        self.said: str | None = None  # about the last saved network

    def __enter__(self) -> Screen:
        self.live.__enter__()
        return self

    def __exit__(self, *why: Any) -> None:
        self.live.__exit__(*why)

    def see(self, played: Any, losses: Any) -> None:
        """A game is finished."""
        self.watcher.see(played, losses)
        trainer, watch = self.trainer, self.watch
        if (watch.show_every and trainer.episode % watch.show_every == 0) or trainer.episode in watch.show_at:
            show(trainer.game, trainer.episode, played, watch.pause)
        saved = trainer.episode in trainer.settings.saved_at()
        if saved or time.monotonic() - self.last_look >= watch.every:
            self.last_look = time.monotonic()
            self.look(saved)

    def look(self, saved: bool) -> None:
        """Measures, and tells what there is to tell."""
        from ludus.learn.watch import GAMES, chance_better, score_against

        trainer, against = self.trainer, None
        if saved and len(trainer.run.checkpoints) > 1:
            against = score_against(trainer.game, trainer.evaluator, trainer.run.checkpoints[-2])
        row = self.watcher.look(against)
        better = chance_better(against, GAMES) if against is not None else None
        if self.console.is_terminal:
            self.said = said_of(row, better) or self.said
            self.live.update(table_of(row, trainer, self.watcher.forecast(), self.said, self.watcher.meter))
        if better is not None or not self.console.is_terminal:
            self.console.print(line_of(row, better), markup=False, highlight=False, soft_wrap=True)
        for warning in self.watcher.warnings():
            if warning not in self.told:
                self.told.add(warning)
                self.console.print(f"careful: {warning}", markup=False, soft_wrap=True)


def meter_of(trainer: Any, game: Game, watch: Watch) -> Any:
    from ludus.learn.truth import load_meter, make_meter

    if watch.truth == 0:
        return None
    path = trainer.run.folder / "truth.json"
    if path.exists():
        return load_meter(path, game)
    meter = make_meter(game, watch.truth)
    if meter is not None:
        meter.save(path)
    return meter


def line_of(row: dict[str, Any], better: float | None) -> str:
    """A line of metrics in words."""
    words = [f"episode {row['episode']}", f"{row['seconds']:.0f} s", f"{row['positions_per_second']:.0f} positions/s"]
    if "actor_loss" in row:
        words.append(f"losses {row['actor_loss']:.3f} {row['critic_loss']:.3f}")
    if "truth" in row:
        words.append(f"keeps {row['truth']:.1%} of the true results")
    if said := said_of(row, better):
        words.append(said)
    return ", ".join(words)


def said_of(row: dict[str, Any], better: float | None) -> str | None:
    if better is None:
        return None
    return (
        f"scores {row['against_last']:.0%} against the network saved before "
        f"(it is better with a probability of {better:.0%})"
    )


def table_of(row: dict[str, Any], trainer: Any, forecast: str | None, said: str | None, meter: Any) -> Table:
    """What stands on the screen while it trains."""
    from rich.table import Table

    table = Table(show_header=False, box=None)
    table.add_row("episode", f"{row['episode']} of {trainer.settings.episodes}, {row['seconds_left']:.0f} s left")
    table.add_row("speed", f"{row['games_per_second']:.1f} games, {row['positions_per_second']:.0f} positions, "
                           f"{row['evaluations_per_second']:,.0f} evaluations a second")  # fmt: skip
    if "actor_loss" in row:
        table.add_row(
            "losses", f"actor {row['actor_loss']:.3f}, critic {row['critic_loss']:.3f}, entropy {row['entropy']:.3f}"
        )
    if "truth" in row:
        phases = ", ".join(f"{n} {row[f'truth_{n}']:.0%}" for n in ("opening", "middle", "end") if f"truth_{n}" in row)
        known = f", openings known {row['truth_openings']:.0%}" if "truth_openings" in row else ""
        table.add_row("truth", f"keeps {row['truth']:.1%} ({phases}){known}")
    if said:
        table.add_row("learning", said)
    if forecast:
        table.add_row("forecast", forecast)
    if "believed" in row:
        table.add_row("openings", openings_map(trainer.game, row["believed"], meter.openings))
    return table


def openings_map(game: Game, believed: dict[str, float], true: dict[int, int]) -> str:
    """The first moves that it believes in beside those that win: + wins, - loses, = draws."""

    def sign(value: float) -> str:
        return "+" if value > 0.05 else "-" if value < -0.05 else "="

    _, rows, columns = game.planes_shape
    rows = rows if game.num_actions - rows * columns in (0, 1) else 1
    columns = columns if rows > 1 else game.num_actions
    lines = [" " * 4 + "believed".ljust(2 * columns + rows + 4) + "true"]
    for row in range(rows):
        cells = range(row * columns, (row + 1) * columns)
        lean = " " * (row if game.name == "hex" else 0)
        mine, theirs = (
            lean + " ".join(sign(values(a)) if a in true else " " for a in cells)
            for values in (lambda a: believed[game.write(a)], lambda a: true[a])
        )
        lines.append(" " * 4 + mine.ljust(2 * columns + rows + 4) + theirs)
    return "\n".join(["", *lines])


def show(game: Game, episode: int, played: Any, pause: float) -> None:
    """Draws an actual game, move by move."""
    from ludus.cli.watch import show_game_of

    show_game_of(game, f"episode {episode}", played.opening, played.actions, pause)


def finish(trainer: Any, watcher: Any, watch: Watch) -> None:
    """Writes the plots and says what came out."""
    from ludus.show.plots import openings_plot, training_plot

    folder = trainer.run.folder
    row = watcher.rows[-1] if watcher.rows else watcher.look()
    (folder / "training.png").write_bytes(training_plot(watcher.rows, str(folder)))
    if "believed" in row:
        believed, true = watcher.meter.believed(trainer.evaluator), watcher.meter.openings
        (folder / "openings.png").write_bytes(openings_plot(trainer.game, believed, true))
    trainer.run.close()
    if watch.json:
        print(
            json.dumps(row | {"run": str(folder), "checkpoints": [str(p) for p in trainer.run.checkpoints]}, indent=1)
        )
        return
    print(line_of(row, None))
    if "believed" in row:
        print(f"first moves:{openings_map(trainer.game, row['believed'], watcher.meter.openings)}")
    print(watcher.verdict())
    print(f"the run: {folder}, its curves: {folder}/training.png")
    print(f"next: ludus topp {folder} --games 25")
