"""`ludus zoo`: the networks that come with Ludus; `ludus zoo hex7`: everything about one of them."""

from __future__ import annotations

import json
import shutil
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from ludus.cli.options import game_in_flags
from ludus.cli.parse import parse

if TYPE_CHECKING:
    from ludus.learn.settings import TrainSettings

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]
Row = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """The networks that come with Ludus. Each is an agent: ludus play hex --size 7 --against zoo:hex7"""

    name: Annotated[str, tyro.conf.Positional] = ""  # of one of them, to see all that is known about it
    json: Flag = False  # print JSON


def main(arguments: list[str]) -> None:
    options = parse(Options, arguments, "ludus zoo")
    from ludus.learn.zoo import names

    if options.name:
        row = about(options.name.removeprefix("zoo:"))
        print(json.dumps(row, indent=1) if options.json else details(row))
        return
    rows = [about(name) for name in names()]
    print(json.dumps(rows, indent=1) if options.json else listing(rows))


def about(name: str) -> Row:
    """What is known about a network."""
    from ludus.learn.config import game_of, settings_in
    from ludus.learn.zoo import facts, folder_of, path_of
    from ludus.play.talk import title_of

    folder, known = folder_of(name), facts().get(name, {})
    game, settings = game_of(folder), settings_in(folder)
    shape = settings.network
    body = {
        "conv": f"{shape.blocks} blocks of {shape.channels} channels",
        "patterns": f"lines of {2 * shape.reach + 1} cells, {shape.channels} channels",
        "mlp": f"layers {shape.hidden}",
    }[shape.net]
    saved = [int(file.stem) for file in sorted((folder / "checkpoints").glob("*.safetensors"))]
    return {
        "agent": f"zoo:{name}",
        "game": title_of(game),
        "flags": game_in_flags(game),
        "network": body,
        "kilobytes": path_of(name).stat().st_size // 1024,
        "checkpoints": saved,
        "minutes": known.get("minutes"),
        "trained": trained(settings, saved[-1]) + begun_with(settings, name),
        "script": known.get("script"),
        "headline": known.get("headline", ""),
        "measured": known.get("measured", []),
    }  # fmt: skip


def trained(settings: TrainSettings, episodes: int) -> str:
    """What a network has learned from, in words."""
    from ludus.learn.settings import ROUND

    share, search = settings.exercises.exercises, settings.search
    if share == 1:
        return f"{episodes * ROUND:,} exercises, labelled by the exact solver"
    words = f"{episodes:,} games against itself, recipe {settings.recipe}, {search.simulations} simulations a move"
    if search.teacher == "solver":
        words += ", taught by the exact solver"
    if share > 0:
        words += f", and exercises labelled by the exact solver ({share:.0%} of what it learned)"
    return words


def begun_with(settings: TrainSettings, name: str) -> str:
    """Which network the training began with, if it did."""
    if settings.from_network is None:
        return ""
    earlier = settings.from_network == f"zoo:{name}"  # what had this name before
    return f", begun with {'an earlier network of this name' if earlier else settings.from_network}"


def listing(rows: list[Row]) -> str:
    """A line for each network, and how to use them."""
    lines = ["network     game               KB min measured, bare unless times are given"]
    for row in rows:
        minutes = "?" if row["minutes"] is None else row["minutes"]
        name = row["agent"].removeprefix("zoo:")
        lines.append(f"{name:11} {row['game']:16} {row['kilobytes']:4} {minutes:>3} {row['headline']}".rstrip())
    lines.append("\n`ludus zoo hex7` tells all about one; the minutes are those of its training.")
    lines.append("zoo:hex7 plays its likeliest move at once; zoo:hex7,simulations=200 searches.")
    lines += [f"`ludus topp {row['agent']}` plays a tournament of its {len(row['checkpoints'])} stages."
              for row in rows if len(row["checkpoints"]) > 1]  # fmt: skip
    return "\n".join(lines)


def details(row: Row) -> str:
    """Everything about one network."""
    width = min(100, max(40, shutil.get_terminal_size().columns))
    minutes = "" if row["minutes"] is None else f", {row['minutes']} minutes"
    lines = [
        f"{row['agent']}: {row['game']}",
        f"network: {row['network']}, {row['kilobytes']} KB",
        f"trained: {row['trained']}{minutes}",
        *([f"script: {row['script']}"] if row["script"] else []),
        "measured (95% intervals):",
        *(f"- {measured['how']}: {measured['text']}" for measured in row["measured"]),
        f"play it: ludus play {row['flags']} --against {row['agent']}",
        f"with a search: {row['agent']},simulations=200 or {row['agent']},seconds=1",
    ]
    if len(row["checkpoints"]) > 1:
        lines.append(f"its {len(row['checkpoints'])} stages meet: ludus topp {row['agent']}")
    wrapped = (textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False) for line in lines)
    return "\n".join(part for line in wrapped for part in line)
