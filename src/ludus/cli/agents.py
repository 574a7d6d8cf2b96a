"""`ludus agents`: the agents and their options."""

from __future__ import annotations

import ast
import importlib.util
import json
import shutil
import sys
import textwrap
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, get_args

import tyro

from ludus.cli.parse import parse
from ludus.errors import LudusError

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]
ONLY = "only these; also a class of yours: my_agent.py:MyAgent"
KINDS = {"int": "whole number", "float": "number", "bool": "true, false", "str": "text"}


@dataclass(frozen=True)
class Agents:
    """List the agents, their options and what those mean."""

    names: Annotated[tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="[AGENT …]", help=ONLY)] = ()
    json: Flag = False  # print JSON


@dataclass(frozen=True)
class Option:
    """One option of an agent."""

    name: str
    kind: str  # what its values are, in words
    default: str
    about: str


@dataclass(frozen=True)
class About:
    """One agent, or one kind of agents."""

    agent: str  # how it is written on the command line
    about: str
    options: list[Option]


def main(arguments: list[str]) -> None:
    chosen = parse(Agents, arguments, "ludus agents")
    known = {} if chosen.names and all(".py:" in name for name in chosen.names) else known_agents()
    rows = [about_one(name, known) for name in chosen.names] or list(known.values())
    if chosen.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return
    print("\n".join(text(row) for row in rows))
    if not chosen.names:
        print("Options follow a colon: mcts:simulations=500,rule=puct. A program's command comes first, in quotes:")
        print("""'gtp:"gnugo --mode gtp",seconds=10'. The manual is docs/arena.md.""")


def known_agents() -> dict[str, About]:
    """Our agents, outside programs, networks and the zoo, by name."""
    from ludus.agents.parse import AGENTS
    from ludus.learn.zoo import names
    from ludus.load import HIGHER

    rows = {name: read_class(name, f"{kind.__module__}:{kind.__name__}") for name, kind in AGENTS.items()}
    for name, sample in (("gtp", '"PROGRAM"'), ("othello-pipe", '"PROGRAM"'), ("openspiel", "BOT")):
        rows[name] = read_class(f"{name}:{sample}", HIGHER[f"agent {name}"], skip=1)
    network = HIGHER["agent of a network"]
    rows["network"] = read_class("runs/RUN/checkpoints/NUMBER.safetensors", network, skip=1)
    zoo = f"A network that comes with Ludus: {', '.join(names())}. It has the same options; `ludus zoo` tells more."
    rows["zoo"] = About("zoo:NAME", zoo, [])
    levels = "An opponent of known strength by its number, 1 the weakest, or name; `ludus levels hex` lists them."
    rows["level"] = About("level:NUMBER", levels, [])
    own = "A class of yours with a method decide(state, rng, left=None); if it is a dataclass, its fields are options."
    rows["yours"] = About("my_agent.py:MyAgent", own, [])
    return rows


def about_one(name: str, known: dict[str, About]) -> About:
    """An agent by its name, or a class in a file."""
    from ludus.text import did_you_mean

    if ".py:" in name:
        from ludus.agents import make_agent

        make_agent(name)  # says what is wrong with it, if something is
        place, _, kind = name.partition(".py:")
        return read_source(name, Path(f"{place}.py"), kind.partition(":")[0], "")
    key = name.partition(":")[0]
    if key not in known:
        raise LudusError(f"there is no agent {name!r}; {did_you_mean(key, known)}")
    return known[key]


def read_class(agent: str, where: str, skip: int = 0) -> About:
    """An agent from the file of its class, "module:Class", without its first options.

    The module itself is not imported, because that of networks needs PyTorch.
    """
    module, _, name = where.partition(":")
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    found = read_source(agent, Path(spec.origin), name, module)
    return About(agent, found.about, found.options[skip:])


def read_source(agent: str, path: Path, name: str, module: str) -> About:
    """An agent from source text: the first paragraph of its docstring, its fields and the comments beside them."""
    source = path.read_text(encoding="utf-8")
    kind = next(n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ClassDef) and n.name == name)
    options = []
    for node in kind.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        hint = ast.unparse(node.annotation)
        if node.target.id.startswith("_") or hint.startswith("ClassVar"):
            continue
        line = source.splitlines()[(node.end_lineno or 1) - 1]
        comment = line.partition("  # ")[2].strip()
        default = ast.unparse(node.value).strip("'").lower() if node.value is not None else ""
        options.append(Option(node.target.id, in_words(hint, module), default, comment))
    about = (ast.get_docstring(kind) or "").partition("\n\n")[0].replace("\n", " ")
    return About(agent, about, options if any("dataclass" in ast.unparse(d) for d in kind.decorator_list) else [])


def in_words(hint: str, module: str) -> str:
    """What the values of a type are: "number", "uct, puct"; a name stands for the type that the module means by it."""
    base = hint.removesuffix(" | None")
    words = [word for word in get_args(getattr(sys.modules.get(module), base, None)) if isinstance(word, str)]
    if base.startswith("Literal["):
        words = list(ast.literal_eval(f"[{base[8:-1]}]"))
    kind = ", ".join(words) or KINDS.get(base, "text")
    return f"{kind} or none" if base != hint else kind


def text(row: About) -> str:
    """An agent for the terminal."""
    width = min(100, max(40, shutil.get_terminal_size().columns))
    lines = [row.agent, *textwrap.wrap(row.about, width, initial_indent="  ", subsequent_indent="  ")]
    for option in row.options:
        given = f"{option.name}={option.default}"
        said = "; ".join(filter(None, (option.kind, option.about)))
        lines += textwrap.wrap(f"{given:<20} {said}", width, initial_indent="    ", subsequent_indent=" " * 25)
    return "\n".join([*lines, ""])
