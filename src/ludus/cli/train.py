"""`ludus train GAME`: on-policy MCTS, watched."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields, make_dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, cast

import tyro
from rich.console import Console
from rich.live import Live
from rich.table import Table

from ludus.cli import options as flags
from ludus.errors import BadOption, LudusError
from ludus.game import Game
from ludus.games import make
from ludus.learn.settings import RECIPES, TrainSettings

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Watch:
    """What to see and where to keep it."""

    run: Path | None = None  # the folder of the training; one in runs/ if not said
    show: int = 0  # draw every n-th actual game; 0: none
    show_at: tuple[int, ...] = ()  # draw the actual games of these episodes
    pause: float = 0.0  # seconds after a game that was drawn
    every: float = 5.0  # seconds between lines of metrics
    truth: int = 300  # positions of the truth meter; 0: none
    back: Flag = False  # with --resume: go on from the best network so far
    tensorboard: Flag = False  # write what TensorBoard reads as well
    json: Flag = False  # print the last metrics as JSON


def main(arguments: list[str]) -> None:
    if "--resume" in arguments:
        resume(arguments)
        return
    game_text, game, settings, watch = read(arguments)
    require_torch()
    from ludus.learn.trainer import start

    folder = watch.run or unused(Path("runs") / f"{game.name}{getattr(game, 'size', '')}")
    trainer = start(folder, game_text, game, settings)
    follow(trainer, game, watch)


def resume(arguments: list[str]) -> None:
    """Goes on with a training."""
    require_torch()
    from ludus.learn.run import Run, read_toml
    from ludus.learn.topp import game_of
    from ludus.learn.trainer import Trainer

    at = arguments.index("--resume")
    if at + 1 >= len(arguments):
        raise BadOption("say which training: ludus train --resume runs/hex5")
    folder = Path(arguments[at + 1])
    if not (folder / "config.toml").is_file():
        raise BadOption(f"there is no training in {folder}")
    rest = arguments[:at] + arguments[at + 2 :]
    from ludus.cli.parse import parse

    watch = parse(Watch, rest, "ludus train --resume RUN")
    settings = settings_from(read_toml(folder / "config.toml"))
    game = game_of(folder)
    run = Run(folder)
    run.open()
    trainer = Trainer(game, settings, run)
    trainer.resume()
    if watch.back:
        trainer.back_to_best()
    follow(trainer, game, replace(watch, run=folder))


def read(arguments: list[str]) -> tuple[str, Game, Any, Watch]:
    """The game and all settings, from flags and perhaps a TOML file."""
    config, rest = take(arguments, "--config")
    recipe, _ = take(rest, "--recipe")
    given: dict[str, Any] = {}
    if config is not None:
        from ludus.learn.run import read_toml

        given = read_toml(Path(config))
        if rest and not rest[0].startswith("-"):
            raise BadOption("the TOML file names the game; leave it out of the command")
        options = dict(given.get("game", {}))
        if "name" not in options:
            raise BadOption(f'{config} does not name a game: [game] name = "hex"')
        game_text = str(options.pop("name"))
        rest = [game_text, *rest]
    recipe = recipe or given.get("recipe", "classic")
    if recipe not in RECIPES:
        raise BadOption(f"recipe must be {' or '.join(RECIPES)}, not {recipe!r}")
    base = settings_from(given | {"recipe": recipe}) if given else RECIPES[recipe]

    kind: Any = make_dataclass(
        "Train",
        [("training", TrainSettings, field(default=base)), ("watch", Watch, field(default=Watch()))],
        frozen=True,
    )
    kind.__doc__ = "Train a network by playing against itself. Stopped, `ludus train --resume RUN` goes on."
    if config is not None and ":" not in game_text:
        made = make(game_text, **options)
        game, chosen = flags.read("train", kind, rest, cast(Any, made))
    else:
        game, chosen = flags.read("train", kind, rest)
        game_text = rest[0] if rest else ""
    return game_text, game, chosen.training, chosen.watch


def settings_from(given: dict[str, Any]) -> Any:
    """Settings from what a TOML file says, over its recipe; refuses words that mean nothing."""
    recipe = given.get("recipe", "classic")
    if recipe not in RECIPES:
        raise BadOption(f"recipe must be {' or '.join(RECIPES)}, not {recipe!r}")
    base = RECIPES[recipe]
    changes: dict[str, Any] = {}
    for key, value in given.items():
        if key == "game":
            continue
        if key not in {f.name for f in fields(TrainSettings)}:
            raise BadOption(
                f"there is no setting {key!r}; there are {', '.join(f.name for f in fields(TrainSettings))}"
            )
        part = getattr(base, key)
        if isinstance(value, dict):
            names = {f.name for f in fields(part)}
            unknown = [name for name in value if name not in names]
            if unknown:
                raise BadOption(f"[{key}] has no setting {unknown[0]!r}; it has {', '.join(sorted(names))}")
            value = replace(part, **{k: tuple(v) if isinstance(v, list) else v for k, v in value.items()})
        changes[key] = value
    return replace(base, **changes)


def take(arguments: list[str], flag: str) -> tuple[str | None, list[str]]:
    """The value of a flag, and the arguments; --config is taken out, others stay."""
    for i, word in enumerate(arguments):
        if word == flag and i + 1 < len(arguments):
            return arguments[i + 1], arguments[:i] + arguments[i + 2 :] if flag == "--config" else arguments
        if word.startswith(flag + "="):
            return word.split("=", 1)[1], arguments[:i] + arguments[i + 1 :] if flag == "--config" else arguments
    return None, arguments


def unused(folder: Path) -> Path:
    """The folder, or one with a number behind it that is not used yet."""
    number, free = 1, folder
    while (free / "config.toml").exists():
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free


def require_torch() -> None:
    """Says how to get what learning needs, if it is not there."""
    if any(find_spec(name) is None for name in ("torch", "safetensors")):
        raise LudusError("learning needs PyTorch and safetensors; get them with: pip install 'ludus[learn]'")


# ----------------------------------------------------------------------------------------- following


def follow(trainer: Any, game: Game, watch: Watch) -> None:
    """Trains, shows how it goes, and says at the end what came out."""
    from ludus.learn.watch import Watcher, chance_better, score_against

    meter = meter_of(trainer, game, watch)
    watcher = Watcher(trainer, meter, watch.tensorboard)
    console = Console(stderr=True)
    last_look = time.monotonic()
    saved = trainer.run.checkpoints
    told: set[str] = set()

    with Live(console=console, refresh_per_second=4, transient=True) as live:
        tell: Callable[[str], None] = (
            live.console.print if console.is_terminal else lambda text: print(text, file=sys.stderr, flush=True)
        )

        def see(played: Any, losses: Any) -> None:
            nonlocal last_look, saved
            watcher.see(played, losses)
            if (watch.show and trainer.episode % watch.show == 0) or trainer.episode in watch.show_at:
                show(game, trainer.episode, played, watch.pause)
            at_checkpoint = trainer.episode in trainer.settings.saved_at()
            if time.monotonic() - last_look < watch.every and not at_checkpoint:
                return
            last_look = time.monotonic()
            against = None
            if at_checkpoint and saved:
                against = score_against(game, trainer.evaluator, saved[-1])
                saved = trainer.run.checkpoints
            row = watcher.look(against)
            if console.is_terminal:
                live.update(table_of(row, trainer, watcher.forecast()))
            if against is not None or not console.is_terminal:
                tell(line_of(row, chance_better(against, 20) if against is not None else None))
            for warning in watcher.warnings():
                if warning not in told:
                    told.add(warning)
                    tell(f"careful: {warning}")

        try:
            trainer.train(see)
        except KeyboardInterrupt:
            trainer.run.close()
            print(
                f"\nstopped after {trainer.episode} episodes; `ludus train --resume {trainer.run.folder}` goes on",
                file=sys.stderr,
            )
            raise SystemExit(130) from None
    finish(trainer, watcher, watch)


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
    if better is not None:
        words.append(f"scores {row['against_last']:.0%} against the last saved network: better with {better:.0%}")
    return ", ".join(words)


def table_of(row: dict[str, Any], trainer: Any, forecast: str | None) -> Table:
    """What stands on the screen while it trains."""
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
    if forecast:
        table.add_row("forecast", forecast)
    return table


def show(game: Game, episode: int, played: Any, pause: float) -> None:
    """Draws an actual game, move by move."""
    print(f"\nepisode {episode}:")
    state = game.start()
    for action in played.opening + played.actions:
        state = state.play(action)
        print(f"{game.write(action)}\n{game.draw(state)}\n", flush=True)
    time.sleep(pause)


def finish(trainer: Any, watcher: Any, watch: Watch) -> None:
    """Writes the plots and says what came out."""
    from ludus.learn.plots import training_plot

    folder = trainer.run.folder
    row = watcher.rows[-1] if watcher.rows else watcher.look()
    (folder / "training.png").write_bytes(training_plot(watcher.rows, str(folder)))
    trainer.run.close()
    if watch.json:
        print(
            json.dumps(row | {"run": str(folder), "checkpoints": [str(p) for p in trainer.run.checkpoints]}, indent=1)
        )
        return
    print(line_of(row, None))
    print(f"the run: {folder}, its curves: {folder}/training.png")
    print(f"next: ludus topp {folder} --games 25")
