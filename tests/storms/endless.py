"""A visitor's game whose random games never end: whoever plays a rollout to its end never comes back."""


class Endless:
    """Nobody ever wins, unless a player gives up with the first move."""

    num_actions = 3

    def __init__(self, plies=0, player=0, given_up=False):
        self.plies, self.player, self.given_up = plies, player, given_up

    @property
    def over(self):
        return self.given_up

    def score(self, player):
        return 1 if player == self.player else -1

    def actions(self):
        return [] if self.over else [0, 1, 2] if self.plies == 0 else [0, 1]

    def play(self, action):
        return Endless(self.plies + 1, 1 - self.player, action == 2)


class GivesUp:
    """An agent that answers every move by breaking off, so that a game of Endless has an end."""

    def decide(self, state, rng, left=None):
        raise RuntimeError("enough")
