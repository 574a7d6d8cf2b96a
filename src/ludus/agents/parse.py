"""Agents as text: `mcts:simulations=1000,c=1.4,rave=true`."""

from __future__ import annotations

import types
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ludus.agents.agent import Agent
from ludus.agents.depth import AlphaBetaAgent, DeepeningAgent, GreedyAgent, MinimaxAgent
from ludus.agents.mcts import FlatMonteCarloAgent, MctsAgent
from ludus.agents.random import RandomAgent
from ludus.errors import BadOption, LudusError

AGENTS: dict[str, type] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "flat": FlatMonteCarloAgent,
    "minimax": MinimaxAgent,
    "alphabeta": AlphaBetaAgent,
    "deepening": DeepeningAgent,
    "mcts": MctsAgent,
}


class UnknownAgent(LudusError):
    """No agent has this name."""


def make_agent(text: str) -> Agent:
    """The agent that a text describes: a name, and options after a colon."""
    name, _, rest = str(text).strip().partition(":")
    if name not in AGENTS:
        from difflib import get_close_matches

        near = get_close_matches(name, AGENTS, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}? There are " if near else "there are "
        raise UnknownAgent(f"there is no agent {name!r}; {hint}{', '.join(AGENTS)}")
    kind = AGENTS[name]
    agent: Agent = kind(**read_options(name, kind, rest))
    return agent


def read_options(name: str, kind: type, text: str) -> dict[str, Any]:
    """Options such as `simulations=1000,rave=true`, as the agent's fields want them."""
    hints = get_type_hints(kind)
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


def read_value(what: str, text: str, hint: Any) -> Any:
    """A text as a value of a type: a number, a switch, a word of a list."""
    if get_origin(hint) in (types.UnionType, Union):
        kinds = get_args(hint)
        if type(None) in kinds and text.lower() == "none":
            return None
        hint = next(kind for kind in kinds if kind in (int, float, str))
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
    """The text of an agent: its name, and the options that differ from the usual ones."""
    kind: Any = type(agent)
    name = next((n for n, k in AGENTS.items() if k is kind), kind.__name__)
    if kind not in AGENTS.values():
        return name
    usual = kind()
    parts = [
        f"{f.name}={str(value).lower() if isinstance(value, bool) else value}"
        for f in fields(kind)
        if f.init and (value := getattr(agent, f.name)) != getattr(usual, f.name)
    ]
    return name + (":" + ",".join(parts) if parts else "")
