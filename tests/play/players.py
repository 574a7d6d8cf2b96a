"""Agents that behave badly, each in its own way."""

import time

from ludus.agents import Decision


class Scripted:
    """Plays given actions in turn."""

    def __init__(self, *actions):
        self.script, self.actions = actions, list(actions)

    def reset(self):
        self.actions = list(self.script)

    def decide(self, state, rng, left=None):
        return Decision(self.actions.pop(0))


class Illegal:
    def decide(self, state, rng, left=None):
        return Decision(10_000)


class Broken:
    def decide(self, state, rng, left=None):
        raise RuntimeError("I forgot how")


class Chatty:
    def decide(self, state, rng, left=None):
        return "the one in the corner"


class Asleep:
    """Never answers."""

    def decide(self, state, rng, left=None):
        while True:
            time.sleep(0.01)


class Slow:
    """Takes a tenth of a second for every move."""

    def decide(self, state, rng, left=None):
        time.sleep(0.1)
        return Decision(state.actions()[0])


class Forgetful:
    """Counts its moves in this game; says so as a value."""

    def __init__(self):
        self.moves = 0

    def reset(self):
        self.moves = 0

    def decide(self, state, rng, left=None):
        self.moves += 1
        return Decision(rng.choice(state.actions()), value=self.moves / 100)
