"""One game between two agents of the course by its clock, and what is counted of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ludus.courses.brown.generation import Generation
from ludus.courses.brown.go_search_problem import Action, GoProblem, GoState
from ludus.errors import BadOption, LudusError, whole_option


@dataclass
class GameStats:
    """One game. The winner is 1 for the first player, -1 for the second, 0 after a repetition."""

    winner: float
    player1_time_remaining: float
    player2_time_remaining: float
    player1_move_times: list[float] = field(default_factory=list)
    player2_move_times: list[float] = field(default_factory=list)

    @property
    def player1_avg_time(self) -> float:
        return mean(self.player1_move_times)

    @property
    def player2_avg_time(self) -> float:
        return mean(self.player2_move_times)

    @property
    def player1_max_time(self) -> float:
        return max(self.player1_move_times, default=0.0)

    @property
    def player2_max_time(self) -> float:
        return max(self.player2_move_times, default=0.0)

    def swapped(self) -> GameStats:
        """The same game with the players exchanged."""
        return GameStats(
            -self.winner, self.player2_time_remaining, self.player1_time_remaining, self.player2_move_times,
            self.player1_move_times,
        )  # fmt: skip


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


@dataclass(frozen=True)
class Terms:
    """Board, clock, and whether a player whose time is up has lost."""

    size: int = 5
    time_limit: float = 15.0
    time_increment: float = 1.0
    hard_time_cutoff: bool = True

    def __post_init__(self) -> None:
        whole_option("size", self.size, 2, 19)
        if not 0 < self.time_limit <= 1e6 or not 0 <= self.time_increment <= 1e6:
            raise BadOption("the time limit must be above 0 seconds and the increment 0 or more")


def play_game(
    agent1: Any, agent2: Any, terms: Terms, how: Generation, now: Callable[[], float] = time.monotonic
) -> GameStats:
    """Plays one game, agent1 with Black. The clock runs as the course's does: the increment comes after the move."""
    problem = GoProblem(terms.size)
    state, agents, player = problem.start_state, (agent1, agent2), 0
    left = [terms.time_limit, terms.time_limit]
    times: tuple[list[float], list[float]] = ([], [])
    while not problem.is_terminal_state(state):
        began = now()
        action = agents[player].get_move(state.clone(), left[player])
        spent = now() - began
        left[player] -= spent
        times[player].append(spent)
        if left[player] <= 0:
            announce(player, terms.hard_time_cutoff, how)
            if terms.hard_time_cutoff:
                return GameStats(-1 if player == 0 else 1, left[0], left[1], *times)
        if left[player] > 0 or player == 0 or how.classes:  # with soft time; until S25 White's overrun earned nothing
            left[player] += terms.time_increment
        state = after(problem, state, action, agents[player])
        player = 1 - player
    return GameStats(problem.get_result(state), left[0], left[1], *times)


def announce(player: int, hard: bool, how: Generation) -> None:
    """Says that a player's time is up, as the generation does."""
    if how.classes and hard:
        print(f"Player {player + 1} ran out of time and forfeits the game!")
    elif not how.classes and player + 1 in how.announced:
        print(f"Player {player + 1} over time")


def after(problem: GoProblem, state: GoState, action: Action, agent: Any) -> GoState:
    """The state after an agent's action; an illegal one ends the run with a sentence, as it ends the course's."""
    try:
        return problem.transition(state, action)
    except (LudusError, TypeError) as error:
        raise LudusError(f"{agent} answered {action!r}: {error}") from None
