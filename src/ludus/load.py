"""Code that is found by its name: a user's class in a file, and rooms of ours that lower rooms open on demand."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

from ludus.errors import LudusError

# The arrows that point up. Lower rooms reach these only when a user asks for them by name, so that nobody who does not
# learn imports PyTorch, and nobody who does not play other people's programs imports what talks to them. States of
# compiled games draw themselves in notebooks with svg.
HIGHER = {
    "game openspiel": "ludus.protocols.openspiel:load",
    "agent gtp": "ludus.protocols.gtp_agent:GtpAgent",
    "agent othello-pipe": "ludus.protocols.othello_pipe:OthelloPipeAgent",
    "agent openspiel": "ludus.protocols.openspiel_agents:OpenSpielAgent",
    "agent of a network": "ludus.learn.policy_agent:PolicyAgent",
    "svg": "ludus.show.board_svg:svg",
    "zoo": "ludus.learn.zoo:path_of",
}


def load_class(where: str, what: str, wrong: type[LudusError] = LudusError) -> type:
    """The class behind "path/to/file.py:Class" or "module:Class"; `what` it is meant to be is for the complaint."""
    place, _, name = where.rpartition(":")
    try:
        if place.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(place).stem, place)
            if spec is None or spec.loader is None:
                raise ImportError(place)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(place)
        kind = getattr(module, name)
    except Exception as error:  # whatever a visitor's file does when it is loaded
        raise wrong(f"cannot load {what} {where!r}: {error}") from error
    if not isinstance(kind, type):
        raise LudusError(f"{where} is not a class")
    return kind


def load_higher(name: str) -> Any:
    """What stands in HIGHER under this name."""
    module, _, attribute = HIGHER[name].partition(":")
    return getattr(importlib.import_module(module), attribute)
