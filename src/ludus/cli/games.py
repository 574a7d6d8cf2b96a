"""`ludus games`: what there is to play."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Annotated, Any

import tyro

from ludus.cli.parse import parse
from ludus.game import Game
from ludus.games import ALL


@dataclass(frozen=True)
class Games:
    """List the games, their options and how their moves are written."""

    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False  # print JSON


def main(arguments: list[str]) -> None:
    options = parse(Games, arguments, "ludus games")
    if options.json:
        print(json.dumps([as_json(kind()) for kind in ALL.values()], indent=1))
        return
    for kind in ALL.values():
        row = as_json(kind())
        print(f"{row['game']}\n  {row['about']}")
        print("  options: " + ", ".join(f"{k}={v!r}" for k, v in row["options"].items()))
        print("  moves are written " + ", ".join(row["moves"]) + ", …\n")


def as_json(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "about": (game.__doc__ or "").strip(),
        "options": {f.name: getattr(game, f.name) for f in fields(game)},
        "moves": [game.write(a) for a in game.start().actions()[:3]],
    }
