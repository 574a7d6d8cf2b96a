"""A game of a visitor with a board that it describes itself."""

from dataclasses import dataclass

from ludus.games.board import Board, Piece, square


@dataclass(frozen=True)
class Corners:
    """Take a corner of the square in turn; whoever takes the last one wins."""

    taken: tuple = ()
    num_actions = 4

    @property
    def player(self):
        return len(self.taken) % 2

    @property
    def over(self):
        return len(self.taken) == 4

    def score(self, player):
        return 1.0 if player == 1 else -1.0

    def actions(self):
        return [] if self.over else [corner for corner in range(4) if corner not in self.taken]

    def play(self, action):
        return Corners((*self.taken, action))

    def board(self):
        cells = tuple(square(str(i), 2 * (i % 2), 2 * (i // 2)) for i in range(4))
        pieces = tuple(Piece(corner, "stone", ply % 2) for ply, corner in enumerate(self.taken))
        legal = self.actions()
        return Board(cells, pieces, {a: a for a in legal}, names={a: str(a) for a in legal}, last=self.taken[-1:])
