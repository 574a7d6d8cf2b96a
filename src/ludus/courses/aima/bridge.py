"""Games of the notebook as games of Ludus, so that every search, agent, match and tournament can play them.

Any class with the notebook's members will do, whatever its moves and the names of its players are: moves become whole
numbers, and names the players 0 and 1. views.py says which games are replaced by a compiled one with the same rules.

A record of a match holds the numbers of moves, and is read by other processes and on other days. So the numbers depend
on the game alone: moves get theirs in a few random games, the same ones every time. A rare move that none of them
met has no number of its own. In a state it gets the next free one, in the order of that state's moves, and replaying
the record comes to the same state and so to the same move. Only its text, "rare:1", does not say which move it is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from typing import Any, ClassVar, TypeVar

from ludus._core import Rng
from ludus.errors import BrokenGame, IllegalAction, NotOver, UnreadableAction
from ludus.game import Action, Player

WALKS, QUIET = 4, 8  # random games in which players and moves get their numbers: a few, and until so many bring nothing
LONGEST, POSITIONS = 500, 2000  # of one such game, and of all together
RARE = "rare:"  # the text of a move without a number of its own begins so

AnyPosition = TypeVar("AnyPosition", bound="Position")


class Numbers:
    """Things and their numbers, which they get when they are first seen. Things without a hash are compared by ==."""

    def __init__(self, things: Iterable[Any] = ()) -> None:
        self.things: list[Any] = []
        self._known: dict[Any, int] = {}
        for thing in things:
            self.of(thing)

    def of(self, thing: Any) -> int:
        """The number of a thing; a new one for a new thing."""
        number = self.find(thing)
        if number is None:
            number = len(self.things)
            self.things.append(thing)
            with contextlib.suppress(TypeError):
                self._known[key_of(thing)] = number
        return number

    def find(self, thing: Any) -> int | None:
        """The number of a thing, or None if it was never seen."""
        try:
            number = self._known.get(thing)
            return self._known.get(key_of(thing)) if number is None else number
        except TypeError:
            return next((number for number, known in enumerate(self.things) if same(known, thing)), None)


def key_of(thing: Any) -> Any:
    """What a table knows a thing by: itself, or its attributes if its class has no == of its own."""
    if has_equality(thing) or not hasattr(thing, "__dict__"):
        return thing
    return type(thing), tuple(sorted(vars(thing).items()))


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
    """A state of a game of the notebook, with the five members of a state of ours. See states_of.

    Moves get their numbers when they are first seen, which is right for a search in one process.
    """

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

    def legal(self) -> list[Any]:
        """The legal moves, in an order that is the same in every process: sorted, if they can be."""
        moves = self.rules.actions(self.state)
        try:
            return sorted(moves)
        except TypeError:  # moves without an order; that of a set would change with the hashes of texts
            return sorted(moves, key=repr) if isinstance(moves, Set) else list(moves)

    def actions(self) -> Sequence[Action]:
        if self._actions is None:
            self._actions = [] if self.over else sorted(self.numbers())
        return self._actions

    def numbers(self) -> Collection[Action]:
        return {self.moves.of(move) for move in self.legal()}

    def move(self, action: Action) -> Any:
        return self.moves.things[action]

    def play(self, action: Action, /) -> Position:
        return type(self)(self.rules.result(self.state, self.move(action)))

    def draw(self) -> str:
        return str(self.state).rstrip("\n")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'over' if self.over else f'player {self.player} to move'}>"


class Recorded(Position):
    """A position whose moves have the same numbers in every process, so that a record can be read by any."""

    complete: ClassVar[bool]  # were all moves named?
    _choices: dict[Action, Any] | None = None

    def numbers(self) -> Collection[Action]:
        return self.choices

    @property
    def choices(self) -> dict[Action, Any]:
        """The legal moves by their numbers."""
        if self._choices is None:
            self._choices, rare = {}, Numbers()
            for move in [] if self.over else self.legal():
                number = self.moves.find(move)
                self._choices[len(self.moves.things) + rare.of(move) if number is None else number] = move
            if rare.things and self.complete:
                game = type(self.rules).__name__
                raise BrokenGame(f"{rare.things[0]!r} is a move of {game}, but not one of those that were named")
        return self._choices

    def move(self, action: Action) -> Any:
        if action not in self.choices:
            raise IllegalAction(f"action {action} is not legal here; legal are {self.actions()}")
        return self.choices[action]

    def number_of(self, move: Any) -> Action:
        """The number of a move here; one that is not legal, if the move is not."""
        found = next((number for number, legal in self.choices.items() if same(legal, move)), None)
        return len(self.moves.things) + len(self.choices) if found is None else found


class Comparable(Position):
    """A position whose states have == and hash(): searches know it again, whichever way they came."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.state == other.state and self.player == other.player

    def __hash__(self) -> int:
        return hash(self.state)


