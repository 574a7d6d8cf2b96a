"""Agents as text: `mcts:simulations=1000,c=1.4`, `runs/hex5` (a network), `gtp:"gnugo --mode gtp"` (a program)."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from ludus.agents.agent import Agent
from ludus.agents.depth import AlphaBetaAgent, DeepeningAgent, GreedyAgent, MinimaxAgent
from ludus.agents.level import LevelAgent
from ludus.agents.mcts import FlatMonteCarloAgent, MctsAgent
from ludus.agents.perfect import PerfectAgent
from ludus.agents.random import RandomAgent
from ludus.errors import BadOption, LudusError
from ludus.load import HIGHER, load_class, load_higher
from ludus.system import is_file
from ludus.text import did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Value = bool | int | float | str | None  # of an option

AGENTS: dict[str, type] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "flat": FlatMonteCarloAgent,
    "minimax": MinimaxAgent,
    "alphabeta": AlphaBetaAgent,
    "deepening": DeepeningAgent,
    "mcts": MctsAgent,
    "perfect": PerfectAgent,
}

OUTSIDE = ("gtp", "othello-pipe", "openspiel")  # other people's programs; load.py says where their classes are


class UnknownAgent(LudusError):
    """No agent has this name."""


def make_agent(text: str) -> Agent:
    """The agent that a text describes: a name, and options after a colon; for an outside program its command first."""
    name, _, rest = str(text).strip().partition(":")
    if name in OUTSIDE:
        return make_outside(name, rest)
    if name == "level":
        return make_level(rest.strip())
    if name == "zoo":
        network, _, options = rest.replace(",", ":", 1).partition(":")
        return make_policy(str(load_higher("zoo")(network.strip())), options, f"zoo:{network.strip()}")
    if ".safetensors" in text:
        file, _, options = str(text).strip().partition(".safetensors")
        return make_policy(f"{file}.safetensors", options)
    if is_training(folder := re.split("[:,]", str(text).strip(), maxsplit=1)[0]):
        return make_policy(folder, str(text).strip()[len(folder) :])
    if ".py:" in text:
        return make_visitor(str(text).strip())
    if name not in AGENTS:
        raise UnknownAgent(
            f"there is no agent {name!r}; {did_you_mean(name, [*AGENTS, *OUTSIDE])}, level:3, zoo:hex7 and others of "
            "the zoo, a saved network by its path, the folder of a training, or a class of yours: my_agent.py:MyAgent"
        )
    kind = AGENTS[name]
    agent: Agent = kind(**read_options(name, kind, rest))
    return agent


def make_level(level: str) -> Agent:
    """An agent that plays at a level, whose number or name is checked when the agent meets its game."""
    if not level:
        raise BadOption("say which level, after a colon: level:1 is the weakest, level:10 the strongest")
    return LevelAgent(level)


def make_policy(path: str, options: str, name: str | None = None) -> Agent:
    """A saved network by its file or the folder of its training, with options; `name` is what it is called."""
    try:
        kind = load_higher("agent of a network")
    except ModuleNotFoundError as error:
        raise LudusError(f"networks need {error.name}; get it with: pip install 'ludus[learn]'") from None
    agent = kind(path, **read_options("policy", kind, options.lstrip(":,")))
    agent.call(name or path)
    made: Agent = agent
    return made


def is_training(folder: str) -> bool:
    """Is this the folder of a training, such as runs/hex5?"""
    return folder not in AGENTS and is_file(Path(folder) / "config.toml")


def make_visitor(text: str) -> Agent:
    """An agent of the user: `my_agent.py:MyAgent`; a dataclass may have options: `my_agent.py:MyAgent:depth=3`."""
    place, rest = text.split(".py:", 1)
    name, _, options = rest.partition(":")
    kind = load_class(f"{place}.py:{name}", "the agent", UnknownAgent)
    if not callable(getattr(kind, "decide", None)):
        raise UnknownAgent(f"{name} in {place}.py is no agent: it needs a method decide(state, rng, left=None)")
    if options and not is_dataclass(kind):
        raise BadOption(f"{name} takes no options, because it is not a dataclass")
    try:
        agent: Agent = kind(**(read_options(name, kind, options) if options else {}))
    except LudusError:
        raise
    except Exception as error:  # whatever a visitor's class does when it is made
        raise UnknownAgent(f"cannot make the agent {text!r}: {type(error).__name__}: {error}") from error
    return agent


def make_outside(name: str, rest: str) -> Agent:
    """An agent such as `gtp:"gnugo --mode gtp",seconds=10`: a command, in quotes or not, and options."""
    kind = load_higher(f"agent {name}")  # a dataclass whose first field is the command
    command_field, *names = [f.name for f in fields(kind) if f.init]
    quoted = re.fullmatch(r"""\s*(["'])(.*)\1\s*(?:,(.*))?""", rest, re.DOTALL)
    if quoted:
        command, options = quoted[2], quoted[3] or ""
    else:
        an_option = rf",\s*(?:{'|'.join(names)})\s*="
        at = re.search(an_option, rest) if names else None
        command, options = (rest[: at.start()], rest[at.start() + 1 :]) if at else (rest, "")
    if not command.strip():
        raise BadOption(f"say which program, after a colon: {name}:…")
    agent: Agent = kind(**{command_field: command.strip()}, **read_options(name, kind, options))
    return agent


@lru_cache(maxsize=256)
def hints_of(kind: type[DataclassInstance]) -> dict[str, Any]:
    """The types of a class's fields, by their names. Working them out takes longer than reading the options."""
    return get_type_hints(kind)


def read_options(name: str, kind: type[DataclassInstance], text: str) -> dict[str, Value]:
    """Options such as `simulations=1000,rave=true`, as the agent's fields want them."""
    hints = hints_of(kind)
    names = [f.name for f in fields(kind) if f.init]
    options = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        key, equals, value = (p.strip() for p in part.partition("="))
        if key not in names:
            there = f"it has {', '.join(names)}" if names else "it has none"
            raise BadOption(f"the agent {name} has no option {key!r}; {there}")
        if not equals:
            raise BadOption(f"the option {key!r} of the agent {name} needs a value: {key}=…")
        options[key] = read_value(f"{key} of the agent {name}", value, hints[key])
    return options


def read_value(what: str, text: str, hint: object) -> Value:
    """A text as a value of a type: a number, a switch, a word of a list."""
    if get_origin(hint) in (types.UnionType, Union):
        kinds = get_args(hint)
        if type(None) in kinds and text.lower() == "none":
            return None
        hint = next(kind for kind in kinds if kind in (int, float, str) or get_origin(kind) is Literal)
    if get_origin(hint) is Literal:
        if text not in get_args(hint):
            raise BadOption(f"{what} must be one of {', '.join(get_args(hint))}, not {text!r}")
        return text
    if hint is bool:
        if text.lower() not in ("true", "false", "yes", "no", "on", "off", "1", "0"):
            raise BadOption(f"{what} must be true or false, not {text!r}")
        return text.lower() in ("true", "yes", "on", "1")
    if hint in (int, float):
        try:
            return hint(text.replace("_", "")) if hint is float else int(text.replace("_", ""))
        except ValueError:
            kind = "a whole number" if hint is int else "a number"
            raise BadOption(f"{what} must be {kind}, not {text!r}") from None
    return text


def write_agent(agent: Agent) -> str:
    """The text of an agent: what its own write() says, or its name and the options that differ from the defaults."""
    own: Callable[[], str] | None = getattr(agent, "write", None)
    if own is not None:
        return str(own())
    kind: type[Any] = type(agent)
    name = next((n for n, k in AGENTS.items() if k is kind), None)
    if name is not None:
        options = changed_options(agent, kind())
        return name + (":" + options if options else "")
    where = f"{kind.__module__}:{kind.__name__}"
    name = next((n for n in OUTSIDE if HIGHER[f"agent {n}"] == where), None)
    if name is None:
        return str(kind.__name__)
    command = getattr(agent, fields(kind)[0].name)
    options = changed_options(agent, kind(command))
    return f'{name}:"{command}"' + ("," + options if options else "")


def changed_options(agent: Agent, usual: DataclassInstance) -> str:
    """The options of an agent that differ from the defaults."""
    return ",".join(
        f"{f.name}={str(value).lower() if isinstance(value, bool) else value}"
        for f in fields(usual)
        if f.init and (value := getattr(agent, f.name)) != getattr(usual, f.name)
    )
