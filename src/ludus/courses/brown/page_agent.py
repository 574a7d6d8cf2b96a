"""An agent of the course by its name, as a file from which the page and `ludus match` can load it.

Types are not written as text here, because a file that is loaded by its path is no module in which they could be found.
"""

from dataclasses import dataclass, field

from ludus._core import Rng
from ludus.agents import Decision, TimeLeft
from ludus.courses.brown.bridge import BrownAgent
from ludus.game import Game, State


@dataclass
class CourseAgent:
    """An agent of the course by the name that its runner knows, such as greedy, ids or agents.py:MyAgent."""

    kind: str = "greedy"
    depth: int = 2
    size: int | None = None  # of the board, for networks that know only one
    _agent: BrownAgent = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        from ludus.courses.brown.game_runner import create_agent

        self._agent = BrownAgent(create_agent(self.kind, depth=self.depth, size=self.size))

    def accept(self, game: Game) -> None:
        self._agent.accept(game)

    def reset(self) -> None:
        self._agent.reset()

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        return self._agent.decide(state, rng, left)

    def write(self) -> str:
        return self._agent.write()
