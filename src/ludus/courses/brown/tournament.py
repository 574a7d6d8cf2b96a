"""Many games between two agents, colours exchanged in every pair: what is counted, and what is printed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ludus.courses.brown.generation import Generation
from ludus.courses.brown.playing import GameStats, Terms, mean, play_game
from ludus.errors import BadOption

EVERY = 20.0  # seconds between lines of progress where there is no terminal


@dataclass
class TournamentStats:
    """The counts of spring 2026. A game that agent 1 has not won is booked as a win of agent 2, draws included."""

    player1_wins: int = 0
    player2_wins: int = 0
    player1_wins_as_black: int = 0
    player2_wins_as_black: int = 0
    player1_total_time: float = 0.0
    player2_total_time: float = 0.0
    player1_min_time_remaining: float = float("inf")
    player2_min_time_remaining: float = float("inf")
    player1_max_move_time: float = 0.0
    player2_max_move_time: float = 0.0
    games_played: int = 0
    games: list[tuple[GameStats, bool]] = field(default_factory=list)  # seen by agent 1, and was it Black?

    def add_game(self, stats: GameStats, player1_is_black: bool) -> None:
        """Counts a game, in which player 1 is agent 1."""
        self.games_played += 1
        self.games.append((stats, player1_is_black))
        won = stats.winner == 1
        self.player1_wins += won
        self.player2_wins += not won
        self.player1_wins_as_black += won and player1_is_black
        self.player2_wins_as_black += not won and not player1_is_black
        self.player1_total_time += stats.player1_avg_time
        self.player2_total_time += stats.player2_avg_time
        self.player1_min_time_remaining = min(self.player1_min_time_remaining, stats.player1_time_remaining)
        self.player2_min_time_remaining = min(self.player2_min_time_remaining, stats.player2_time_remaining)
        self.player1_max_move_time = max(self.player1_max_move_time, stats.player1_max_time)
        self.player2_max_move_time = max(self.player2_max_move_time, stats.player2_max_time)

    @property
    def scores(self) -> tuple[float, float]:
        """Wins less losses of both agents; a draw counts for nobody."""
        score = sum((float(stats.winner) for stats, _ in self.games), 0.0)
        return score, 0.0 - score

    def print_summary(self, agent1: Any, agent2: Any) -> None:
        """The ten lines of F25 and S26."""
        played = self.games_played
        print("Tournament Results")
        print(f"Games played: {played}")
        print(f"{agent1} wins: {self.player1_wins} ({self.player1_wins / played:.1%})")
        print(f"{agent2} wins: {self.player2_wins} ({self.player2_wins / played:.1%})")
        print(f"{agent1} wins as BLACK: {self.player1_wins_as_black}")
        print(f"{agent2} wins as BLACK: {self.player2_wins_as_black}")
        print(f"{agent1} avg move time: {self.player1_total_time / played:.3f}s")
        print(f"{agent2} avg move time: {self.player2_total_time / played:.3f}s")
        print(f"{agent1} min time remaining: {self.player1_min_time_remaining:.1f}s")
        print(f"{agent2} min time remaining: {self.player2_min_time_remaining:.1f}s")

    def print_scores(self, agent1: Any, agent2: Any) -> None:
        """The twelve lines of F24 and S25."""
        for what, numbers in self.pairs():
            for number, agent, shown in zip((1, 2), (agent1, agent2), numbers, strict=True):
                print(f"Agent {number}: {agent} {what}: {shown}")

    def pairs(self) -> list[tuple[str, tuple[float, float]]]:
        """What the twelve lines say of both agents."""
        black = (
            sum((float(stats.winner) for stats, black in self.games if black), 0.0),
            sum((0.0 - stats.winner for stats, black in self.games if not black), 0.0),
        )
        stats = [stats for stats, _ in self.games]
        return [
            ("Score", self.scores),
            ("Score with Black (first move)", black),
            (
                "Average Duration",
                (mean([s.player1_avg_time for s in stats]), mean([s.player2_avg_time for s in stats])),
            ),
            ("Longest Duration", (self.player1_max_move_time, self.player2_max_move_time)),
            (
                "Average Time Remaining",
                (mean([s.player1_time_remaining for s in stats]), mean([s.player2_time_remaining for s in stats])),
            ),
            ("Min Time Remaining", (self.player1_min_time_remaining, self.player2_min_time_remaining)),
        ]


def play_tournament(
    agent1: Any, agent2: Any, num_games: int, terms: Terms, how: Generation, show: bool = True
) -> TournamentStats:
    """Plays pairs of games, agent 1 with Black first. Odd numbers lose a game in F24 and S25, and gain one later."""
    pairs = (num_games + 1) // 2 if how.classes else num_games // 2
    if pairs < 1:
        raise BadOption(f"a tournament needs at least two games, one with each colour, not {num_games!r}")
    stats = TournamentStats()
    with progress(2 * pairs, show) as advance:
        for _ in range(pairs):
            for agent in (agent1, agent2):  # once for both games, as the course does
                getattr(agent, "reset", lambda: None)()
            stats.add_game(play_game(agent1, agent2, terms, how), player1_is_black=True)
            advance(stats)
            stats.add_game(play_game(agent2, agent1, terms, how).swapped(), player1_is_black=False)
            advance(stats)
    return stats


@contextmanager
def progress(total: int, show: bool) -> Iterator[Any]:
    """Shows on standard error how far a tournament is: a bar on a terminal, a line now and then elsewhere."""
    if not show:
        yield lambda stats: None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("Playing tournament", total=total)
            yield lambda stats: bar.update(task, completed=stats.games_played)
    else:
        yield lines(total)


def lines(total: int) -> Any:
    """A line on standard error every now and then."""
    began = last = time.monotonic()

    def advance(stats: TournamentStats) -> None:
        nonlocal last
        now, done = time.monotonic(), stats.games_played
        if now - last >= EVERY and done < total:
            last = now
            left = (now - began) / done * (total - done)
            print(f"{done} of {total} games, about {left:.0f} s left", file=sys.stderr, flush=True)

    return advance
