"""Small games written in plain Python, for everything that must work on a visitor's game, too."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Subtract:
    """Nim again: take 1 to 3 from a number; who reaches 0 wins."""

    left: int = 10
    player: int = 0
    num_actions = 3

    @property
    def over(self):
        return self.left == 0

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return list(range(min(3, self.left)))

    def play(self, action):
        return Subtract(self.left - action - 1, 1 - self.player)


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class Noughts:
    """Tic-tac-toe again."""

    cells: tuple = (None,) * 9
    player: int = 0
    num_actions = 9

    @property
    def winner(self):
        return next(
            (self.cells[a] for a, b, c in LINES if self.cells[a] == self.cells[b] == self.cells[c] is not None), None
        )

    @property
    def over(self):
        return self.winner is not None or None not in self.cells

    def score(self, player):
        return 0 if self.winner is None else 1 if self.winner == player else -1

    def actions(self):
        return [] if self.over else [i for i, cell in enumerate(self.cells) if cell is None]

    def play(self, action):
        cells = list(self.cells)
        cells[action] = self.player
        return Noughts(tuple(cells), 1 - self.player)


@dataclass(frozen=True)
class Greed:
    """Take 1 or 2 coins of a row, each worth something; after taking 2 it is your turn again. Draws happen.

    Turns do not alternate, which is where signs go wrong.
    """

    coins: tuple = (3, 1, 2, 5, 1, 4, 2)
    player: int = 0
    lead: int = 0  # of player 0
    num_actions = 2

    @property
    def over(self):
        return not self.coins

    def score(self, player):
        sign = (self.lead > 0) - (self.lead < 0)
        return sign if player == 0 else -sign

    def actions(self):
        return list(range(min(2, len(self.coins))))

    def play(self, action):
        gain = sum(self.coins[: action + 1]) * (1 if self.player == 0 else -1)
        following = self.player if action == 1 else 1 - self.player
        return Greed(self.coins[action + 1 :], following, self.lead + gain)

    def estimate(self):
        lead = self.lead / 100
        return lead if self.player == 0 else -lead
