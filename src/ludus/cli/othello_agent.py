"""`ludus othello-agent`: an agent for the manager of the Othello course."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ludus.cli.parse import parse
from ludus.errors import seed_option


@dataclass(frozen=True)
class OthelloAgent:
    """Play one game of Othello through standard input and output, as the manager of the course wants it.

    Without an agent, the manager's flags say which search plays; without a depth limit it is iterative deepening.
    """

    agent: str | None = None  # who plays, such as mcts:seconds=5
    name: str = "Ludus"  # how it introduces itself
    seconds: float = 10.0  # what the manager gives for a move; at most 80% of it is used
    seed: int | None = None  # of its random numbers; another one in every game if not given

    def __post_init__(self) -> None:
        if self.seed is not None:
            seed_option("seed", self.seed)


def main(arguments: list[str]) -> None:
    options = parse(OthelloAgent, arguments, "ludus othello-agent")
    from ludus.protocols import othello_pipe

    othello_pipe.main(**asdict(options))
