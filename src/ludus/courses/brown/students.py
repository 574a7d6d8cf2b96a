"""Agents in a student's files, loaded as they are: the course's modules they import are ours.

The support files (go_search_problem, game_runner and so on) are always ours, as the course replaces them, too. What
students write themselves (agents, heuristic_go_problems, models and any other file) is what lies beside.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.errors import LudusError

SUPPORT = ("adversarial_search_problem", "go_search_problem", "go_utils", "game_runner")
THEIRS = ("heuristic_go_problems", "agents")  # ours, unless the folder has one
NETWORKS = "models"  # the same, but it needs PyTorch
_folders: set[Path] = set()  # from which files were loaded


def load_agent(text: str) -> Any:
    """The agent behind `agents.py:MyAgent`: a class or a function without arguments."""
    place, _, name = text.partition(".py:")
    path = Path(f"{place}.py")
    if not path.is_file():
        raise LudusError(f"there is no file {str(path)!r}")
    with course_modules(path.resolve().parent):
        try:
            agent = getattr(load_file(path), name)()
        except LudusError:
            raise
        except (Exception, SystemExit) as error:  # whatever a student's file does when it is loaded
            raise LudusError(f"cannot make the agent {text!r}: {told(error)}") from error
    if not callable(getattr(agent, "get_move", None)):
        raise LudusError(f"{name} in {path} is no agent: it needs get_move(state, time_limit)")
    return agent


def told(error: BaseException) -> str:
    """An error in a student's file, with the last of its lines that took part."""
    lines = [line for line in traceback.extract_tb(error.__traceback__) if Path(line.filename).parent in _folders]
    where = f" ({Path(lines[-1].filename).name}, line {lines[-1].lineno})" if lines else ""
    return f"{type(error).__name__}: {error}{where}"


def is_theirs(error: BaseException) -> bool:
    """Did an error pass through a student's file?"""
    return any(Path(line.filename).parent in _folders for line in traceback.extract_tb(error.__traceback__))


def load_file(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # files of the course import each other
    spec.loader.exec_module(module)
    return module


def when_asked(name: str) -> ModuleType:
    """One of our modules under the course's name, loaded when something of it is used."""
    module = ModuleType(name)
    vars(module)["__getattr__"] = lambda member: getattr(importlib.import_module(f"{__package__}.{name}"), member)
    return module


@contextmanager
def course_modules(folder: Path) -> Iterator[None]:
    """Inside, files find our modules by the course's names, and other files of their folder."""
    before = set(sys.modules)
    _folders.add(folder)
    for name in SUPPORT:  # they stay: code may import them later
        sys.modules[name] = importlib.import_module(f"{__package__}.{name}")
    for name in THEIRS:
        if not (folder / f"{name}.py").is_file():
            sys.modules[name] = importlib.import_module(f"{__package__}.{name}")
    if not (folder / f"{NETWORKS}.py").is_file():
        sys.modules[NETWORKS] = when_asked(NETWORKS)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in {*THEIRS, NETWORKS, *(path.stem for path in folder.glob("*.py"))} - before - {*SUPPORT}:
            sys.modules.pop(name, None)  # another student's files may have the same names
