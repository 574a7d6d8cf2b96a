"""The course's abstract classes: a state, a search problem, a problem with a heuristic, a user interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar


class GameState(ABC):
    """One position of a game."""

    @abstractmethod
    def player_to_move(self) -> int:
        """The player who moves next: 0 or 1."""


State = TypeVar("State", bound=GameState)
Action = TypeVar("Action")


class AdversarialSearchProblem(ABC, Generic[State, Action]):
    """A game as searches see it. A subclass gives the result by either of its names, `get_result` being the later."""

    _start_state: State

    def get_start_state(self) -> State:
        """The state in which the game begins."""
        return self._start_state

    def set_start_state(self, state: State) -> None:
        """From now on the game begins there."""
        self._start_state = state

    @abstractmethod
    def get_available_actions(self, state: State) -> Sequence[Action]:
        """The legal actions."""

    @abstractmethod
    def transition(self, state: State, action: Action) -> State:
        """The state after an action; the given one stays as it is."""

    @abstractmethod
    def is_terminal_state(self, state: State) -> bool:
        """Is the game over?"""

    def get_result(self, state: State) -> float:
        """The result of a finished game for player 0."""
        if type(self).evaluate_terminal is AdversarialSearchProblem.evaluate_terminal:
            raise NotImplementedError(f"{type(self).__name__} has neither get_result nor evaluate_terminal")
        return self.evaluate_terminal(state)

    def evaluate_terminal(self, state: State) -> float:
        """The same by its name of autumn 2024."""
        return self.get_result(state)


class HeuristicAdversarialSearchProblem(AdversarialSearchProblem[State, Action]):
    """A game with a guess at the result of unfinished games."""

    @abstractmethod
    def heuristic(self, state: State, player_index: int) -> float:
        """The guess, for player 0."""


class GameUI(ABC):
    """Shows a game and asks a person for actions."""

    _state: GameState

    def update_state(self, state: GameState) -> None:
        """From now on this state is shown."""
        self._state = state

    @abstractmethod
    def render(self) -> None:
        """Shows the state."""

    @abstractmethod
    def get_user_input_action(self) -> object:
        """The action that a person has chosen."""
