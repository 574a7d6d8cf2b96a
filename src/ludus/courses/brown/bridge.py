"""Agents of the course as agents of Ludus, for matches and tournaments."""

from __future__ import annotations

import operator
from typing import Any

from ludus._core import Rng
from ludus.agents import AgentFailed, Decision, TimeLeft
from ludus.courses.brown.go_search_problem import GoState
from ludus.errors import LudusError
from ludus.game import Game, State, native
from ludus.games.go import Go

UNLIMITED = 15.0  # seconds that an agent is told to have where there is no clock: the course's limit


class BrownAgent:
    """Any object with `get_move(state, time_limit)` as an agent of Ludus. It sees states like the course's GoState."""

    def __init__(self, agent: Any) -> None:
        if not callable(getattr(agent, "get_move", None)):
            raise LudusError(f"{agent!r} is no agent of the course: it needs get_move(state, time_limit)")
        self.agent = agent

    def accept(self, game: Game) -> None:
        """Refuses everything but Go."""
        if not isinstance(game, Go):
            raise LudusError(f"the agents of this course play Go, not {game.name}")

    def reset(self) -> None:
        getattr(self.agent, "reset", lambda: None)()

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        answer = self.agent.get_move(GoState(native(state)), UNLIMITED if left is None else left.seconds)
        try:
            return Decision(operator.index(answer), f"the choice of {self.agent}")
        except TypeError:
            raise AgentFailed(
                "rubbish", f"get_move must return an action, a whole number, not {answer!r:.60}"
            ) from None

    def write(self) -> str:
        return str(self.agent)
