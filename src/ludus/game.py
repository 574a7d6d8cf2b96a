"""What a game is: states with five members, and a Game that starts, writes and draws them.

A native game is a frozen dataclass of its options (ludus/games/). A game written in Python is one
class with the five members of State; PythonGame gives it everything else.
"""

from __future__ import annotations

import hashlib
import operator
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, Self, cast, runtime_checkable

from ludus.errors import BadBoard, BadOption, BrokenGame, IllegalAction, LudusError, UnreadableAction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Player = int  # 0 or 1
Action = int  # 0 <= action < game.num_actions


@runtime_checkable
class State(Protocol):
    """One position. A value: play() returns the next state and leaves this one as it is."""

    @property
    def player(self) -> Player:
        """Whose turn it is."""

    @property
    def over(self) -> bool:
        """Has the game ended?"""

    def score(self, player: Player, /) -> float:
        """The result for a player, +1, 0 or -1, once the game is over."""

    def actions(self) -> Sequence[Action]:
        """The legal actions, ascending; none once the game is over."""

    def play(self, action: Action, /) -> Self:
        """The state after one legal action."""


class NativeState(State, Protocol):
    """What states of the compiled games offer on top."""

    @property
    def game(self) -> Game: ...
    @property
    def history(self) -> list[Action]: ...
    @property
    def origin(self) -> tuple[str, Player | None] | None: ...
    @property
    def key(self) -> int: ...
    def planes(self) -> NDArray[np.float32]: ...
    def cells(self) -> list[int]: ...
    def margin(self, player: Player, /) -> float: ...


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A way to turn the board: the same game again, with other names for cells and actions.

    `planes[i]` is where number i of the flattened new observation comes from in the old one,
    `actions[a]` what action a becomes. With `swaps_players`, player 0 and player 1 change places.
    """

    planes: NDArray[np.intp]
    actions: NDArray[np.intp]
    swaps_players: bool = False

    def turn_planes(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """The observation of the turned state."""
        return planes.reshape(-1)[self.planes].reshape(planes.shape)

    def turn_policy(self, policy: NDArray[np.float32]) -> NDArray[np.float32]:
        """The policy (num_actions,) for the turned state."""
        turned = policy.copy()
        turned[self.actions] = policy
        return turned


@dataclass(frozen=True)
class Game(ABC):
    """Rules and sizes. Games are equal when their names and options are."""

    name: ClassVar[str]

    @abstractmethod
    def start(self) -> State:
        """The state in which a game begins."""

    @property
    @abstractmethod
    def num_actions(self) -> int:
        """Actions are whole numbers below this."""

    def write(self, action: Action) -> str:
        """An action as people write it."""
        if not hasattr(action, "__index__") or not 0 <= action < self.num_actions:
            raise IllegalAction(f"{action!r} is no action of {self.name}; actions are 0 to {self.num_actions - 1}")
        return self._write(action)

    def _write(self, action: Action) -> str:
        return str(action)

    def read(self, text: str) -> Action:
        """The action that people write so. Whether it is legal is for a state to say."""
        try:
            action = int(text)
        except (ValueError, TypeError):
            action = -1
        if not 0 <= action < self.num_actions:
            raise UnreadableAction(
                f"cannot read {text!r}: an action of {self.name} is a number below {self.num_actions}"
            )
        return action

    def draw(self, state: State, color: bool | None = None) -> str:
        """The state as text, in colour when the terminal has it (or as `color` says)."""
        return repr(state)

    def read_board(self, text: str, player: Player | None = None) -> State:
        """The state that a drawing shows, with `player` to move (None: whoever it must be)."""
        raise BadBoard(f"{self.name} has no boards to read")

    def after(self, moves: str) -> State:
        """The state after moves as people write them, such as "c3 b2 d4"."""
        if not isinstance(moves, str):
            raise UnreadableAction(f"moves are one text, such as 'c3 b2', not {moves!r}")
        state = self.start()
        for text in moves.replace(",", " ").split():
            action = self.read(text)
            if action not in state.actions():
                refuse(state, action, self)
            state = state.play(action)
        return state

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple(getattr(self, f.name) for f in fields(self))

    def identity(self) -> dict[str, Any]:
        """What makes this game this one, in words that JSON knows: its name and options."""
        return {"name": self.name} | {f.name: getattr(self, f.name) for f in fields(self)}

    @cached_property
    def planes_shape(self) -> tuple[int, int, int]:
        """The shape of an observation: planes, rows, columns."""
        planes, rows, columns = self.planes(self.start()).shape
        return planes, rows, columns

    def planes(self, state: State) -> NDArray[np.float32]:
        """The observation of a state, seen by the player to move."""
        if not hasattr(state, "planes"):
            raise LudusError(f"states of {self.name} have no planes(), which learning needs")
        observation: NDArray[np.float32] = state.planes()
        return observation

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All ways to turn the board that leave the rules as they are; the first leaves all in place."""
        import numpy as np

        planes, rows, columns = self.planes_shape
        return (Symmetry(np.arange(planes * rows * columns), np.arange(self.num_actions)),)


