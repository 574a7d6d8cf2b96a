"""Stand-ins for what the course's own programs hand to agents."""

import numpy as np

from ludus.courses.brown.go_utils import NativeGo, course_go


class PyGoLike:
    """A state with the members of the course's PyGo states: no history, numpy numbers, a count of passes."""

    def __init__(self, native, consecutive_passes=0):
        self.inner, self.consecutive_passes = NativeGo(native), consecutive_passes
        self.config = {"komi": 0.5}

    def current_player(self):
        return self.inner.native.player

    def observation_tensor(self, player=0):
        return np.array(self.inner.observation_tensor(), dtype=np.int32)

    def legal_actions(self):
        *points, last = self.inner.legal_actions()
        return [*map(np.int64, points), last]

    def apply_action(self, action):
        passes = self.consecutive_passes + 1 if action == course_go(5).size ** 2 else 0
        self.inner.apply_action(int(action))
        self.consecutive_passes = passes

    def clone(self):
        return PyGoLike(self.inner.native, self.consecutive_passes)

    def is_terminal(self):
        return self.inner.is_terminal()

    def returns(self):
        return self.inner.returns()


class Bare:
    """A state of somebody else around one of OpenSpiel or like it, with hardly any of the course's members."""

    def __init__(self, internal_state):
        self.internal_state = internal_state

    def clone(self):
        return Bare(self.internal_state.clone())


def row_of_the_data_set(native):
    """A position as a dictionary, as the course's data set for PyGo has it."""
    board = np.array(NativeGo(native).observation_tensor()).reshape(4, 5, 5)
    return {
        "board": board,
        "size": 5,
        "player_to_move": native.player,
        "is_terminal": native.over,
        "legal_actions": [np.int64(action) for action in native.actions()],
        "black_pieces": np.argwhere(board[0]),
        "white_pieces": np.argwhere(board[1]),
    }
