"""Pens: a game in plain Python, as a visitor would write it; its random games may never end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pens:
    """Move one of five pens up or down a step; who lifts the last one to the top wins, which seldom comes by chance."""

    pens: tuple = (0,) * 5
    player: int = 0
    endless: bool = False
    num_actions = 10

    @property
    def top(self):
        return 1_000_000 if self.endless else 4

    @property
    def over(self):
        return sum(self.pens) >= self.top

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return [] if self.over else list(range(10))

    def play(self, action):
        pens = list(self.pens)
        pens[action // 2] += 1 if action % 2 else -1
        return Pens(tuple(pens), 1 - self.player, self.endless)
