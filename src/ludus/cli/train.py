"""`ludus train GAME`: on-policy MCTS, watched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from ludus.cli import options as flags
from ludus.cli.follow import LOG, Watch, follow
from ludus.cli.logs import LogOptions
from ludus.cli.parse import parse
from ludus.cli.place import Training, training_crew
from ludus.errors import BadOption, LudusError
from ludus.game import Game
from ludus.games import make
from ludus.learn.config import game_of, read_toml, settings_from, settings_in
from ludus.learn.settings import RECIPES, TrainSettings, one_of
from ludus.monitor.logs import say

if TYPE_CHECKING:  # imports PyTorch
    from ludus.learn.run import Run


def main(arguments: list[str]) -> None:
    if takes("--resume", arguments):
        resume(arguments)
        return
    game_text, game, settings, watch, place = read(arguments)
    if watch.back:
        raise BadOption("--back goes with --resume RUN")
    require_torch()
    from ludus.learn.trainer import start

    name = re.sub(r"\W+", "-", game.identity()["name"]).strip("-")
    folder = watch.run or unused(Path("runs") / f"{name}{getattr(game, 'size', '')}")
    with training_crew(place, settings) as hire:
        trainer = start(folder, game_text, game, settings, hire=hire)
        say_fewer(settings)
        expect(folder, game, settings)
        follow(trainer, game, watch)


@dataclass(frozen=True)
class Resume:
    """Go on with a training that was stopped, or further than was planned."""

    watch: Watch = field(default_factory=Watch)
    place: Training = field(default_factory=Training)
    logs: LogOptions = field(default_factory=LogOptions)
    episodes: int | None = None  # actual games in all, if it is to change
    minutes: float | None = None  # minutes of training in all, if it is to change
    lr: float | None = None  # learning rate, if it is to change


def resume(arguments: list[str]) -> None:
    """Goes on with a training."""
    name, rest = take(arguments, "--resume")
    if name is None:
        raise BadOption("say which training: ludus train --resume runs/hex5")
    folder = Path(name)
    if not (folder / "config.toml").is_file():
        raise BadOption(f"there is no training in {folder}")
    options = parse(Resume, rest, "ludus train --resume RUN")
    options.logs.begin()
    settings = settings_in(folder)
    if options.episodes is not None or options.minutes is not None:
        settings = replace(settings, episodes=options.episodes, minutes=options.minutes)
    if options.lr is not None:
        settings = replace(settings, learn=replace(settings.learn, lr=options.lr))
    game = game_of(folder)
    require_torch()
    from ludus.learn.run import Run
    from ludus.learn.trainer import Trainer

    run = Run(folder)
    run.open()
    refuse_less(run, options)
    with training_crew(options.place, settings) as hire:
        trainer = Trainer(game, settings, run, hire=hire)
        trainer.resume(back=options.watch.back)
        run.change(game, settings)
        if options.episodes is not None or options.minutes is not None:
            (folder / "forecast.json").unlink(missing_ok=True)  # the plan knew nothing of a second beginning
        follow(trainer, game, replace(options.watch, run=folder))


def expect(folder: Path, game: Game, settings: TrainSettings) -> None:
    """Keeps what the planner expects of a training, if it has a limit of time and the law knows such trainings."""
    from ludus.learn.law import read_law
    from ludus.learn.plan import course_of, note_forecast, size_of

    line = course_of(game, settings, read_law())
    if line is not None and settings.minutes is not None and settings.episodes is None:
        from ludus.learn.speed import machine_speed

        note_forecast(folder, line.forecast(size_of(game), machine_speed(game) * settings.minutes * 60))


def refuse_less(run: Run, options: Resume) -> None:
    """Refuses fewer games or less time than a training has had."""
    if options.episodes is not None and options.episodes <= (done := run.finished()):
        raise BadOption(f"{run.folder} has finished {done} episodes already; --episodes must be more than that")
    trained = max((row["seconds"] for row in run.metrics()), default=0.0)
    if options.minutes is not None and 60 * options.minutes <= trained:
        done_already = f"{run.folder} has trained {trained / 60:.3g} minutes already"
        raise BadOption(f"{done_already}; --minutes must be more than that")


def read(arguments: list[str]) -> tuple[str, Game, TrainSettings, Watch, Training]:
    """The game and all settings, from flags and perhaps a TOML file."""
    arguments = ["--from-network" + word[6:] if word.partition("=")[0] == "--from" else word for word in arguments]
    config, rest = take(arguments, "--config")
    recipe, _ = take(rest, "--recipe")
    given: dict[str, Any] = {}
    usual: Game | None = None
    if config is not None:
        if rest and not rest[0].startswith("-"):
            raise BadOption("the TOML file names the game; leave it out of the command")
        given = read_toml(Path(config))
        game_text, usual = game_in(given, config)
        rest = [game_text, *rest]
    recipe = recipe or given.get("recipe", "classic")
    one_of("recipe", recipe, tuple(RECIPES))
    base = settings_from(given | {"recipe": recipe}) if given else RECIPES[recipe]
    kind: Any = make_dataclass(
        "Train",
        [
            ("training", Annotated[TrainSettings, tyro.conf.arg(name="")], field(default=with_net(base, rest))),
            ("watch", Watch, field(default=Watch())),
            ("place", Training, field(default=Training())),
            ("logs", LogOptions, field(default=LogOptions())),
        ],
        frozen=True,
    )
    kind.__doc__ = (
        "Train a network by playing against itself, for a number of games (--episodes) or a time (--minutes). Stopped, "
        "`ludus train --resume RUN` goes on, up to more --episodes or --minutes if they are given. "
        "`ludus train --config FILE` reads game and settings from a TOML file."
    )
    game, chosen = flags.read("train", kind, rest, usual)
    refuse_unused(chosen.training, rest, given)
    chosen.logs.begin()
    return rest[0], game, chosen.training, chosen.watch, chosen.place


def game_in(given: dict[str, Any], config: str) -> tuple[str, Game]:
    """The game that a TOML file names."""
    if not isinstance(given.get("game", {}), dict):
        raise BadOption(f'{config} must name its game in a section: [game] name = "hex"')
    options = dict(given.get("game", {}))
    if "name" not in options:
        raise BadOption(f'{config} does not name a game: [game] name = "hex"')
    text = str(options.pop("name"))
    options.pop("code", None)  # a mark of the file, which older trainings wrote down
    return text, make(text, **options)


def with_net(settings: TrainSettings, arguments: list[str]) -> TrainSettings:
    """The settings with the kind of network that other flags imply, if --net is not given."""
    if takes("--net", arguments):
        return settings
    present = settings.network.net
    with_channels = "conv" if present == "mlp" else present
    nets = (("--hidden", "mlp"), ("--reach", "patterns"), ("--blocks", "conv"), ("--channels", with_channels))
    for flag, net in nets:
        if takes(flag, arguments) and net != present:
            return replace(settings, network=replace(settings.network, net=net))  # type: ignore[arg-type]
    return settings


UNUSED: list[tuple[str, Callable[[TrainSettings], bool], str]] = [  # a flag, when it means nothing, and why
    ("hidden", lambda s: s.network.net != "mlp", "is for layers of neurons, --net mlp; --net conv has --channels"),
    ("residual", lambda s: s.network.net != "mlp", "is for layers of neurons, --net mlp"),
    ("channels", lambda s: s.network.net == "mlp", "is for convolutions, --net conv; --net mlp has --hidden"),
    ("blocks", lambda s: s.network.net == "mlp", "is for convolutions, --net conv; --net mlp has --hidden"),
    ("blocks", lambda s: s.network.net == "patterns", "is for convolutions, --net conv"),
    ("reach", lambda s: s.network.net != "patterns", "is for the lines of --net patterns"),
    ("heads", lambda s: s.network.net == "mlp", "is for convolutions, --net conv"),
    ("summary", lambda s: s.network.net == "mlp" or s.network.heads == "dense", "is for --heads pooled"),
    ("norm", lambda s: s.network.net != "conv", "is for convolutions, --net conv"),
    ("owners", lambda s: s.network.net == "mlp", "is for convolutions, --net conv"),
    ("owner-weight", lambda s: not s.network.owners, "is for a network with --owners"),
    ("noise", lambda s: s.search.rule != "puct", "is for the priors of --rule puct"),
    ("fast-simulations", lambda s: s.search.fast == 0, "is for the share of moves that --fast gives"),
    ("teacher-seconds", lambda s: s.search.teacher == "none", "is for --teacher solver"),
    ("teacher-threads", lambda s: s.search.teacher == "none", "is for --teacher solver"),
    ("exercise-seconds", lambda s: s.exercises.exercises == 0, "is for the exercises that --exercises asks for"),
    ("exercise-threads", lambda s: s.exercises.exercises == 0, "is for the exercises that --exercises asks for"),
    ("exercise-buffer", lambda s: s.exercises.exercises == 0, "is for the exercises that --exercises asks for"),
    ("simulations", lambda s: s.exercises.exercises == 1, "is for games, and with --exercises 1 none are played"),
    ("teacher", lambda s: s.exercises.exercises == 1, "is for games, and with --exercises 1 none are played"),
    ("opening-plies", lambda s: s.search.openings == 0, "is for the share of games that --openings gives"),
    ("critic-weight", lambda s: not s.network.critic, "is for a network with a critic"),
    ("epsilon", lambda s: s.search.sigma == s.search.sigma_end == 0, "is for rollouts, but --sigma is 0"),
    ("epsilon-end", lambda s: s.search.sigma == s.search.sigma_end == 0, "is for rollouts, but --sigma is 0"),
    ("rollout", lambda s: s.search.sigma == s.search.sigma_end == 0, "is for rollouts, but --sigma is 0"),
]


def refuse_unused(settings: TrainSettings, arguments: list[str], given: dict[str, Any]) -> None:
    """Refuses flags, and shapes of a network in a TOML file, that would mean nothing with the other settings."""
    usual, network = RECIPES[settings.recipe].network, given.get("network", {})
    chosen = {name for name, *_ in UNUSED if takes(f"--{name}", arguments)}
    shapes = ("hidden", "channels", "blocks", "reach")
    chosen |= {name for name in shapes if name in network and as_tuple(network[name]) != getattr(usual, name)}
    for name, unused, why in UNUSED:
        if name in chosen and unused(settings):
            raise BadOption(f"--{name} {why}")


def as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def say_fewer(settings: TrainSettings) -> None:
    """Says so if fewer networks are saved than were asked for."""
    saved, episodes = settings.saved_episodes(), settings.last_episode
    if episodes is not None and settings.minutes is None and len(saved) < settings.checkpoints:
        words = f"{len(saved)} networks will be saved, not {settings.checkpoints}: a training of {episodes}"
        say(LOG, f"{words} episodes has no more different ones")


def take(arguments: list[str], flag: str) -> tuple[str | None, list[str]]:
    """The value of a flag, and the arguments without it; --recipe stays."""
    for i, word in enumerate(arguments):
        if word == flag and i + 1 < len(arguments):
            return arguments[i + 1], arguments[:i] + arguments[i + 2 :] if flag != "--recipe" else arguments
        if word.startswith(flag + "="):
            return word.split("=", 1)[1], arguments[:i] + arguments[i + 1 :] if flag != "--recipe" else arguments
    return None, arguments


def takes(flag: str, arguments: list[str]) -> bool:
    """Is this flag among the arguments, or its opposite: --residual, --no-residual?"""
    opposite = flag.replace("--", "--no-", 1)
    return any(word in (flag, opposite) or word.startswith(flag + "=") for word in arguments)


def unused(folder: Path) -> Path:
    """The folder, or one with a number behind it that is not used yet."""
    number, free = 1, folder
    while (free / "config.toml").exists():
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free


def require_torch() -> None:
    """Says how to get what learning needs, if it is not there."""
    if any(find_spec(name) is None for name in ("torch", "safetensors", "tomli_w")):
        raise LudusError("learning needs PyTorch, safetensors and tomli-w; get them with: pip install 'ludus[learn]'")
