"""The course's game_runner.py: games and tournaments between two agents, and games against a person.

Functions are those of F24 and S25, classes those of F25 and S26. `python -m ludus.courses.brown` is the command line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.agents import write_agent
from ludus.agents.parse import UnknownAgent
from ludus.courses.brown import people
from ludus.courses.brown.agents import (
    AlphaBetaAgent,
    GreedyAgent,
    IterativeDeepeningAgent,
    LearnedValueAgent,
    LudusAgent,
    MCTSAgent,
    MinimaxAgent,
    PolicyAgent,
    RandomAgent,
    create_policy_agent_from_model,
    create_value_agent_from_model,
    get_final_agent_5x5,
    get_final_agent_9x9,
)
from ludus.courses.brown.generation import S26, early
from ludus.courses.brown.people import print_state
from ludus.courses.brown.playing import GameStats, Terms, play_game
from ludus.courses.brown.students import load_agent
from ludus.courses.brown.tournament import TournamentStats, play_tournament
from ludus.errors import LudusError
from ludus.text import did_you_mean

__all__ = [
    "GameRunner", "GameStats", "TournamentStats", "create_agent", "print_state", "run_game", "run_game_with_gui",
    "run_game_with_text", "run_many",
]  # fmt: skip

BLACK = MAXIMIZER = 0
WHITE = MINIMIZER = 1

# ------------------------------------------------------------------------------------------- F24 and S25


def run_game(
    agent1: Any,
    agent2: Any,
    time_limit: float = 15,
    time_increment: float = 1,
    hard_time_cutoff: bool = True,
    size: int = 5,
) -> tuple[float, dict[str, float]]:
    """One game, agent1 with Black: the result for agent1 (1, -1 or 0), and the times of both."""
    stats = play_game(agent1, agent2, Terms(size, time_limit, time_increment, hard_time_cutoff), early())
    return stats.winner, game_info(stats)


def game_info(stats: GameStats) -> dict[str, float]:
    """A game as F24 tells it. The scores are true; the course's are always -1 and 1."""
    return {
        "Agent 1 End Time": stats.player1_time_remaining,
        "Agent 2 End Time": stats.player2_time_remaining,
        "Agent 1 Average Duration": stats.player1_avg_time,
        "Agent 2 Average Duration": stats.player2_avg_time,
        "Agent 1 Longest Duration": stats.player1_max_time,
        "Agent 2 Longest Duration": stats.player2_max_time,
        "Agent 1 Score": stats.winner,
        "Agent 2 Score": 0 - stats.winner,
    }


def run_many(
    agent1: Any,
    agent2: Any,
    num_games: int = 10,
    verbose: bool = True,
    size: int = 5,
    time_limit: float = 15,
    time_increment: float = 1,
    hard_time_cutoff: bool = True,
) -> tuple[float, float]:
    """Pairs of games with colours exchanged: wins less losses of both agents. `verbose` prints the twelve lines."""
    terms = Terms(size, time_limit, time_increment, hard_time_cutoff)
    stats = play_tournament(agent1, agent2, num_games, terms, early(), verbose)
    if verbose:
        stats.print_scores(agent1, agent2)
    return stats.scores


def run_game_with_text(agent: Any, size: int = 5) -> None:
    """A person plays against an agent in the terminal."""
    people.play_in_terminal(agent, size, 1, early())


def run_game_with_gui(agent: Any, size: int = 5) -> None:
    """A person plays against an agent in the browser: one of ours, or one named as `create_agent` knows it."""
    people.play_on_page(*name_of(agent), size)


# ------------------------------------------------------------------------------------------- F25 and S26


