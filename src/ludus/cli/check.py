"""`ludus check GAME`: holds a game to the contract."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

import tyro

from ludus.cli.parse import parse
from ludus.errors import seed_option


@dataclass(frozen=True)
class Check:
    """Play random games and say whether the game keeps the contract."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]  # a name, or your own: my_game.py:MyState
    games: int = 1000  # how many random games to play
    seed: int = 0  # of the random games

    def __post_init__(self) -> None:
        seed_option("seed", self.seed)


def main(arguments: list[str]) -> None:
    options = parse(Check, arguments, "ludus check")
    from ludus.testing import check_game

    began = time.perf_counter()
    states = check_game(options.game, options.games, options.seed)
    seconds = time.perf_counter() - began
    print(f"{options.game} keeps the contract: {options.games} random games, {states} states, {seconds:.1f} s")
