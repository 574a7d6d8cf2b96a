"""What an agent is: given a state, a random generator and the time left, it makes a decision."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ludus._core import Rng
from ludus.errors import LudusError
from ludus.game import Action, Game, State


@dataclass(frozen=True)
class Decision:
    """What an agent chose, and why. Values are guesses at the score, for the player to move."""

    action: Action
    why: str = ""  # in plain words
    value: float | None = None
    values: dict[Action, float] = field(default_factory=dict)  # of the actions it looked at
    visits: dict[Action, int] = field(default_factory=dict)  # simulations that began with each action
    line: list[Action] = field(default_factory=list)  # what it expects to be played
    nodes: int = 0  # states it looked at
    simulations: int = 0  # of its search
    depth: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class TimeLeft:
    """What the clock shows the player to move."""

    seconds: float
    increment: float = 0.0  # added after every move
    moves: int | None = None  # for which the seconds are (1: per move); None: for the rest of the game


class Agent(Protocol):
    """Chooses actions. The match owns the random generator and the clock, and hands them over.

    An agent that gives up raises AgentFailed("resign", why). It may also have accept(game), which refuses a game that
    it cannot play, reset(), called before every game, and close(), called when it is needed no more. One that can be
    watched while it thinks has thoughts(state, rng, left, slice): a decision after every `slice` seconds or so, each
    better than the one before, the last one as decide() would return it.
    """

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        """A decision in a state that is not over. Without a time left, the agent's own settings say how long."""


class AgentFailed(LudusError):
    """An agent could not give a legal action in time. `kind` is one word for tables, the message is a sentence."""

    def __init__(
        self, kind: Literal["illegal", "exception", "crash", "rubbish", "flag", "resign"], message: str
    ) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.kind, str(self))


def accept(agent: Agent, game: Game) -> None:
    """Refuses a game that the agent cannot play, before anything begins: its accept() raises, or says False."""
    try:
        refused = getattr(agent, "accept", lambda game: None)(game) is False
    except LudusError:
        raise
    except Exception as error:  # an agent may be anybody's code
        raise LudusError(f"{type(agent).__name__} refuses {game}: {error}") from error
    if refused:
        raise LudusError(f"{type(agent).__name__} does not play {game}")


def reset(agent: Agent) -> None:
    """A new game begins: the agent forgets the last one."""
    try:
        getattr(agent, "reset", lambda: None)()
    except LudusError:
        raise
    except Exception as error:
        raise AgentFailed("exception", f"in reset(): {type(error).__name__}: {error}") from error


def close(agent: Agent) -> None:
    """The agent is needed no more: programs it has started end."""
    with contextlib.suppress(Exception):  # an error at this point has no consequence
        getattr(agent, "close", lambda: None)()
