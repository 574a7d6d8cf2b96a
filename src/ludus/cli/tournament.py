"""`ludus tournament AGENT AGENT AGENT … --game GAME`: a crosstable and ratings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from ludus.cli import arena
from ludus.cli.tables import crosstable_of, forfeits_in_words, print_tables, table_of


@dataclass(frozen=True)
class Options(arena.Arena):
    """Many agents play each other. Stopped, the same command goes on where it was."""

    pairing: Literal["round-robin", "one-against-all"] = "round-robin"  # one: the first agent against each other one


def main(arguments: list[str]) -> None:
    game, options = arena.read("tournament", Options, arguments)
    all_or_one = options.pairing == "one-against-all"
    tournament, outcome, folder = arena.play_out(game, options, one_against_all=all_or_one)
    if options.json:
        print(json.dumps(outcome.standing.plain(), indent=1))
        return
    print_tables(table_of(outcome.standing, tournament.clock is not None), crosstable_of(outcome.standing))
    print(forfeits_in_words(outcome), end="")
    arena.say_where(outcome, folder)
