"""The networks that come with Ludus, and what was measured about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.text import did_you_mean

FOLDER = Path(__file__).parent.parent / "zoo"
FACTS = FOLDER / "zoo.json"  # what was measured, by name; written by experiments/zoo.py


class UnknownNetwork(LudusError):
    """No network of the zoo has this name."""


def names() -> list[str]:
    """The names of the networks."""
    return sorted(folder.name for folder in FOLDER.iterdir() if (folder / "config.toml").is_file())


def folder_of(name: str) -> Path:
    """The folder of a network: a training's, with one checkpoint or a series."""
    if name not in names():
        raise UnknownNetwork(f"the zoo has no network {name!r}; {did_you_mean(name, names())}")
    return FOLDER / name


def series() -> list[str]:
    """The networks of which several stages are there, as texts for `ludus topp`."""
    return [f"zoo:{name}" for name in names() if len(list((FOLDER / name / "checkpoints").iterdir())) > 1]


def in_zoo(folder: Path) -> bool:
    """Is this the folder of a network of the zoo?"""
    return folder.parent == FOLDER


def path_of(name: str) -> Path:
    """The last checkpoint of a network, or the one after a number of episodes: hex5, hex5/200."""
    name, _, episode = name.partition("/")
    saved = sorted((folder_of(name) / "checkpoints").glob("*.safetensors"))
    if not episode:
        return saved[-1]
    for path in saved:
        if episode.isdecimal() and len(episode) <= 9 and int(path.stem) == int(episode):
            return path
    there = ", ".join(str(int(path.stem)) for path in saved)
    raise UnknownNetwork(f"the zoo has {name} after {there} episodes, not after {episode!r}")


def facts() -> dict[str, Any]:
    """What was measured, by name."""
    known: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return known
