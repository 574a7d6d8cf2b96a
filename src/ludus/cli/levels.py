"""`ludus levels GAME`: the opponents of known strength that a game has."""

from __future__ import annotations

import json
import shutil
import textwrap
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from ludus.cli import options as flags

if TYPE_CHECKING:
    from ludus.agents.levels import Level
    from ludus.game import Game

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Levels:
    """The levels of a game, the weakest first. Each is an agent: ludus play hex --size 7 --against level:3"""

    json: Flag = False  # print JSON


def main(arguments: list[str]) -> None:
    game, options = flags.read("levels", Levels, arguments)
    from ludus.agents.levels import levels_of

    found = levels_of(game)
    print(json.dumps([asdict(level) for level in found], indent=1) if options.json else listing(game, found))


def listing(game: Game, levels: list[Level]) -> str:
    """A paragraph for each level."""
    from ludus.play.talk import title_of

    width = min(100, max(40, shutil.get_terminal_size().columns))
    lines = [f"{title_of(game)}: {len(levels)} levels"]
    for level in levels:
        lines += textwrap.wrap(
            f"level:{level.number:<3} {level.name}. {level.about}", width, subsequent_indent=" " * 10
        )
        lines += textwrap.wrap(f"{strength(level)}{level.agent}", width, initial_indent=" " * 10,
                               subsequent_indent=" " * 10, break_on_hyphens=False)  # fmt: skip
    lines += ["", *textwrap.wrap(levels[0].note.replace("Measured in", "Level 1 was measured in"), width)]
    lines.append("play one: " + f"ludus play {flags.game_in_flags(game)} --against level:{min(2, len(levels))}")
    return "\n".join(lines)


def strength(level: Level) -> str:
    """Its rating in words, if it was measured."""
    if level.elo is None or level.number == 1:
        return ""
    return f"Elo {level.elo:+.0f} above level 1 ({level.low:+.0f} to {level.high:+.0f}): "
