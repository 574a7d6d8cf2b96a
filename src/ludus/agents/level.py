"""An agent that plays whatever game it meets at a level of that game's ladder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ludus._core import Rng
from ludus.agents.agent import Agent, Decision, TimeLeft, accept, close, reset
from ludus.agents.levels import find_level
from ludus.game import Game, State, native, past_of
from ludus.games.python import PythonGame


@dataclass
class LevelAgent:
    """An opponent of known strength, from `level:1`, who looks one move ahead and overlooks much, to the strongest."""

    level: str  # its number on the ladder of the game, or its name, such as casual
    _agent: Agent | None = field(default=None, init=False, repr=False, compare=False)
    _game: Game | None = field(default=None, init=False, repr=False, compare=False)

    def write(self) -> str:
        """The text that makes this agent."""
        return f"level:{self.level}"

    def accept(self, game: Game) -> None:
        """Takes its place on the ladder of a game; refuses a level that the game does not have."""
        from ludus.agents.parse import make_agent  # which knows this agent, too

        if game == self._game:
            return
        self.close()
        self._agent = make_agent(find_level(game, self.level).agent)
        self._game = game
        accept(self._agent, game)

    def playing(self, state: State) -> Agent:
        """The agent that plays at this level."""
        if self._agent is None:
            self.accept(PythonGame(type(state)) if past_of(state) is None else native(state).game)
        assert self._agent is not None
        return self._agent

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        return self.playing(state).decide(state, rng, left)

    def thoughts(self, state: State, rng: Rng, left: TimeLeft | None = None, slice: float = 0.05) -> Iterator[Decision]:
        """What it would play after every `slice` seconds; the last one is the decision."""
        agent = self.playing(state)
        watched = getattr(agent, "thoughts", None)
        if watched is None:
            yield agent.decide(state, rng, left)
        else:
            yield from watched(state, rng, left, slice)

    def reset(self) -> None:
        """A new game begins."""
        if self._agent is not None:
            reset(self._agent)

    def close(self) -> None:
        """Programs that it has started end."""
        if self._agent is not None:
            close(self._agent)
