"""The agents that look at most one action ahead: random and greedy."""

from __future__ import annotations

import random
from typing import Any, Literal

from ludus.courses.brown.base import GameAgent, refuse_no_legal
from ludus.courses.brown.go_search_problem import Action, GoState
from ludus.courses.brown.heuristic_go_problems import GoProblemSimpleHeuristic, plain_number
from ludus.courses.brown.states import as_go_state, legal_actions_of
from ludus.errors import BadOption

BLACK = MAXIMIZER = 0


class RandomAgent(GameAgent):
    """Any legal action, all equally likely, the pass among them."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)

    def get_move(self, game_state: Any, time_limit: float | None = None) -> Action:
        return self.random.choice(refuse_no_legal(legal_actions_of(game_state)))

    def __str__(self) -> str:
        return "RandomAgent"


class GreedyAgent(GameAgent):
    """The action after which the heuristic is best; of equally good ones the first, or a random one."""

    def __init__(
        self, search_problem: Any = None, ties: Literal["first", "random"] = "first", seed: int | None = None
    ) -> None:
        if ties not in ("first", "random"):
            raise BadOption(f"ties must be first or random, not {ties!r}")
        problem = GoProblemSimpleHeuristic() if search_problem is None else search_problem
        self.search_problem = problem() if isinstance(problem, type) else problem  # some notebooks pass the class
        self.ties, self.random = ties, random.Random(seed)

    def get_move(self, game_state: Any, time_limit: float | None = None) -> Action:
        best = self.best_actions(as_go_state(game_state))
        return best[0] if self.ties == "first" else self.random.choice(best)

    def best_actions(self, state: GoState) -> list[Action]:
        """The actions that share the best value, in the order of the legal actions."""
        values = self.values(state)
        top = max(values.values()) if state.player_to_move() == MAXIMIZER else min(values.values())
        return [action for action, value in values.items() if value == top]

    def values(self, state: GoState) -> dict[Action, float]:
        """The heuristic, seen by Black, after every action."""
        problem, values = self.search_problem, {}
        for action in self.candidates(state):
            after = problem.transition(state, action)
            values[int(action)] = plain_number(problem.heuristic(after, after.player_to_move()))
        return values

    def candidates(self, state: GoState) -> list[Action]:
        """The actions that it looks at: all legal ones."""
        return refuse_no_legal(list(self.search_problem.get_available_actions(state)))

    def __str__(self) -> str:
        how = " (random ties)" if self.ties == "random" else ""
        return f"GreedyAgent{how} + {self.search_problem}"
