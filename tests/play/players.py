"""Agents that behave badly, each in its own way."""

import os
import sys
import time

from ludus.agents import AgentFailed, Decision


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


class Leaver:
    """Ends the process it runs in."""

    def decide(self, state, rng, left=None):
        os._exit(7)


class Quitter:
    def decide(self, state, rng, left=None):
        sys.exit(3)


class Stuck:
    """Never comes back from a call that holds on to the interpreter."""

    def decide(self, state, rng, left=None):
        return Decision(sum(range(10**12)))


class Resigning:
    def decide(self, state, rng, left=None):
        raise AgentFailed("resign", "it is hopeless")


class OldFashioned:
    """Does not want to know the time."""

    def decide(self, state, rng):
        return Decision(rng.choice(state.actions()))


class CannotReset:
    def reset(self):
        raise RuntimeError("no way back")

    def decide(self, state, rng, left=None):
        return Decision(state.actions()[0])


class Shouting:
    """Prints, and values its move at no number."""

    def decide(self, state, rng, left=None):
        print("I am thinking!")
        return Decision(rng.choice(state.actions()), value=float("nan"))


class Picky:
    def accept(self, game):
        if game.name != "nim":
            raise ValueError("I play Nim only")

    def decide(self, state, rng, left=None):
        return Decision(state.actions()[0])
