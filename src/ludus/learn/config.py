"""The settings of a training as TOML: written into its folder, read from there and from a user's file."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from ludus.agents.parse import hints_of
from ludus.errors import BadOption, LudusError
from ludus.game import Game
from ludus.games import make
from ludus.learn.settings import RECIPES, TrainSettings, one_of


class BadRun(LudusError):
    """A folder holds no training, or another one."""


# ------------------------------------------------------------------------------------------- the game


def found_anywhere(game_text: str) -> str:
    """The text of a game with the whole path of its file, so that it is found from every folder."""
    place, colon, name = game_text.rpartition(":")
    return f"{Path(place).absolute()}{colon}{name}" if place.endswith(".py") else game_text


def game_of(folder: Path) -> Game:
    """The game that a training is about."""
    options = dict(section_in(read_toml(folder / "config.toml"), "game"))
    if not isinstance(options.get("name"), str):
        raise BadRun(f'{folder / "config.toml"} does not name a game: [game] name = "hex"')
    text = options.pop("name")
    options.pop("code", None)  # a mark of the file, which older trainings wrote down
    place, _, name = text.rpartition(":")
    if place.endswith(".py") and not Path(place).is_file():
        here = Path(Path(place).name)
        if not here.is_file():
            raise BadRun(
                f"the game of this training is written in {place}, which is not there; put {here} into this folder, "
                f'or write where it is into {folder / "config.toml"}: [game] name = "path/to/{here}:{name}"'
            )
        text = f"{here}:{name}"
    return make(text, **options)


# ------------------------------------------------------------------------------------------- writing and reading


def write_toml(game_text: str, game: Game, settings: TrainSettings) -> str:
    """All settings of a training, to be read by people and by `ludus train --config`."""
    import tomli_w

    plain = asdict(settings)
    top = without_none({key: value for key, value in plain.items() if not isinstance(value, dict)})
    if settings.last_episode is not None:
        top = {"episodes": settings.last_episode} | top
    parts = {key: without_none(value) for key, value in plain.items() if isinstance(value, dict)}
    about = {"name": found_anywhere(game_text), **without_none(game.chosen_options())}
    try:
        return tomli_w.dumps({**top, "game": about, **parts})
    except TypeError as error:
        raise BadOption(f"the options of {game} cannot be written as TOML: {error}") from None


def without_none(options: dict[str, Any]) -> dict[str, Any]:
    """The same without options that are None, for which TOML has no word."""
    return {key: value for key, value in options.items() if value is not None}


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file says."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRun(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # among the first are those of TOML and of UTF-8
        raise BadRun(f"{path} is no TOML: {error}") from None


def section_in(given: dict[str, Any], name: str) -> dict[str, Any]:
    """A section of a TOML file; empty if there is none."""
    section = given.get(name, {})
    if not isinstance(section, dict):
        raise BadOption(f"{name} is a section, [{name}], not {section!r}")
    return section


def settings_from(given: dict[str, Any]) -> TrainSettings:
    """Settings from what a TOML file says, over its recipe; refuses words that mean nothing."""
    recipe = given.get("recipe", "classic")
    one_of("recipe", recipe, tuple(RECIPES))
    base, changes = RECIPES[recipe], {}
    known = [f.name for f in fields(TrainSettings)]
    for key, value in given.items():
        if key == "game":
            continue
        if key not in known:
            raise BadOption(f"there is no setting {key!r}; there are {', '.join(known)}")
        usual = getattr(base, key)
        if is_dataclass(usual) != isinstance(value, dict):
            section = is_dataclass(usual)
            raise BadOption(f"{key} is a section, [{key}], not {value!r}" if section else f"{key} is no section")
        if isinstance(value, dict):
            changes[key] = part_from(key, usual, value)
        else:
            check_kind(key, value, usual, hints_of(TrainSettings)[key])
            changes[key] = tuple(value) if isinstance(value, list) else value
    return replace(base, **changes)


def settings_in(folder: Path) -> TrainSettings:
    """The settings of a training, from its folder. What older trainings did not write down is as it was for them."""
    given = read_toml(folder / "config.toml")
    if "heads" not in section_in(given, "network"):
        for section, old in (("network", {"heads": "dense", "owners": False}), ("learn", {"value_mix": 0.0})):
            given[section] = old | section_in(given, section)
    search = section_in(given, "search")
    decay = search.get("sigma_decay")
    if isinstance(decay, float):  # once a share of the training, now a number of episodes
        given["search"] = search | {"sigma_decay": round(decay * given.get("episodes", 0))}
    return settings_from(given)


def part_from(section: str, usual: Any, given: dict[str, Any]) -> Any:
    """One section of the settings, over the usual one."""
    names = {f.name for f in fields(usual)}
    for name, value in given.items():
        if name not in names:
            raise BadOption(f"[{section}] has no setting {name!r}; it has {', '.join(sorted(names))}")
        check_kind(name, value, getattr(usual, name), hints_of(usual.__class__)[name])
    if "hidden" in given and "net" not in given:  # hidden layers mean a perceptron
        given = given | {"net": "mlp"}
    return replace(usual, **{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()})


def check_kind(name: str, value: object, usual: object, hint: object) -> None:
    """Refuses a value of another kind than the setting has: a text for a number, a number for a switch."""
    if usual is None:
        usual = 1.0 if hint == float | None else "" if hint == str | None else 1
    if isinstance(usual, tuple):
        if isinstance(value, list) and all(type(v) is int for v in value):
            return
        raise BadOption(f"{name} must be a list of whole numbers, not {value!r}")
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}
    if type(value) is not type(usual) and not (type(usual) is float and type(value) is int):
        raise BadOption(f"{name} must be {words[type(usual)]}, not {value!r}")
