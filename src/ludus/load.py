"""Code that is found by its name: a user's class in a file, and what lower rooms import from higher ones on demand."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

from ludus.errors import LudusError

# The imports from a lower room to a higher one. They are made only when a user asks for one of these by name, so that
# PyTorch is imported only for networks, and the protocols only for outside programs. States of compiled games use svg
# to draw themselves in notebooks.
HIGHER = {
    "game openspiel": "ludus.protocols.openspiel:load",
    "agent gtp": "ludus.protocols.gtp_agent:GtpAgent",
    "agent othello-pipe": "ludus.protocols.othello_pipe:OthelloPipeAgent",
    "agent openspiel": "ludus.protocols.openspiel_agents:OpenSpielAgent",
    "agent of a network": "ludus.learn.policy_agent:PolicyAgent",
    "svg": "ludus.show.board_svg:svg",
    "zoo": "ludus.learn.zoo:path_of",
}

# The command line as another process. Trainings and tournaments that a page starts run in one of their own; `-P` finds
# the package where `ludus` would, not in the folder one happens to be in.
COMMAND_LINE = (sys.executable, "-P", "-m", "ludus.cli")


def load_class(where: str, what: str, wrong: type[LudusError] = LudusError) -> type:
    """The class behind "path/to/file.py:Class" or "module:Class"; `what` names the kind of thing in an error."""
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
    """The object that HIGHER lists under this name."""
    module, _, attribute = HIGHER[name].partition(":")
    return getattr(importlib.import_module(module), attribute)
