"""`ludus match AGENT AGENT --game GAME`: two agents play each other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ludus.cli import arena
from ludus.errors import BadOption

if TYPE_CHECKING:
    from ludus.play.tournament import Outcome, Tournament


@dataclass(frozen=True, kw_only=True)
class Match(arena.Arena):
    """Two agents play each other. Stopped, the same command goes on where it was."""

    until: Literal["decided", "played"] = "played"  # decided: stop when a sequential test (SPRT) knows who is better


def main(arguments: list[str]) -> None:
    game, options = arena.read("match", Match, arguments)
    if len(options.agents) != 2:
        raise BadOption(f"a match is between two agents, not {len(options.agents)}: ludus match AGENT AGENT --game …")
    tournament, outcome, folder = arena.play_out(game, options, until_decided=options.until == "decided")
    if options.json:
        print(json.dumps(summary(tournament, outcome), indent=1))
        return
    from ludus.cli.tables import forfeits_in_words, print_tables, table_of

    print_tables(table_of(outcome.standing))
    print(sentence(tournament, outcome))
    print(forfeits_in_words(outcome), end="")
    arena.say_where(outcome, folder)


def summary(tournament: Tournament, outcome: Outcome) -> dict[str, Any]:
    """The result for programs. The score and its interval are the first agent's."""
    from ludus.cli.tables import decided

    one, other = tournament.names
    row = outcome.standing[one]
    return {
        "games": outcome.standing.games,
        "wins": {one: row.all.wins, other: row.all.losses},
        "draws": row.all.draws,
        "score": round(row.all.score, 4),
        "interval": [round(end, 4) for end in row.interval],
        "forfeits": {agent: outcome.standing[agent].forfeits for agent in (one, other)},
        "different_games": outcome.standing.different_games,
        "decided": decided(tournament, outcome),
        "agents": outcome.standing.plain()["agents"],
    }


def sentence(tournament: Tournament, outcome: Outcome) -> str:
    """The result in words."""
    from ludus.cli.tables import decided

    row = outcome.standing[tournament.names[0]]
    low, high = row.interval
    words = f"{row.agent} scored {row.all.score:.1%} (95% interval {low:.1%} to {high:.1%})"
    verdict = decided(tournament, outcome)
    lost = sum(sum(row.forfeits.values()) for row in outcome.standing.rows)
    forfeited = f"; {lost} of the {outcome.standing.games} games were forfeited" if lost else ""
    return words + forfeited + (f"; {verdict}" if verdict else "") + "."
