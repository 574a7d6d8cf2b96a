"""The course's Go: a state around an OpenSpiel state (or ours, or PyGo's), and Go as a search problem."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from ludus.courses.brown import generation
from ludus.courses.brown.adversarial_search_problem import AdversarialSearchProblem, GameState
from ludus.courses.brown.go_utils import InternalState, NativeGo, create_go_game
from ludus.game import NativeState, Player, past_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.intp]

Action = int  # row * size + column; size * size is the pass
Coordinate = tuple[int, int]


class GoState(GameState):
    """A position of Go. `internal_state` is OpenSpiel's state, or one with the same members."""

    def __init__(self, pyspiel_state: InternalState | NativeState, player_to_move: Player = 0) -> None:
        """A state of Ludus is taken, too. Who is to move is what the state says; the second argument is not used."""
        if past_of(cast(NativeState, pyspiel_state)) is not None:
            pyspiel_state = NativeGo(cast(NativeState, pyspiel_state))
        self.internal_state = cast(InternalState, pyspiel_state)
        self.size = board_size(self.internal_state)

    def player_to_move(self) -> Player:
        """0 for Black, 1 for White, -4 when the game is over."""
        return int(self.internal_state.current_player())

    def get_board(self) -> Floats:
        """The board (4, size, size): black stones, white stones, empty points, and ones if White is to move."""
        import numpy as np

        return np.array(self.internal_state.observation_tensor(0), dtype=float).reshape(-1, self.size, self.size)

    def observation_tensor(self) -> list[float]:
        """The same as one list."""
        return list(self.internal_state.observation_tensor(0))

    def terminal_value(self) -> Sequence[float]:
        """The results of a finished game for Black and White."""
        return self.internal_state.returns()

    def clone(self) -> GoState:
        return GoState(self.internal_state.clone(), self.player_to_move())

    def is_terminal_state(self) -> bool:
        return bool(self.internal_state.is_terminal())

    def is_terminal(self) -> bool:
        return self.is_terminal_state()

    def legal_actions(self) -> Sequence[Action]:
        """Ascending, the pass last."""
        return self.internal_state.legal_actions()

    def apply_action(self, action: Action) -> None:
        """Plays an action in this very state; GoProblem.transition leaves the state as it is."""
        self.internal_state.apply_action(action)

    def get_pieces_array(self, player_index: Player) -> Floats:
        """A board (size, size) with ones where a player has stones."""
        board: Floats = self.get_board()[player_index]
        return board

    def get_pieces_coordinates(self, player_index: Player) -> Numbers:
        """The stones of a player as rows of (row, column)."""
        import numpy as np

        return np.argwhere(self.get_pieces_array(player_index) == 1)

    def get_empty_spaces(self) -> Floats:
        """A board (size, size) with ones on empty points."""
        board: Floats = self.get_board()[2]
        return board

    def action_index_to_coord(self, action: Action) -> Coordinate:
        """(row, column) of an action, or (x, y) as the files of 2024 and spring 2025 have it."""
        return generation.current().coordinate(action, self.size)

    def __repr__(self) -> str:
        return str(self.internal_state)


def board_size(state: InternalState) -> int:
    """The size of the board of an internal state."""
    if isinstance(state, NativeGo):
        return state.go.size
    return int((len(state.observation_tensor()) / 4) ** 0.5 + 0.5)


class GoProblem(AdversarialSearchProblem[GoState, Action]):
    """Go from the empty board, or from a given internal state."""

    def __init__(self, size: int | None = None, state: Any = None, player_to_move: Player = 0) -> None:
        """Without a size it is the generation's: 9 in autumn 2024, later 5. `state` may also be a GoState."""
        inner = getattr(state, "internal_state", state)
        if inner is None:
            inner = create_go_game(generation.current().default_size if size is None else size)
        self.start_state = GoState(inner, player_to_move)

    def get_start_state(self) -> GoState:
        return self.start_state

    def set_start_state(self, state: GoState) -> None:
        self.start_state = state

    def get_available_actions(self, state: GoState) -> list[Action]:
        return list(state.legal_actions())

    def transition(self, state: GoState, action: Action) -> GoState:
        new = state.clone()
        new.apply_action(action)
        return new

    def is_terminal_state(self, state: GoState) -> bool:
        return state.is_terminal_state()

    def get_result(self, state: GoState) -> float:
        """The result for Black: 1.0, -1.0, or 0.0 after a repetition of the whole board."""
        return float(state.terminal_value()[0])

    def action_index_to_string(self, action: Action) -> str:
        """An action as the generation writes it: "(row, column)" or "pass"; in 2024 "(x, y)" for all of them."""
        return generation.current().write(action, self.start_state.size)


class HeuristicGoProblem(GoProblem):
    """Go with a guess at the result of unfinished games."""

    @abstractmethod
    def heuristic(self, state: GoState, player_index: Player) -> float:
        """The guess, for Black whoever is to move."""


def __getattr__(name: str) -> int:
    if name == "DEFAULT_SIZE":  # it follows the generation
        return generation.current().default_size
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
