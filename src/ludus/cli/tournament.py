"""`ludus tournament AGENT AGENT AGENT … --game GAME`: a crosstable and ratings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from ludus.cli import arena


@dataclass(frozen=True, kw_only=True)
class Options(arena.Arena):
    """Many agents play each other. Stopped, the same command goes on where it was."""

    pairing: Literal["round-robin", "one-against-all"] = "round-robin"  # one: the first agent against each other one


def main(arguments: list[str]) -> None:
    game, options = arena.read("tournament", Options, arguments)
    one_against_all = options.pairing == "one-against-all"
    _, outcome, folder = arena.play_out(game, options, one_against_all)
    if options.json:
        print(json.dumps(outcome.standing.plain(), indent=1))
        return
    from ludus.cli.tables import crosstable_of, forfeits_in_words, print_tables, table_of

    print_tables(table_of(outcome.standing), *crosstable_of(outcome.standing))
    print(forfeits_in_words(outcome), end="")
    arena.say_where(outcome, folder)
