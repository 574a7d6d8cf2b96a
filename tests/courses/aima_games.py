"""Games for the tests of ludus.courses.aima, written as a student would write them for the notebook."""

from dataclasses import dataclass
from typing import NamedTuple

from ludus.courses.aima import Board, Game


class Pile(NamedTuple):
    """Some stones, and whose turn it is."""

    stones: int
    to_move: str


class LastOne(Game):
    """Take one or two stones; after two the same player goes on. Whoever takes the last stone loses.

    Turns do not alternate, moves are words, the players are white and black.
    """

    def __init__(self, stones=7):
        self.steps = {"one": 1, "two": 2}
        self.initial = Pile(stones, "white")

    def actions(self, state):
        return [word for word, step in self.steps.items() if step <= state.stones]

    def result(self, state, move):
        step = self.steps[move]
        other = "black" if state.to_move == "white" else "white"
        left = state.stones - step
        return Pile(left, state.to_move if step == 2 and left else other)

    def utility(self, state, player):
        return 1 if state.to_move == player else -1


def true_value(stones):
    """The value of such a pile for the player to move: with an even number take one, and the other has an odd one."""
    return 1 if stones % 2 == 0 else -1


@dataclass
class Heap:
    """A state with == and without a hash, as an ordinary dataclass is."""

    left: int
    to_move: str | None
    winner: str | None = None


class BareHeap:
    """A state with neither."""

    def __init__(self, left, to_move, winner=None):
        self.left, self.to_move, self.winner = left, to_move, winner


class ListNim(Game):
    """Take one to three; whoever takes the last one wins 1, the other 0. Moves are lists, which have no hash.

    It is nobody's turn when the game is over.
    """

    def __init__(self, left=9, kind=Heap):
        self.kind = kind
        self.initial = kind(left, "first")

    def actions(self, state):
        return [[count] for count in (1, 2, 3) if count <= state.left]

    def result(self, state, move):
        left = state.left - move[0]
        other = "second" if state.to_move == "first" else "first"
        return self.kind(left, other) if left else self.kind(0, None, state.to_move)

    def utility(self, state, player):
        return 1 if state.winner == player else 0


class Mixed(LastOne):
    """LastOne with a set of moves that cannot be sorted, whose order changes with the hashes of texts."""

    def __init__(self, stones=7):
        super().__init__(stones)
        self.steps = {"left": 1, "right": 1, 2: 2, None: 1}

    def actions(self, state):
        return set(super().actions(state))


class Mine(NamedTuple):
    """The tunnels that were taken, and whose turn it is."""

    tunnels: str
    to_move: str


class Mines(Game):
    """Ten tunnels at each of nine forks. Whoever digs behind them wins; what can be dug depends on the way there.

    Random games practically never come through the nines or the eights, so the moves behind them are rare.
    """

    initial = Mine("", "first")

    def actions(self, state):
        if len(state.tunnels) < 9:
            return {str(number) for number in range(10)}
        rare = {"9": {"gold", "iron"}, "8": {"iron", "salt"}}
        return rare.get(state.tunnels[0], {"sand"}) if len(set(state.tunnels)) == 1 else {"sand"}

    def result(self, state, move):
        return Mine(state.tunnels + move, "second" if state.to_move == "first" else "first")

    def is_terminal(self, state):
        return len(state.tunnels) > 9

    def utility(self, state, player):
        return 1 if player != state.to_move else -1


def board(drawing, to_move=None):
    """The board that a drawing shows, X to move if there are as many X as O."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    stones = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "."}
    turn = to_move or ("X" if len(stones) % 2 == 0 else "O")
    made = Board(len(rows[0]), len(rows), to_move=turn, utility=0)
    made.update(stones)
    return made
