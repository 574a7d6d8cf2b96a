"""`ludus zoo`: the networks that come with Ludus, with their measured strength."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from ludus.cli.parse import parse
from ludus.cli.train import require_torch

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Options:
    """The networks that come with Ludus. Each is an agent: ludus play hex --size 7 --against zoo:hex7"""

    json: Flag = False  # print JSON


def main(arguments: list[str]) -> None:
    options = parse(Options, arguments, "ludus zoo")
    require_torch()
    rows = [about(name) for name in networks()]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("agent", "game", "network", "trained", "measured", show_lines=True, header_style="bold")
    for row in rows:
        table.add_row(row["agent"], row["game"], row["network"], row["trained"], "\n".join(row["measured"]))
    Console().print(table)
    print(
        "zoo:hex7 plays its likeliest move without any search; zoo:hex7,simulations=200 searches.\n"
        f"`ludus topp {series()[0]}` plays the tournament of the stages of one training."
    )


def networks() -> list[str]:
    from ludus.learn.zoo import names

    return names()


def series() -> list[str]:
    from ludus.learn.zoo import series

    return series()


def about(name: str) -> dict[str, Any]:
    from ludus.learn.checkpoint import load_checkpoint, say
    from ludus.learn.zoo import facts, folder_of, path_of

    path = path_of(name)
    checkpoint = load_checkpoint(path)
    shape = checkpoint.network.settings
    known = facts().get(name, {})
    body = f"{shape.blocks} blocks of {shape.channels} channels" if shape.net == "conv" else f"layers {shape.hidden}"
    return {
        "agent": f"zoo:{name}",
        "game": say(checkpoint.game),
        "network": f"{body}, {path.stat().st_size // 1024} KB",
        "checkpoints": [int(file.stem) for file in sorted((folder_of(name) / "checkpoints").glob("*.safetensors"))],
        "trained": f"{checkpoint.episode} games, {known.get('minutes', '?')} minutes",
        "measured": known.get("measured", []),
    }
