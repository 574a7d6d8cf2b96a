"""`ludus zoo`: the networks that come with Ludus, with their measured strength."""

from __future__ import annotations

import json
import shutil
import textwrap
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from ludus.cli.parse import parse

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Options:
    """The networks that come with Ludus. Each is an agent: ludus play hex --size 7 --against zoo:hex7"""

    json: Flag = False  # print JSON


def main(arguments: list[str]) -> None:
    options = parse(Options, arguments, "ludus zoo")
    from ludus.cli.train import require_torch

    require_torch()
    rows = [about(name) for name in networks()]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print("\n".join(text(row) for row in rows))
    print("zoo:hex7 plays its likeliest move at once; zoo:hex7,simulations=200 searches.")
    for row in rows:
        if len(row["checkpoints"]) > 1:
            print(f"`ludus topp {row['agent']}` plays a tournament of its {len(row['checkpoints'])} stages.")


def text(row: dict[str, Any]) -> str:
    """A network for the terminal: its game and size, and a line for everything that was measured."""
    width = min(120, max(40, shutil.get_terminal_size().columns))
    lines = [f"{row['agent']}: {row['game']}", f"{row['network']}, trained with {row['trained']}", *row["measured"]]
    wrapped = [textwrap.wrap(line, width - 2, subsequent_indent="  ", break_on_hyphens=False) for line in lines]
    return "\n  ".join(part for line in wrapped for part in line) + "\n"


def networks() -> list[str]:
    from ludus.learn.zoo import names

    return names()


def about(name: str) -> dict[str, Any]:
    from ludus.learn.checkpoint import game_in_words, load_checkpoint
    from ludus.learn.zoo import facts, folder_of, path_of

    path = path_of(name)
    checkpoint = load_checkpoint(path)
    shape = checkpoint.network.settings
    known = facts().get(name, {})
    body = f"{shape.blocks} blocks of {shape.channels} channels" if shape.net == "conv" else f"layers {shape.hidden}"
    return {
        "agent": f"zoo:{name}",
        "game": game_in_words(checkpoint.game),
        "network": f"{body}, {path.stat().st_size // 1024} KB",
        "checkpoints": [int(file.stem) for file in sorted((folder_of(name) / "checkpoints").glob("*.safetensors"))],
        "trained": f"{checkpoint.episode} games, {known.get('minutes', '?')} minutes",
        "measured": known.get("measured", []),
    }
