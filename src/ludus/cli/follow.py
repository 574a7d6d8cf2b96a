"""What one sees of a training: a table that changes, lines where there is no terminal, a summary at the end."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from ludus.errors import BadOption, Interrupted
from ludus.game import Game, begun_by
from ludus.monitor.logs import about, asked, logger, say, takes_stderr
from ludus.show.openings import openings_map
from ludus.system import trouble_of

if TYPE_CHECKING:  # these import PyTorch or take long to import
    from rich.table import Table

    from ludus.learn.learner import Losses
    from ludus.learn.self_play import Played
    from ludus.learn.settings import TrainSettings
    from ludus.learn.trainer import Trainer
    from ludus.learn.truth import Meter
    from ludus.learn.watch import Score, Watcher

Row = dict[str, Any]  # a line of metrics
LOG = logger("train")
FEW = 10  # episodes: a shorter training has no curves to plot
Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Watch:
    """What to see and where to keep it."""

    run: Path | None = None  # the folder of the training; one in runs/ if not given
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
            if not 0 <= getattr(self, name) <= 1e9:
                raise BadOption(f"{name} must be 0 or more and at most 1e9, not {getattr(self, name)}")


def follow(trainer: Trainer, game: Game, watch: Watch) -> None:
    """Trains, shows how it goes, and says at the end what came out."""
    from ludus.learn.watch import Watcher

    facts = {"run": trainer.run.folder, "game": game, "episode": trainer.episode}
    LOG.info("the training goes on" if trainer.episode else "the training begins", extra=about(**facts))
    watcher = Watcher(trainer, meter_of(trainer, game, watch), watch.tensorboard)
    if trainer.episode == 0:
        watcher.look()  # the untrained network
    with Screen(trainer, watcher, watch) as screen:
        try:
            trainer.train(screen.see)
        except KeyboardInterrupt:
            goes_on = f"`ludus train --resume {trainer.run.folder}` goes on"
            say(LOG, f"\nstopped after {trainer.episode} episodes; {goes_on}", episode=trainer.episode)
            raise SystemExit(130) from None
        except OSError as error:
            goes_on = f"`ludus train --resume {trainer.run.folder}` goes on"
            raise Interrupted(f"{trouble_of(error)}, and {goes_on}: what is finished is kept") from None
        finally:
            trainer.run.close()
    finish(trainer, watcher, watch)


class Screen:
    """Sees every finished game and shows from time to time how the training goes."""

    def __init__(self, trainer: Trainer, watcher: Watcher, watch: Watch) -> None:
        from rich.console import Console
        from rich.live import Live

        self.trainer, self.watcher, self.watch = trainer, watcher, watch
        self.console = Console(stderr=True, quiet=takes_stderr())
        self.live = Live(console=self.console, refresh_per_second=4, transient=True)
        self.last_look = time.monotonic()
        self.warned: set[str] = set()
        self.said: str | None = None  # about the last saved network

    def __enter__(self) -> Screen:
        self.live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.live.__exit__(kind, error, trace)

    def see(self, played: Played | None, losses: list[Losses]) -> None:
        """An episode is finished."""
        self.watcher.see(played, losses)
        trainer, watch = self.trainer, self.watch
        due = (watch.show_every and trainer.episode % watch.show_every == 0) or trainer.episode in watch.show_at
        if due and played is not None:
            show(trainer.game, trainer.episode, played, watch.pause)
        if trainer.just_saved or time.monotonic() - self.last_look >= watch.every:
            self.last_look = time.monotonic()
            self.look(trainer.just_saved)

    def look(self, saved: bool) -> None:
        """Measures the network, and shows or prints the result."""
        from ludus.learn.watch import score_against

        trainer, against = self.trainer, None
        if saved and len(trainer.run.checkpoints) > 1:
            against = score_against(trainer.game, trainer.evaluator, trainer.saved(trainer.run.checkpoints[-2]))
        row = self.watcher.look(against)
        if self.console.is_terminal:
            self.said = said_of(against) or self.said
            self.live.update(table_of(row, trainer, self.watcher.forecast(), self.said, self.watcher.meter))
        LOG.info("measured", extra=about(**{name: row[name] for name in row if name != "believed"}))
        if saved:
            LOG.info("a network is saved", extra=about(path=trainer.run.checkpoints[-1]))
        if against is not None or not self.console.is_terminal:
            self.console.print(line_of(row, against), markup=False, highlight=False, soft_wrap=True)
        for warning in self.watcher.warnings():
            if warning not in self.warned:
                self.warned.add(warning)
                if asked():
                    LOG.warning(warning)
                self.console.print(f"warning: {warning}", markup=False, soft_wrap=True)


def meter_of(trainer: Trainer, game: Game, watch: Watch) -> Meter | None:
    """The truth meter of a run; a new one takes no longer than a short training can afford."""
    from ludus.learn.truth import load_meter, make_meter

    if watch.truth == 0:
        return None
    path = trainer.run.folder / "truth.json"
    meter = load_meter(path, game)
    if meter is None:
        meter = make_meter(game, watch.truth, seconds=min(10.0, 0.5 + 0.05 * length_of(trainer.settings)))
        if meter is not None:
            meter.save(path)
    return meter


def length_of(settings: TrainSettings) -> float:
    """About how many seconds a training lasts at most, where a game takes one."""
    limits = (settings.last_episode, None if settings.minutes is None else 60 * settings.minutes)
    return min(limit for limit in limits if limit is not None)


def line_of(row: Row, against: Score | None) -> str:
    """A line of metrics as a sentence."""
    words = [f"episode {row['episode']}", f"{row['seconds']:.0f} s"]
    if row["positions_per_second"] or "exercises" not in row:
        words.append(f"{row['positions_per_second']:.0f} positions/s")
    if "exercises" in row:
        words.append(f"{row['exercises']} exercises")
    words += losses_of(row)
    if "truth" in row:
        words.append(f"keeps {row['truth']:.1%} of the true results")
    if said := said_of(against):
        words.append(said)
    return ", ".join(words)


def losses_of(row: Row) -> list[str]:
    """The losses, each with its name; without a critic that of the actor alone."""
    names = {"actor_loss": "actor loss", "critic_loss": "critic loss", "entropy": "entropy"}
    return [f"{words} {row[name]:.3f}" for name, words in names.items() if name in row]


def said_of(against: Score | None) -> str | None:
    if against is None:
        return None
    return (
        f"scores {against.points:g} of {against.games} against the network saved before "
        f"(it is better with a probability of {against.chance_better:.0%})"
    )


def table_of(row: Row, trainer: Trainer, forecast: str | None, said: str | None, meter: Meter | None) -> Table:
    """What stands on the screen while it trains."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    table = Table(show_header=False, box=None)
    table.add_row("progress", ProgressBar(total=1.0, completed=trainer.progress, width=40))
    table.add_row("episode", f"{row['episode']}{planned(trainer.settings)}, {time_left(row['seconds_left'])}")
    table.add_row("speed", f"{row['games_per_second']:.1f} games, {row['positions_per_second']:.0f} positions, "
                           f"{row['evaluations_per_second']:,.0f} evaluations a second")  # fmt: skip
    if "self_play_busy" in row:
        teacher = f", the teacher {row['teacher_busy']:.0%}" if "teacher_busy" in row else ""
        table.add_row("busy", f"self-play {row['self_play_busy']:.0%} of its time "
                              f"({row['self_play_in_network']:.0%} in the network){teacher}, "
                              f"the learner {row['learner_busy']:.0%}")  # fmt: skip
    if "exercises" in row:
        table.add_row("exercises", exercises_of(row))
    if losses := losses_of(row):
        table.add_row("losses", ", ".join(losses))
    if "truth" in row:
        phases = ", ".join(f"{n} {row[f'truth_{n}']:.0%}" for n in ("opening", "middle", "end") if f"truth_{n}" in row)
        known = f", openings known {row['truth_openings']:.0%}" if "truth_openings" in row else ""
        table.add_row("truth", f"keeps {row['truth']:.1%} ({phases}){known}")
    if said:
        table.add_row("learning", said)
    if forecast:
        table.add_row("forecast", forecast)
    if "believed" in row and meter is not None:
        table.add_row("openings", openings_of(trainer.game, row, meter))
    return table