class GameRunner:
    """Plays games of one size by one clock."""

    def __init__(
        self,
        board_size: int = 5,
        time_limit: float = 15.0,
        time_increment: float = 1.0,
        hard_time_cutoff: bool = True,
    ) -> None:
        self.board_size, self.time_limit, self.time_increment = board_size, time_limit, time_increment
        self.hard_time_cutoff = hard_time_cutoff

    @property
    def terms(self) -> Terms:
        return Terms(self.board_size, self.time_limit, self.time_increment, self.hard_time_cutoff)

    def play_single_game(self, agent1: Any, agent2: Any) -> GameStats:
        """One game, agent1 with Black."""
        return play_game(agent1, agent2, self.terms, S26)

    def play_tournament(self, agent1: Any, agent2: Any, num_games: int = 10, verbose: bool = True) -> TournamentStats:
        """Pairs of games with colours exchanged; `verbose` shows progress and prints the ten lines."""
        stats = play_tournament(agent1, agent2, num_games, self.terms, S26, verbose)
        if verbose:
            stats.print_summary(agent1, agent2)
        return stats

    def play_vs_human_text(self, agent: Any) -> None:
        """A person plays against an agent in the terminal."""
        people.play_in_terminal(agent, self.board_size, self.time_limit, S26)

    def play_vs_human_gui(self, agent: Any) -> None:
        """A person plays against an agent in the browser: one of ours, or one named as `create_agent` knows it."""
        people.play_on_page(*name_of(agent), self.board_size)


# ------------------------------------------------------------------------------------------- agents by name


KINDS: dict[str, Callable[[int, int | None, int | None], Any]] = {  # from a depth, the size of the board and a seed
    "random": lambda depth, size, seed: RandomAgent(seed),
    "greedy": lambda depth, size, seed: GreedyAgent(seed=seed),
    "greedy-random": lambda depth, size, seed: GreedyAgent(ties="random", seed=seed),
    "minimax": lambda depth, size, seed: MinimaxAgent(depth, seed=seed),
    "alphabeta": lambda depth, size, seed: AlphaBetaAgent(depth, seed=seed),
    "ids": lambda depth, size, seed: IterativeDeepeningAgent(seed=seed),
    "mcts": lambda depth, size, seed: MCTSAgent(seed=seed),
    "learned": lambda depth, size, seed: create_value_agent_from_model(board_size=size),
    "value": lambda depth, size, seed: create_value_agent_from_model(board_size=size),
    "policy": lambda depth, size, seed: create_policy_agent_from_model(board_size=size or 5),
    "final": lambda depth, size, seed: get_final_agent_9x9() if (size or 5) > 5 else get_final_agent_5x5(),
}


def create_agent(agent_type: str, **kwargs: Any) -> Any:
    """The agent of a name, with `depth`, `size` and `seed` where it has a use for them.

    Names are those of the course, the text of any agent of Ludus, or a class in a file: `agents.py:MyAgent`.
    """
    if agent_type.lower() in KINDS:
        return KINDS[agent_type.lower()](kwargs.get("depth", 2), kwargs.get("size"), kwargs.get("seed"))
    if ".py:" in agent_type:
        return load_agent(agent_type)
    try:
        return LudusAgent(agent_type, seed=kwargs.get("seed"))
    except UnknownAgent:
        hint = did_you_mean(agent_type, KINDS)
        raise UnknownAgent(
            f"there is no agent {agent_type!r}; {hint}, agents.py:MyAgent, and what `ludus agents` lists"
        ) from None


def name_of(agent: Any) -> tuple[str, int]:
    """The name by which `create_agent` makes an agent like this one, and its depth."""
    match agent:
        case str():
            return agent, 2
        case GreedyAgent() if type(agent) is GreedyAgent:
            return ("greedy" if agent.ties == "first" else "greedy-random"), 2
        case LudusAgent():
            return write_agent(agent.agent), 2
    kinds: dict[type, str] = {
        RandomAgent: "random", MinimaxAgent: "minimax", AlphaBetaAgent: "alphabeta", IterativeDeepeningAgent: "ids",
        MCTSAgent: "mcts", LearnedValueAgent: "learned", PolicyAgent: "policy",
    }  # fmt: skip
    if type(agent) not in kinds:
        raise LudusError("the page plays agents by their name, such as 'greedy' or 'agents.py:MyAgent', not objects")
    return kinds[type(agent)], getattr(agent, "depth", 2)


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    from ludus.courses.brown.command_line import main as run

    run(arguments)


if __name__ == "__main__":
    main()
