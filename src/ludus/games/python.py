"""A game written in Python: one class with five members, and what a network sees of its states.

`PythonGame` gives such a class everything else that a game has. Where the class does not say what the player to move
sees, a network sees the numbers in the fields of a state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ludus.errors import BrokenGame, LudusError, UnreadableAction
from ludus.game import Action, Game, State
from ludus.games.board import Board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class PythonGame(Game):
    """The game of a Python class with the five members of State.

    A state may also have: the class attribute num_actions, planes(), and for people write(action),
    read(text) (both static), draw() and board(), a Board of ludus.games.board that others draw.
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

    @property
    def title(self) -> str:
        return str(self)

    @property
    def aim(self) -> str:
        """The first line of the class's docstring."""
        return (self.state_type.__doc__ or "").strip().partition("\n")[0]

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

    def board(self, state: State) -> Board | None:
        """What the class says; None without a board()."""
        own: Callable[[State], object] | None = getattr(self.state_type, "board", None)
        if not callable(own):
            return None
        board = own(state)
        if board is not None and not isinstance(board, Board):
            raise BrokenGame(f"board() of {self} must return a ludus.games.board.Board, not {type(board).__name__}")
        return board


SMALL = range(-1, 7)  # values that have a plane of their own: marks on a board, coins in a pile


def observe(state: Any) -> NDArray[np.float32]:
    """Planes (10, 1, n) of the n numbers in a state: is it -1, 0, … 6, how large is it, and who is to move."""
    import numpy as np

    numbers = np.array(numbers_in(fields_of(state)), np.float32)
    if len(numbers) == 0:
        raise LudusError(
            f"no numbers were found in the fields of {type(state).__name__}; give it planes(), "
            "an array (planes, rows, columns) of what the player to move sees"
        )
    marks = [numbers == value for value in SMALL]
    size, player = np.clip(numbers, -1e3, 1e3) / 8, np.full_like(numbers, state.player)
    planes: NDArray[np.float32] = np.stack([*marks, size, player]).astype(np.float32)[:, None, :]
    return planes


def fields_of(state: Any) -> list[Any]:
    """The values of a state's own attributes, by their names."""
    named = dict(getattr(state, "__dict__", {}))
    for kind in type(state).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        named |= {name: getattr(state, name, None) for name in ((slots,) if isinstance(slots, str) else slots)}
    return [named[name] for name in sorted(named) if not name.startswith("__")]


def numbers_in(value: Any) -> list[float]:
    """All numbers in a value, in order; the letters of a text count as numbers."""
    import numpy as np

    if value is None:
        return [0.0]
    if isinstance(value, bool | int | float | np.number):
        return [float(value)]
    if isinstance(value, str):
        return [{" ": 0.0, ".": 0.0, "-": 0.0}.get(letter, float(ord(letter) % 8)) for letter in value]
    if isinstance(value, np.ndarray):
        return [float(number) for number in value.reshape(-1)]
    if isinstance(value, list | tuple):
        return [number for part in value for number in numbers_in(part)]
    if isinstance(value, dict):
        return [number for key in sorted(value, key=str) for number in numbers_in(value[key])]
    return []