@dataclass(frozen=True)
class PythonGame(Game):
    """The game of a Python class with the five members of State.

    A state may also have: the class attribute num_actions, planes(), and for people write(action),
    read(text) (both static) and draw().
    """

    name: ClassVar[str] = "python"
    state_type: type
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        missing = [m for m in ("player", "over", "score", "actions", "play") if not hasattr(self.start(), m)]
        if missing:
            raise BrokenGame(
                f"{self.state_type.__name__} has no member {', '.join(missing)}; "
                "a state needs player, over, score, actions and play"
            )

    def __str__(self) -> str:
        return self.state_type.__name__

    def identity(self) -> dict[str, Any]:
        """The name of the class, a mark of the file it is written in, and its options."""
        codes = (getattr(getattr(v, "fget", v), "__code__", None) for v in vars(self.state_type).values())
        files = {code.co_filename for code in codes if code is not None}
        marks = [hashlib.sha256(Path(name).read_bytes()).hexdigest()[:12] for name in files if Path(name).is_file()]
        return {"name": str(self), "code": "".join(sorted(marks)), **self.options}

    def start(self) -> State:
        try:
            state: State = self.state_type(**self.options)
        except TypeError as error:
            given = ", ".join(f"{k}={v!r}" for k, v in self.options.items())
            raise BrokenGame(f"{self.state_type.__name__}({given}) must make the start state, but: {error}") from error
        return state

    @property
    def num_actions(self) -> int:
        count = getattr(self.state_type, "num_actions", None)
        if not isinstance(count, int):
            raise BrokenGame(f"{self.state_type.__name__} does not say how many actions there are: set num_actions = …")
        return count

    def planes(self, state: State) -> NDArray[np.float32]:
        """What the class says the player to move sees; else the numbers in the fields of the state."""
        if hasattr(state, "planes"):
            return super().planes(state)
        from ludus.observe import observe

        observation = observe(state)
        shape = self.__dict__.setdefault("_observed", observation.shape)  # of the first state that was asked about
        if observation.shape != shape:
            raise LudusError(
                f"the fields of {self} hold {observation.shape[2]} numbers in one state and {shape[2]} in another, "
                "so a network cannot read them; give it planes()"
            )
        return observation

    def write(self, action: Action) -> str:
        own: Callable[[Action], str] = getattr(self.state_type, "write", str)
        return own(action)

    def read(self, text: str) -> Action:
        own: Callable[[str], Action] | None = getattr(self.state_type, "read", None)
        if own is not None:
            return own(text)
        try:
            return int(text)
        except ValueError:
            raise UnreadableAction(f"cannot read {text!r}: an action of {self} is a whole number") from None

    def draw(self, state: State, color: bool | None = None) -> str:
        own: Callable[[State], str] = getattr(self.state_type, "draw", str)
        return own(state)


def native(state: State) -> NativeState:
    """The same state, known to be one of a compiled game."""
    if not hasattr(state, "history"):
        raise LudusError(f"{state!r} is not a state of this game")
    return cast(NativeState, state)


def refuse(state: State, action: object, game: Game | None = None) -> NoReturn:
    """Says why an action cannot be played in a state."""
    game = game or native(state).game
    if state.over:
        raise IllegalAction("the game is over, so no action can be played")
    legal = state.actions()
    some = ", ".join(game.write(a) for a in legal[:8]) + (f", … ({len(legal)} in all)" if len(legal) > 8 else "")
    try:
        number = operator.index(cast(int, action))
        named = f"{game.write(number)} (action {number})"
    except IllegalAction:
        named = f"action {number}"
    except TypeError:
        named = f"{action!r} (an action is a whole number)"
    raise IllegalAction(f"{named} is not legal here; legal are {some}")


def describe(state: NativeState) -> str:
    """One line about a native state, for repr()."""
    game = state.game
    moves = " ".join(game.write(a) for a in state.history)
    begun = f"{game!r}" + (" from a drawn board" if state.origin else "") + (f" after {moves}" if moves else "")
    if not state.over:
        return f"<{begun}: player {state.player} to move>"
    winner = next((p for p in (0, 1) if state.score(p) > 0), None)
    return f"<{begun}: " + ("a draw>" if winner is None else f"player {winner} has won>")


def rebuild(game: Game, origin: tuple[str, Player | None] | None, actions: Sequence[Action]) -> State:
    """The state that these actions lead to; how native states are unpickled."""
    state = game.start() if origin is None else game.read_board(*origin)
    for action in actions:
        state = state.play(action)
    return state


def whole_option(name: str, value: object, low: int, high: int) -> None:
    """Refuses an option that is not a whole number in a range."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadOption(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def switch_option(name: str, value: object) -> None:
    """Refuses an option that is not True or False."""
    if not isinstance(value, bool):
        raise BadOption(f"{name} must be True or False, not {value!r}")


def wants_color(color: bool | None) -> bool:
    """Should text be coloured? Where `color` does not say, the terminal does."""
    if color is not None:
        return color
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
