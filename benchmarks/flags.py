"""Ten thousand games at 0.2 s + 0.002 s between our agents, two at a time: how many flags fall?

    python benchmarks/flags.py                        ten thousand games on all cores, several hours
    python benchmarks/flags.py --games 48             a few of each, to see that it works
    python benchmarks/flags.py --only hex7 --json flags.json

Every game has a tournament of its own in `--out` (runs/flags), so stopped at any moment the same command goes on. Two
workers play on two cores, so an agent with several threads disturbs its neighbour, as on a busy machine. With
no flag in n games the true rate is below 3/n with 95% confidence.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import ludus
from ludus.play.clock import read_clock
from ludus.play.rating import score_interval
from ludus.play.record import Record
from ludus.play.tournament import Tournament, run

CLOCK = "0.2+0.002"
SEARCHES = ("mcts", "mcts:rave=true", "deepening", "flat")
MATCHES: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {  # the game, its options, and who plays
    "tic_tac_toe": ("tic_tac_toe", {}, ("mcts", "alphabeta:depth=9", "deepening", "flat")),
    "connect_four": ("connect_four", {}, (*SEARCHES, "perfect")),
    "hex5": ("hex", {"size": 5}, (*SEARCHES, "perfect")),
    "hex7": ("hex", {"size": 7}, (*SEARCHES, "mcts:threads=2")),
    "hex11": ("hex", {"size": 11}, SEARCHES),
    "othello6": ("othello", {"size": 6}, SEARCHES),
    "othello8": ("othello", {}, (*SEARCHES, "mcts:endgame=true")),
    "go9": ("go", {"size": 9}, SEARCHES),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000, help="in all, shared equally by the games")
    parser.add_argument("--only", nargs="*", choices=list(MATCHES), default=list(MATCHES))
    parser.add_argument("--workers", type=int, default=2, help="games at a time")
    parser.add_argument("--out", type=Path, default=Path("runs/flags"))
    parser.add_argument("--json", type=Path, help="the counts, for other programs")
    options = parser.parse_args()
    rows = []
    for name in options.only:
        tournament = tournament_of(name, options.games // len(options.only), options.workers)
        begun, done = time.monotonic(), 0

        def watch(records: list[Record], name: str = name, total: int = len(tournament.meetings)) -> None:
            nonlocal begun, done
            done += len(records)
            if done == total or time.monotonic() - begun > 20.0:
                begun = time.monotonic()
                print(f"{name}: {done} of {total} games", file=sys.stderr, flush=True)

        records = run(tournament, options.out / name, watch).records
        rows += rows_of(name, tournament, records)
    print(table_of(rows))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return int(any(row["flags"] for row in rows))


def tournament_of(name: str, games: int, workers: int) -> Tournament:
    """Everybody against everybody, at least so many games in all, and two of every opening."""
    kind, sizes, agents = MATCHES[name]
    pairs = len(list(combinations(agents, 2)))
    return Tournament(
        ludus.make(kind, **sizes), agents, 2 * math.ceil(games / pairs / 2), read_clock(CLOCK), workers=workers
    )


def rows_of(name: str, tournament: Tournament, records: Sequence[Record]) -> list[dict[str, Any]]:
    """For every agent: its games, its fallen flags, other ends than by the rules, and the least time it had left."""
    ends: Counter[tuple[str, str]] = Counter()
    games: Counter[str] = Counter()
    least: dict[str, float] = {}
    for record in records:
        games.update(record.agents)
        if record.fault is not None:
            ends[record.agents[record.fault], record.end] += 1
        for turn in record.turns:
            if turn.left is not None:
                agent = record.agents[turn.player]
                least[agent] = min(least.get(agent, 1e9), turn.left)
    return [
        {
            "game": name, "agent": agent, "games": games[agent], "flags": ends[agent, "flag"],
            "other forfeits": sum(count for (who, end), count in ends.items() if who == agent and end != "flag"),
            "least left": round(least[agent], 4) if agent in least else None,
        }
        for agent in tournament.names
    ]  # fmt: skip


def table_of(rows: Sequence[dict[str, Any]]) -> str:
    """A line for every agent, and the sum with its interval."""
    head = f"{'game':14}{'agent':22}{'games':>7}{'flags':>7}{'other':>7}{'least left, s':>15}"
    lines = [head] + [
        f"{row['game']:14}{row['agent']:22}{row['games']:>7}{row['flags']:>7}{row['other forfeits']:>7}"
        f"{row['least left'] if row['least left'] is not None else '':>15}"
        for row in rows
    ]
    games, flags = sum(row["games"] for row in rows) // 2, sum(row["flags"] for row in rows)
    low, high = score_interval(flags, games)
    return "\n".join([*lines, f"{games} games, {flags} flags: {low:.3%} to {high:.3%} of the games (95%)"])


if __name__ == "__main__":
    sys.exit(main())
