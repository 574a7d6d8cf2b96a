"""`ludus play GAME`: a person plays an agent in the terminal."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from ludus._core import Rng
from ludus.cli import options as flags
from ludus.errors import BadOption, seed_option
from ludus.game import Game, Player

if TYPE_CHECKING:
    from ludus.agents import Agent
    from ludus.play.table import Table


@dataclass(frozen=True)
class Play:
    """Play a game yourself. Type moves as the game writes them; ? lists them, and what else can be said."""

    against: str = "level:2"  # the agent: level:5, mcts:seconds=1, alphabeta:depth=4, gtp:"gnugo --mode gtp", …
    side: Annotated[Literal["first", "second", "random"], tyro.conf.arg(name="as")] = "first"  # do you begin?
    clock: str | None = None  # 60+5: seconds for the game + for each move; 30/move: seconds for each move
    seed: int | None = None  # of the agent's random numbers; another one every time if not given
    record: Path | None = None  # the file to which the finished game is added, as a line of JSON

    def __post_init__(self) -> None:
        if self.seed is not None:
            seed_option("seed", self.seed)


def main(arguments: list[str]) -> None:
    game, options = flags.read("play", Play, arguments)
    from ludus.agents import accept, close, make_agent
    from ludus.play.clock import read_clock
    from ludus.play.table import Table

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (input() then knows arrow keys and earlier lines)
    if options.record and not options.record.absolute().parent.is_dir():
        raise BadOption(f"there is no folder {str(options.record.parent)!r} to put the record into")
    seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    agent, timing = make_agent(options.against), read_clock(options.clock)
    accept(agent, game)
    helpers: list[Agent] = [agent]

    def adviser() -> Agent:
        helpers.append(make_agent(options.against))
        return helpers[-1]

    table = Table(game, agent, player_for(game, options.side, seed), say, input, adviser, timing, seed)
    try:
        with flags.told_in_a_sentence(game):
            table.play()
    finally:
        for helper in helpers:
            close(helper)
    if options.record:
        save(table, options.record)


def player_for(game: Game, side: str, seed: int) -> Player:
    """The player, 0 or 1, for a person who wants to move first, second or at random."""
    first = game.start().player
    return first if side == "first" or (side == "random" and Rng(seed).below(2) == 0) else 1 - first


def say(text: str) -> None:
    print(text, flush=True)


def save(table: Table, path: Path) -> None:
    """Adds the record to a file."""
    record = table.record()
    if record is None:
        say("An unfinished game is not recorded.")
        return
    with path.open("a", encoding="utf-8") as file:
        file.write(record.line() + "\n")
    say(f"The record is in {path}.")
