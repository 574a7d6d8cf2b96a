"""Go with a heuristic: the difference of stones, or what a value network says. Both are seen by Black."""

from __future__ import annotations

from typing import Any

from ludus.courses.brown.features import get_features
from ludus.courses.brown.go_search_problem import GoState, HeuristicGoProblem
from ludus.courses.brown.go_utils import NativeGo
from ludus.errors import BadOption
from ludus.game import Player, seen_by

BLACK, WHITE = 0, 1


def sort_out(size: Any, state: Any) -> tuple[int | None, Any]:
    """Size and state in their places: the files of 2024 pass the state first, later ones the size."""
    return (size, state) if size is None or isinstance(size, int) else (None, size)


def plain_number(value: Any) -> float:
    """A heuristic's value as a number; students' networks return tensors of one."""
    return float(value.item() if hasattr(value, "item") else value)


class GoProblemSimpleHeuristic(HeuristicGoProblem):
    """Who has more stones on the board, and by how many."""

    def __init__(self, size: Any = None, state: Any = None, player_to_move: Player = 0) -> None:
        super().__init__(*sort_out(size, state), player_to_move)

    def heuristic(self, state: GoState, player_index: Player) -> float:
        """Black's stones less White's, whoever is to move."""
        inner = state.internal_state
        if isinstance(inner, NativeGo):
            cells = inner.native.cells()
            return cells.count(1) - cells.count(2)
        return len(state.get_pieces_coordinates(BLACK)) - len(state.get_pieces_coordinates(WHITE))

    def __str__(self) -> str:
        return "Simple Heuristic"


class GoProblemLearnedHeuristic(HeuristicGoProblem):
    """What a value network says, from -1 (White wins) to 1 (Black wins); the truth where the game is over."""

    def __init__(self, model: Any = None, size: Any = None, state: Any = None, player_to_move: Player = 0) -> None:
        super().__init__(*sort_out(size, state), player_to_move)
        self.model = model

    def encoding(self, state: GoState) -> list[float]:
        """What the network sees of a state."""
        return get_features(state)

    def heuristic(self, state: GoState, player_index: Player) -> float:
        """The network's value, which is for the player to move, as Black sees it."""
        if state.is_terminal_state():
            return self.get_result(state)
        if self.model is None:
            raise BadOption("a learned heuristic needs a model: GoProblemLearnedHeuristic(model)")
        from ludus.learn.plain import answer

        return seen_by(0, state.player_to_move(), float(answer(self.model, self.encoding(state))[0]))

    def __str__(self) -> str:
        return "Learned Heuristic"
