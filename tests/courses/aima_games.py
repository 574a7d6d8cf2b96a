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


def board(drawing, to_move=None):
    """The board that a drawing shows, X to move if there are as many X as O."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    stones = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "."}
    turn = to_move or ("X" if len(stones) % 2 == 0 else "O")
    made = Board(len(rows[0]), len(rows), to_move=turn, utility=0)
    made.update(stones)
    return made
