"""Native Go with the members of an OpenSpiel state, and the course's games of it.

Rules, numbers of actions, komi, the length cap and the draw by superko are OpenSpiel's; tests compare them.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Protocol

from ludus.errors import BadOption, IllegalAction
from ludus.game import Action, NativeState, Player, native
from ludus.games.go import COLUMNS, Go

TERMINAL = -4  # the player to move when the game is over, as OpenSpiel has it


class InternalState(Protocol):
    """What the course uses of an OpenSpiel state; its own PyGo states have it, too."""

    def current_player(self) -> Player: ...
    def legal_actions(self) -> Sequence[Action]: ...
    def apply_action(self, action: Action, /) -> None: ...
    def clone(self) -> InternalState: ...
    def is_terminal(self) -> bool: ...
    def returns(self) -> Sequence[float]: ...
    def observation_tensor(self, player: Player = 0, /) -> Sequence[float]: ...


class NativeGo:
    """A position of native Go that can be asked and changed like a state of OpenSpiel."""

    def __init__(self, state: NativeState) -> None:
        self.native = state

    @property
    def go(self) -> Go:
        """The rules."""
        game = self.native.game
        assert isinstance(game, Go)
        return game

    def get_game(self) -> NativeGoGame:
        return NativeGoGame(self.go)

    def current_player(self) -> Player:
        return TERMINAL if self.native.over else self.native.player

    def legal_actions(self, player: Player | None = None) -> list[Action]:
        """Ascending, the pass last; none when the game is over, or for the player who is not to move."""
        return list(self.native.actions()) if player in (None, self.current_player()) else []

    def legal_actions_mask(self, player: Player | None = None) -> list[int]:
        legal = set(self.legal_actions(player))
        return [int(action in legal) for action in range(self.go.num_actions)]

    def apply_action(self, action: Action, /) -> None:
        """Plays; refuses an illegal action."""
        self.native = self.native.play(operator.index(action))

    def child(self, action: Action) -> NativeGo:
        return NativeGo(self.native.play(operator.index(action)))

    def clone(self) -> NativeGo:
        return NativeGo(self.native)  # native states are values

    def is_terminal(self) -> bool:
        return self.native.over

    def returns(self) -> list[float]:
        """The results for Black and White: 1, -1 or, after a repetition, 0; zeros before the end."""
        return [self.native.score(player) for player in (0, 1)] if self.native.over else [0.0, 0.0]

    def player_return(self, player: Player) -> float:
        return self.returns()[player]

    def rewards(self) -> list[float]:
        return self.returns()

    def history(self) -> list[Action]:
        return list(self.native.history)

    def move_number(self) -> int:
        return len(self.native.history)

    def history_str(self) -> str:
        return ", ".join(map(str, self.native.history))

    def num_players(self) -> int:
        return 2

    def num_distinct_actions(self) -> int:
        return self.go.num_actions

    def is_player_node(self) -> bool:
        return not self.native.over

    def is_chance_node(self) -> bool:
        return False

    def is_simultaneous_node(self) -> bool:
        return False

    def observation_string(self, player: Player = 0, /) -> str:
        return str(self)

    def observation_tensor(self, player: Player = 0, /) -> list[float]:
        """Four boards in a row: black, white, empty, and ones if White is to move. Both players see the same."""
        if player not in (0, 1, TERMINAL):
            raise BadOption(f"only players 0 and 1 observe the board, not {player!r}")
        cells = self.native.cells()
        planes = [float(code == wanted) for wanted in (1, 2, 0) for code in cells]
        return planes + [float(self.native.player)] * len(cells)

    def action_to_string(self, player_or_action: int, action: Action | None = None) -> str:
        """The action as OpenSpiel writes it, such as "B c3" or "W PASS"."""
        player = self.native.player if action is None else player_or_action
        number = player_or_action if action is None else action
        if not 0 <= number < self.go.num_actions:
            raise IllegalAction(f"{number} is no action of Go {self.go.size}x{self.go.size}")
        point = "PASS" if number == self.go.size**2 else self.go.write(number).lower()
        return f"{'BW'[player]} {point}"

    def __str__(self) -> str:
        """The board as OpenSpiel prints it, row 1 at the bottom."""
        n, cells = self.go.size, self.native.cells()
        rows = [
            f"{r + 1:2d} " + "".join("+XO"[code] for code in cells[r * n : (r + 1) * n]) for r in reversed(range(n))
        ]
        head = (
            f"GoState(komi={self.go.komi:g}, to_play={'BW'[self.native.player]}, history.size()={self.move_number()})"
        )
        return "\n".join([head, "", *rows, "   " + COLUMNS[:n], ""])


class NativeGoGame:
    """What can be asked of the game of a state."""

    def __init__(self, go: Go) -> None:
        self.go = go

    def get_parameters(self) -> dict[str, int | float | None]:
        go = self.go
        return {"board_size": go.size, "handicap": 0, "komi": go.komi, "max_game_length": go.max_length}

    def new_initial_state(self) -> NativeGo:
        return NativeGo(self.go.start())

    def num_distinct_actions(self) -> int:
        return self.go.num_actions

    def num_players(self) -> int:
        return 2

    def max_game_length(self) -> int | None:
        return self.go.max_length

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0


def komi_of(size: int) -> float:
    """The course's komi."""
    return {5: 0.5, 9: 5.5}.get(size, 7.5)


def course_go(size: int) -> Go:
    """Go as the course plays it: its komi, and OpenSpiel's rule that a repeated position is a draw."""
    return Go(size, min(komi_of(size), float(size**2)), "draw")


def create_go_game(size: int) -> NativeGo:
    """The start of a game on a board of this size."""
    return NativeGo(native(course_go(size).start()))