def planned(settings: TrainSettings) -> str:
    """What follows the number of games that were played: how many, or how much time, there are to be."""
    games = "" if settings.last_episode is None else f" of {settings.last_episode}"
    return games if settings.minutes is None else f"{games}, {settings.minutes:g} minutes in all"


def time_left(seconds: float) -> str:
    return f"{seconds:.0f} s left" if seconds < 600 else f"{seconds / 60:.0f} minutes left"


def exercises_of(row: Row) -> str:
    """How many exercises there are, and how hard they are to solve."""
    made = f"{row['exercises']:,} made, {row['exercises_per_second']:,.0f} a second"
    return f"{made}; {row['exercises_solved']:.0%} solved in time, from ply {row['exercises_from_ply']:.0f} on"


def openings_of(game: Game, row: Row, meter: Meter) -> str:
    """The first moves by the critic's value, beside the true ones."""
    believed = {action: row["believed"][game.write(action)] for action in meter.openings}
    return openings_map(game, believed, meter.openings)


def show(game: Game, episode: int, played: Played, pause: float) -> None:
    """Draws an actual game, move by move."""
    from ludus.cli.watch import show_game_of

    start = None if played.starter is None else begun_by(game, played.starter).start()
    show_game_of(game, f"episode {episode}", played.opening, played.actions, pause, start)


def finish(trainer: Trainer, watcher: Watcher, watch: Watch) -> None:
    """Writes the plots and says what came out."""
    from ludus.learn.plan import compared

    folder = trainer.run.folder
    row = watcher.rows[-1] if watcher.rows else watcher.look()
    told = compared(folder, row["truth"]) if "truth" in row else None
    if not watch.json:
        print(line_of(row, None))
        if "believed" in row and watcher.meter is not None:
            print(f"first moves:\n{openings_of(trainer.game, row, watcher.meter)}")
        verdict = watcher.verdict()
        if told:
            verdict = f"{verdict} {told}"
        trainer.run.add_verdict(verdict)
        LOG.info("the training is finished", extra=about(run=folder, episode=trainer.episode, verdict=verdict))
        print(verdict, flush=True)
    plotted = trainer.episode >= FEW
    if plotted:
        save_plots(trainer, watcher)
    if watch.json:
        where = {"run": str(folder), "checkpoints": [str(path) for path in trainer.run.checkpoints]}
        print(json.dumps(row | where | ({"plan": told} if told else {}), indent=1))
        return
    print(f"the run: {folder}" + (f", its curves: {folder}/training.png" if plotted else ""))
    print(f"next: ludus topp {folder} --games 25")


def save_plots(trainer: Trainer, watcher: Watcher) -> None:
    """The curves of the training, and the critic's value of every first move beside the true one."""
    from ludus.show.openings import openings_plot
    from ludus.show.plots import training_plot

    folder, meter = trainer.run.folder, watcher.meter
    (folder / "training.png").write_bytes(training_plot(watcher.rows, str(folder)))
    if meter is not None and "believed" in watcher.rows[-1]:
        believed = meter.believed(trainer.evaluator)
        (folder / "openings.png").write_bytes(openings_plot(trainer.game, believed, meter.openings))