def states_of(game: Any, moves: Iterable[Any] | None = None) -> type[Recorded]:
    """The class of a game's states for Ludus, as in docs/your_game.md: make(states_of(game)) is the game.

    With `moves`, all moves that there are, their number is known and networks can learn the game.
    """
    made = new_kind(Recorded, game, game.initial, moves or ())
    made.complete = moves is not None
    if moves is not None:
        made.num_actions = len(made.moves.things)  # type: ignore[attr-defined]
    look_around(made, game.initial, number_moves=moves is None)
    return made


def states_from(game: Any, start: Any) -> type[Position]:
    """The class of a game's states for a search in this process, from a state on."""
    made = new_kind(Position, game, start)
    look_around(made, start, number_moves=False)
    return made


def new_kind(base: type[AnyPosition], game: Any, start: Any, moves: Iterable[Any] = ()) -> type[AnyPosition]:
    known, name = Numbers(moves), type(game).__name__
    body = {"rules": game, "moves": known, "names": Numbers(), "__doc__": type(game).__doc__}
    body |= {"write": staticmethod(writer(known)), "read": staticmethod(reader(known, name))}
    return type(name, (Comparable, base) if can_be_compared(start) else (base,), body)


def can_be_compared(state: Any) -> bool:
    with contextlib.suppress(TypeError):
        hash(state)
        return has_equality(state)
    return False


def look_around(kind: type[Position], begin: Any, number_moves: bool) -> None:
    """Plays random games, the same ones every time, in which the players get their numbers, and all moves if asked.

    For the players a few games do; for the moves they go on until some in a row have brought nothing new.
    """
    rng, walks, quiet, seen = Rng(seed=1), 0, 0, 0
    while walks < WALKS or (number_moves and quiet < QUIET and seen < POSITIONS):
        before = len(kind.moves.things)
        seen += walk(kind(begin), rng, number_moves)
        walks += 1
        quiet = quiet + 1 if len(kind.moves.things) == before else 0


def walk(position: Position, rng: Rng, number_moves: bool) -> int:
    """Plays one random game, and numbers whoever and whatever comes. Returns how many positions it saw."""
    for ply in range(LONGEST):
        if position.over:
            return ply + 1
        _ = position.player  # which numbers it
        if number_moves:
            for move in position.legal():
                position.moves.of(move)
        position = position.play(rng.choice(position.actions()))
    return LONGEST


def writer(moves: Numbers) -> Callable[[Action], str]:
    """Moves as text without spaces and commas, (3, 5) as 3:5, so that a line of moves can be read."""

    def write(action: Action) -> str:
        if action >= len(moves.things):
            return f"{RARE}{action - len(moves.things) + 1}"
        return ":".join(re.findall(r"[^\s,:()\[\]{}'\"]+", repr(moves.things[action]))) or str(action)

    return write


def reader(moves: Numbers, name: str) -> Callable[[str], Action]:
    def read(text: str) -> Action:
        said = text.strip()
        found = [action for action in range(len(moves.things)) if writer(moves)(action) == said]
        if said.startswith(RARE) and said.removeprefix(RARE).isdecimal() and said != f"{RARE}0":
            found.append(len(moves.things) + int(said.removeprefix(RARE)) - 1)
        if len(found) != 1:
            raise UnreadableAction(f"{text!r} is {'no move' if not found else 'more than one move'} of {name}")
        return found[0]

    return read
