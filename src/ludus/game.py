"""What a game is: states with five members, and a Game that starts, writes and draws them.

A native game is a frozen dataclass of its options (ludus/games/). A game written in Python is one
class with the five members of State; ludus/games/python.py gives it everything else.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn, Protocol, Self, cast, runtime_checkable

from ludus._core import Past, Rng
from ludus.errors import BadBoard, BadOption, IllegalAction, LudusError, UnreadableAction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludus.games.board import Board

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


@runtime_checkable
class Observed(Protocol):
    """A state that networks can look at."""

    def planes(self) -> NDArray[np.float32]:
        """The observation (planes, rows, columns), seen by the player to move."""


@runtime_checkable
class OnCells(Protocol):
    """A state with a board of cells."""

    def cells(self) -> list[int]:
        """The board row by row: 0 empty, 1 player 0, 2 player 1."""


class NativeState(State, Protocol):
    """What states of the compiled games have besides the five members. Some have no cells() or no margin()."""

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
    def _repr_html_(self) -> str: ...


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of the board: a rotation or reflection after which the rules are the same.

    Number i of the flattened new observation is number `planes[i]` of the old one, and action a becomes
    `actions[a]`. With `swaps_players`, player 0 and player 1 change places.
    """

    planes: NDArray[np.intp]
    actions: NDArray[np.intp]
    swaps_players: bool = False

    def turn_planes(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """The observation of the turned state."""
        return planes.reshape(-1)[self.planes].reshape(planes.shape)


@dataclass(frozen=True)
class Game(ABC):
    """Rules and sizes. Games are equal when their names and options are."""

    name: ClassVar[str]
    signs: ClassVar[tuple[str, str] | None] = None  # the letters of the players' stones, where stones have a player
    unit: ClassVar[str | None] = None  # of the margin, such as "disc"; None where only wins, draws and losses count
    solver_reach: ClassVar[int] = 24  # with this many empty cells or fewer the exact solver usually answers at once
    solver_limit: ClassVar[int] = 26  # with more empty cells than this it is not worth asking at all
    searched_by: ClassVar[str] = "mcts"  # the strongest search without a network, as an agent that is given its seconds

    @property
    def leaf_playouts(self) -> tuple[float, Literal["quick", "estimate"]]:
        """In a network's search: the share of leaves that playouts judge instead of the critic, and their kind."""
        return 0.0, "quick"

    def closing(self, state: State, rng: Rng) -> Action | None:
        """An action with which the player to move may end a game in which nothing seems to be left; usually None."""
        return None

    @property
    def solver_book(self) -> int | None:
        """With this many empty cells or more, the solver may know a state from a book; None if it has none."""
        return None

    @property
    def title(self) -> str:
        """A short name for headlines and folders."""
        return self.name

    @property
    def spoken_name(self) -> str:
        """The name as people write it in a sentence."""
        return self.name.replace("_", " ").title()

    @property
    def aim(self) -> str:
        """What the players try to do, in a sentence; the docstring's first line, with the options it names."""
        first = (type(self).__doc__ or "").strip().partition("\n")[0]
        return re.sub(r"`(\w+)`", lambda option: str(getattr(self, option[1], option[1])), first)

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
        """The action that a text means. It need not be legal in every state."""
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
        """The state as text, in colour if the terminal supports it, or as `color` says."""
        return repr(state)

    def board(self, state: State) -> Board | None:
        """The board and what stands on it, for code that draws it; None if the game has only a list of moves."""
        return None

    def read_board(self, text: str, player: Player | None = None) -> State:
        """The state that a drawing shows, with `player` to move (None: the player whose turn it must be)."""
        raise BadBoard(f"{self.name} has no boards to read")

    def after(self, moves: str | Sequence[Action]) -> State:
        """The state after some actions, or after moves as people write them, such as "c3 b2 d4"."""
        if not isinstance(moves, Iterable):
            raise UnreadableAction(f"moves are one text, such as 'c3 b2', or a list of actions, not {moves!r}")
        actions = map(self.read, moves.replace(",", " ").split()) if isinstance(moves, str) else moves
        *_, last = self.states(actions)
        return last

    def states(self, actions: Iterable[Action], start: State | None = None) -> Iterator[State]:
        """The start (or the given state), and the state after each of these actions; refuses an illegal one."""
        state = self.start() if start is None else start
        yield state
        for action in actions:
            if action not in state.actions():
                refuse(state, action, self)
            state = state.play(action)
            yield state

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple(getattr(self, f.name) for f in fields(self))

    def identity(self) -> dict[str, Any]:
        """What identifies this game, as JSON: its name and options."""
        return {"name": self.name} | {f.name: getattr(self, f.name) for f in fields(self)}

    def chosen_options(self) -> dict[str, Any]:
        """The options with which `make` makes this game again."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @cached_property
    def planes_shape(self) -> tuple[int, int, int]:
        """The shape of an observation: planes, rows, columns."""
        planes, rows, columns = self.planes(self.start()).shape
        return planes, rows, columns

    def planes(self, state: State) -> NDArray[np.float32]:
        """The observation of a state, seen by the player to move."""
        if not hasattr(state, "planes"):  # asked for every position of a training: isinstance would take longer
            raise LudusError(f"states of {self.name} have no planes(), which learning needs")
        return cast(Observed, state).planes()

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries of the board; the first is the identity."""
        import numpy as np

        planes, rows, columns = self.planes_shape
        return (Symmetry(np.arange(planes * rows * columns), np.arange(self.num_actions)),)


def begun_by(game: Game, player: Player) -> Game:
    """The same game, but this player makes the first move; refuses a game that has no option `starter`."""
    if "starter" not in {f.name for f in fields(game)}:
        raise BadOption(f"{game.name} has no option starter: it is always begun by the same player")
    return replace(game, **{"starter": player})


def sized(game: Game, size: int) -> Game:
    """The same game on a board of another size; options that follow from the size, such as Go's komi, do so again."""
    if "size" not in {f.name for f in fields(game)}:
        raise BadOption(f"{game.name} has no option size: its board is always the same")
    usual = type(game)(**{"size": game.chosen_options()["size"]})
    chosen = {name: value for name, value in game.chosen_options().items() if value != getattr(usual, name)}
    return type(game)(**(chosen | {"size": size}))


def seen_by(viewer: Player, owner: Player, value: float) -> float:
    """A value that is good for `owner`, as `viewer` sees it: what is good for one player is bad for the other."""
    return value if viewer == owner else -value


def past_of(state: State) -> Past | None:
    """What a state remembers: its game, the board it began from and the actions since. None for games in Python."""
    return state if isinstance(state, Past) else None


def empty_cells(state: State) -> int | None:
    """How many cells of the board are empty; None for games written in Python or without a board of cells."""
    return state.cells().count(0) if isinstance(state, Past) and isinstance(state, OnCells) else None


def native(state: State) -> NativeState:
    """The same state, typed as one of a compiled game; refuses any other."""
    if past_of(state) is None:
        raise LudusError(f"{state!r} is not a state of this game")
    return cast(NativeState, state)


def refuse(state: State, action: object, game: Game | None = None) -> NoReturn:
    """Raises IllegalAction with the reason why an action cannot be played in a state."""
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
    *_, last = game.states(actions, None if origin is None else game.read_board(*origin))
    return last
