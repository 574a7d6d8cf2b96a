"""`ludus train GAME`: on-policy MCTS, watched."""

from __future__ import annotations

from dataclasses import field, fields, is_dataclass, make_dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, cast, get_type_hints

import tyro

from ludus.cli import options as flags
from ludus.cli.follow import Watch, follow
from ludus.errors import BadOption, LudusError
from ludus.game import Game
from ludus.games import make
from ludus.learn.settings import RECIPES, TrainSettings


def main(arguments: list[str]) -> None:
    if "--resume" in arguments:
        resume(arguments)
        return
    game_text, game, settings, watch = read(arguments)
    if watch.back:
        raise BadOption("--back goes with --resume RUN")
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

    more, rest = take(rest, "--episodes")
    watch = parse(Watch, rest, "ludus train --resume RUN [--episodes N]")
    settings = settings_from(read_toml(folder / "config.toml"))
    if more is not None:
        if not more.isdigit():
            raise BadOption(f"episodes must be a whole number, not {more!r}")
        settings = replace(settings, episodes=int(more))
    game = game_of(folder)
    run = Run(folder)
    run.open()
    if more is not None:
        run.change_episodes(int(more))
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
        if not isinstance(given.get("game", {}), dict):
            raise BadOption(f'{config} must name its game in a section: [game] name = "hex"')
        options = dict(given.get("game", {}))
        if "name" not in options:
            raise BadOption(f'{config} does not name a game: [game] name = "hex"')
        game_text = str(options.pop("name"))
        rest = [game_text, *rest]
    recipe = recipe or given.get("recipe", "classic")
    if recipe not in RECIPES:
        raise BadOption(f"recipe must be {' or '.join(RECIPES)}, not {recipe!r}")
    base = settings_from(given | {"recipe": recipe}) if given else RECIPES[recipe]
    if takes("--hidden", rest) and not takes("--net", rest):  # who names layers of neurons wants them
        base = replace(base, network=replace(base.network, net="mlp"))

    kind: Any = make_dataclass(
        "Train",
        [
            ("training", Annotated[TrainSettings, tyro.conf.arg(name="")], field(default=base)),
            ("watch", Watch, field(default=Watch())),
        ],
        frozen=True,
    )
    kind.__doc__ = (
        "Train a network by playing against itself. Stopped, `ludus train --resume RUN` goes on, up to more --episodes "
        "if they are given. `ludus train --config FILE` reads game and settings from a TOML file."
    )
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
        if is_dataclass(part) != isinstance(value, dict):
            is_part = is_dataclass(part)
            raise BadOption(f"{key} is a section, [{key}], not {value!r}" if is_part else f"{key} is no section")
        if isinstance(value, dict):
            names = {f.name for f in fields(part)}
            unknown = [name for name in value if name not in names]
            if unknown:
                raise BadOption(f"[{key}] has no setting {unknown[0]!r}; it has {', '.join(sorted(names))}")
            for name, setting in value.items():
                check_kind(name, setting, getattr(part, name), get_type_hints(type(part))[name])
            if "hidden" in value and "net" not in value:
                value = value | {"net": "mlp"}
            value = replace(part, **{k: tuple(v) if isinstance(v, list) else v for k, v in value.items()})
        else:
            check_kind(key, value, part, get_type_hints(TrainSettings)[key])
        changes[key] = value
    return replace(base, **changes)


def check_kind(name: str, value: Any, usual: Any, hint: Any) -> None:
    """Refuses a value of another kind than the setting has: a text for a number, a number for a switch."""
    if hint == float | None:
        usual = 1.0
    if isinstance(usual, tuple):
        if isinstance(value, list) and all(type(v) is int for v in value):
            return
        raise BadOption(f"{name} must be a list of whole numbers, not {value!r}")
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}
    if type(value) is not type(usual) and not (type(usual) is float and type(value) is int):
        raise BadOption(f"{name} must be {words[type(usual)]}, not {value!r}")


def take(arguments: list[str], flag: str) -> tuple[str | None, list[str]]:
    """The value of a flag, and the arguments without it; --recipe stays."""
    for i, word in enumerate(arguments):
        if word == flag and i + 1 < len(arguments):
            return arguments[i + 1], arguments[:i] + arguments[i + 2 :] if flag != "--recipe" else arguments
        if word.startswith(flag + "="):
            return word.split("=", 1)[1], arguments[:i] + arguments[i + 1 :] if flag != "--recipe" else arguments
    return None, arguments


def takes(flag: str, arguments: list[str]) -> bool:
    return any(word == flag or word.startswith(flag + "=") for word in arguments)


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
