"""Code of others, found by its name: a visitor's class in a file, or a door that opens when somebody calls."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

from ludus.errors import LudusError


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


def load_name(where: str) -> Any:
    """What is behind "module:name", within the house. So a lower room can open a higher one without knowing it."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)
