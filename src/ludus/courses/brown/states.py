"""Any state that the course's programs hand over, as a native state of Go that our searches can use.

States around OpenSpiel keep their history, so ko, superko and the length cap are known exactly. PyGo states and the
dictionaries of the course's data set are only boards: they are set up as drawn positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.courses.brown.go_search_problem import GoState
from ludus.courses.brown.go_utils import NativeGo, komi_of
from ludus.errors import LudusError
from ludus.game import Action, NativeState, Player, native, past_of
from ludus.games.go import Go

CELLS = ".XO"  # empty, black, white
MEMBERS = (  # of the course's GoState, which our agents and heuristics use
    "apply_action", "clone", "get_board", "get_pieces_coordinates", "is_terminal_state", "legal_actions",
    "player_to_move", "terminal_value",
)  # fmt: skip


class UnknownState(LudusError):
    """This is no state of Go that the course's programs use."""


def native_of(state: Any) -> NativeState:
    """The native state for a GoState, a state of OpenSpiel, a PyGo state, a dictionary, or a state of Ludus."""
    inner = getattr(state, "internal_state", state)
    if isinstance(inner, NativeGo):
        return inner.native
    if past_of(inner) is not None and isinstance(inner.game, Go):
        return native(inner)
    if isinstance(inner, Mapping):
        return from_dictionary(inner)
    if hasattr(inner, "get_game") and hasattr(inner, "history"):
        return from_openspiel(inner)
    if hasattr(inner, "observation_tensor") and hasattr(inner, "current_player"):
        return from_pygo(inner)
    raise UnknownState(f"expected a GoState, an OpenSpiel or a PyGo state of Go, not {type(state).__name__}")


def as_go_state(state: Any) -> GoState:
    """The same state with the course's members; what has them already is returned as it is."""
    if all(hasattr(state, member) for member in MEMBERS):
        found: GoState = state
        return found
    inner = getattr(state, "internal_state", state)
    if hasattr(inner, "observation_tensor") and hasattr(inner, "apply_action"):
        return GoState(inner)
    return GoState(native_of(state))


def legal_actions_of(state: Any) -> list[Action]:
    """The legal actions as the state itself names them, as plain numbers: PyGo mixes in those of numpy."""
    if isinstance(state, Mapping):
        named = state.get("legal_actions")
        return [int(action) for action in (native_of(state).actions() if named is None else named)]
    if past_of(state) is not None:
        return list(state.actions())
    named = getattr(state, "legal_actions", None) or state.internal_state.legal_actions
    return [int(action) for action in named()]


def from_openspiel(spiel: Any) -> NativeState:
    """Our state after the same actions, by the same rules."""
    options = spiel.get_game().get_parameters()
    if "board_size" not in options or options.get("handicap"):
        raise UnknownState(f"expected OpenSpiel's Go without handicap, not {spiel.get_game()}")
    size, komi, cap = int(options["board_size"]), float(options["komi"]), options.get("max_game_length")
    game = Go(size, komi, "draw", None if cap is None else min(int(cap), 2 * size * size))
    return native(game.after(spiel.history()))


def from_dictionary(row: Mapping[str, Any]) -> NativeState:
    """The position of a row of the data set for PyGo."""
    import numpy as np

    board = np.asarray(row["board"])
    cells = board[0] + 2 * board[1] if board.ndim == 3 else np.where(board == -1, 2, board)  # White is 2, or -1
    player = row.get("player_to_move", 0)
    return drawn([int(code) for code in cells.reshape(-1)], int(player) if player in (0, 1) else 0)


def from_pygo(pygo: Any) -> NativeState:
    """The position of a PyGo state. It remembers a pass, but not the game.

    PyGo counts territory less captured stones. With komi raised by the stones that Black has set more than White, our
    area scoring agrees with that when both pass now, and as long as they go on setting stones in turn.
    """
    import numpy as np

    planes = np.asarray(pygo.observation_tensor()).reshape(4, -1)
    cells = [int(code) for code in planes[0] + 2 * planes[1]]
    size, player = round(len(cells) ** 0.5), int(pygo.current_player())
    komi = float(getattr(pygo, "config", {}).get("komi", komi_of(size)))
    game = getattr(pygo, "game", None)
    lost = [int(getattr(game, f"num_{color}_captured", 0)) for color in ("black", "white")]
    more = (cells.count(1) + lost[0]) - (cells.count(2) + lost[1])
    return drawn(cells, player, komi + more, passed=getattr(pygo, "consecutive_passes", 0) == 1)


def drawn(cells: Sequence[int], player: Player, komi: float | None = None, passed: bool = False) -> NativeState:
    """The position with these stones and this player to move; `passed`: the other one has just passed."""
    n = round(len(cells) ** 0.5)
    most = float(n * n)
    game = Go(n, max(-most, min(most, komi_of(n) if komi is None else komi)))
    rows = [" ".join(CELLS[code] for code in cells[r * n : (r + 1) * n]) for r in reversed(range(n))]
    if not passed:
        return game.read_board("\n".join(rows), player)
    return native(game.read_board("\n".join(rows), 1 - player).play(n * n))
