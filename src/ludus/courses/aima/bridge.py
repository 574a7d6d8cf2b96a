"""Games of the notebook as games of Ludus, so that every search, agent, match and tournament can play them.

Any class with the notebook's members will do, whatever its moves and the names of its players are: moves become whole
numbers, in the order in which they are first seen, and names the players 0 and 1. views.py says which games are
replaced by a compiled one with the same rules.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from ludus._core import Rng
from ludus.errors import BrokenGame, NotOver, UnreadableAction
from ludus.game import Action, Player

WALKS, LONGEST = 4, 500  # random games in which players and moves get their numbers, and their longest length


class Numbers:
    """Things and their numbers, which they get when they are first seen. Things without a hash are compared by ==."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._known: dict[Any, int] = {}

    def of(self, thing: Any) -> int:
        """The number of a thing; a new one for a new thing."""
        number = self.find(thing)
        if number is None:
            number = len(self.things)
            self.things.append(thing)
            with contextlib.suppress(TypeError):
                self._known[thing] = number
        return number

    def find(self, thing: Any) -> int | None:
        """The number of a thing, or None if it was never seen."""
        try:
            return self._known.get(thing)
        except TypeError:
            return next((number for number, known in enumerate(self.things) if same(known, thing)), None)


def same(one: Any, other: Any) -> bool:
    """Are two values equal? Objects without an == of their own are if their attributes are."""
    with contextlib.suppress(Exception):  # whatever the == of a visitor's class does
        if not has_equality(one) and type(one) is type(other):
            return bool(vars(one) == vars(other))
        return bool(one == other)
    return False


def has_equality(value: Any) -> bool:
    """Has its class an == of its own? That of `object` asks whether two are one and the same."""
    own: Any = type(value).__eq__
    return own is not object.__eq__


class Position:
    """A state of a game of the notebook, with the five members of a state of ours. See states_of."""

    rules: ClassVar[Any]
    moves: ClassVar[Numbers]
    names: ClassVar[Numbers]  # of the players

    def __init__(self, state: Any = None) -> None:
        self.state = self.rules.initial if state is None else state
        self.over = bool(self.rules.is_terminal(self.state))
        self._actions: list[Action] | None = None

    @property
    def player(self) -> Player:
        """Whose turn it is. A game that is over may say whatever it likes there."""
        if self.over:
            return self.names.find(getattr(self.state, "to_move", None)) or 0
        name = self.state.to_move
        number = self.names.of(name)
        if number > 1:
            raise BrokenGame(
                f"Ludus plays games for two, but {name!r} is a third player besides {self.names.things[:2]}"
            )
        return number

    def margin(self, player: Player, /) -> float:
        """Half of what a player's utility is above that of the other: the utility itself, if the sum of both is 0."""
        if not self.over:
            raise NotOver("a score was asked for before the game is over")
        mine, *others = (self.rules.utility(self.state, name) for name in self.names.things)
        lead = (mine - others[0]) / 2 if others else mine
        return float(lead if player == 0 else -lead)

    def score(self, player: Player, /) -> float:
        """Who won: the sign of the utility."""
        margin = self.margin(player)
        return float((margin > 0) - (margin < 0))

    def legal(self) -> Iterable[Any]:
        """The legal moves, sorted if they can be, so that their numbers do not depend on the order of a set."""
        moves = self.rules.actions(self.state)
        try:
            return sorted(moves)
        except TypeError:
            return list(moves)

    def actions(self) -> Sequence[Action]:
        if self._actions is None:
            self._actions = [] if self.over else sorted({self.moves.of(move) for move in self.legal()})
        return self._actions

    def play(self, action: Action, /) -> Position:
        return type(self)(self.rules.result(self.state, self.moves.things[action]))

    def draw(self) -> str:
        return str(self.state).rstrip("\n")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'over' if self.over else f'player {self.player} to move'}>"


class Comparable(Position):
    """A position whose states have == and hash(): searches know it again, whichever way they came."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.state == other.state and self.player == other.player

    def __hash__(self) -> int:
        return hash(self.state)


def states_of(game: Any, start: Any = None, moves: Iterable[Any] | None = None) -> type[Position]:
    """The class of a game's states for Ludus, as in docs/your_game.md: make(states_of(game)) is the game.

    With `moves`, all moves that there are, their number is known and networks can learn the game. `start` is the state
    that a look around begins from, which otherwise is the initial one.
    """
    begin = game.initial if start is None else start
    kind = Comparable if can_be_compared(begin) else Position
    known, names = Numbers(), Numbers()
    for move in moves or ():
        known.of(move)
    body = {"rules": game, "moves": known, "names": names, "__doc__": type(game).__doc__}
    body |= {"write": staticmethod(writer(known)), "read": staticmethod(reader(known, type(game).__name__))}
    if moves is not None:
        body["num_actions"] = len(known.things)
    made: type[Position] = type(type(game).__name__, (kind,), body)
    look_around(made, begin)
    return made


def can_be_compared(state: Any) -> bool:
    with contextlib.suppress(TypeError):
        hash(state)
        return has_equality(state)
    return False


def look_around(kind: type[Position], begin: Any) -> None:
    """Plays some random games, the same ones every time, in which players and moves get their numbers."""
    rng = Rng(seed=1)
    for _ in range(WALKS):
        position = kind(begin)
        for _ in range(LONGEST):
            if position.over:
                break
            _ = position.player  # which numbers it
            position = position.play(rng.choice(position.actions()))


def writer(moves: Numbers) -> Callable[[Action], str]:
    """Moves as text without spaces and commas, (3, 5) as 3:5, so that a line of moves can be read."""

    def write(action: Action) -> str:
        return ":".join(re.findall(r"[^\s,:()\[\]{}'\"]+", repr(moves.things[action]))) or str(action)

    return write


def reader(moves: Numbers, name: str) -> Callable[[str], Action]:
    def read(text: str) -> Action:
        found = [action for action in range(len(moves.things)) if writer(moves)(action) == text.strip()]
        if len(found) != 1:
            raise UnreadableAction(f"{text!r} is {'no move' if not found else 'more than one move'} of {name}")
        return found[0]

    return read
