"""A game written in Python: one class with five members, its options, and what a network sees of its states.

`PythonGame` gives such a class everything else that a game has. The parameters of its constructor are the options of
the game. Where the class does not say what the player to move sees, a network sees the numbers and letters in the
fields of a state.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields, make_dataclass
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

    docs/your_game.md lists the optional members of a state and what each of them buys.
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
    def spoken_name(self) -> str:
        return str(self)

    @property
    def aim(self) -> str:
        """The first line of the class's docstring."""
        return (self.state_type.__doc__ or "").strip().partition("\n")[0]

    def identity(self) -> dict[str, Any]:
        """The name of the class, a hash of the file it is written in, and its options."""
        codes = (getattr(getattr(v, "fget", v), "__code__", None) for v in vars(self.state_type).values())
        files = {code.co_filename for code in codes if code is not None}
        marks = [hashlib.sha256(Path(name).read_bytes()).hexdigest()[:12] for name in files if Path(name).is_file()]
        return {"name": str(self), "code": "".join(sorted(marks)), **self.options}

    def chosen_options(self) -> dict[str, Any]:
        return dict(self.options)

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


# ------------------------------------------------------------------------------------------- options as flags

SIMPLE: dict[Any, type] = {kind: kind for kind in (bool, int, float, str)} | {
    kind.__name__: kind for kind in (bool, int, float, str)
}  # also by name, because `from __future__ import annotations` makes annotations texts


def options_type(state_type: type, taken: Collection[str] = ()) -> type:
    """A dataclass of the options of a visitor's game, from which the command line makes flags.

    They are the parameters of the constructor that are a number, a switch or a text, by their annotation or else by
    their default value. `taken` are names that already mean something else.
    """
    options: list[Any] = []
    for parameter in inspect.signature(state_type).parameters.values():
        default = parameter.default
        annotation = parameter.annotation if isinstance(parameter.annotation, type | str) else None
        kind = SIMPLE.get(annotation) or SIMPLE.get(type(default))
        named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if kind is None or not named or parameter.name.startswith("_") or parameter.name in taken:
            continue
        if default is parameter.empty:
            options.append((parameter.name, kind))
        elif isinstance(default, kind) or (kind is float and isinstance(default, int)):
            options.append((parameter.name, kind, field(default=default)))
    made = make_dataclass(state_type.__name__, options, frozen=True, kw_only=True)
    made.__doc__ = f"The parameters of {state_type.__name__}."
    return made


def game_with(state_type: type, chosen: Any, others: dict[str, Any] | None = None) -> PythonGame:
    """The game of a class with the options that a dataclass of `options_type` holds, as far as they differ from
    the defaults, and with others that cannot be flags."""
    usual = {name: p.default for name, p in inspect.signature(state_type).parameters.items()}
    values = {f.name: getattr(chosen, f.name) for f in fields(chosen)}
    flags = {name: value for name, value in values.items() if value != usual[name]}
    return PythonGame(state_type, (others or {}) | flags)


# ------------------------------------------------------------------------------------------- what a network sees

SMALL = range(-1, 7)  # numbers that have a plane of their own: marks on a board, coins in a pile
LETTER = 1 << 20  # a letter is this number and the letter's code, which is far from any number that a game counts with
BITS = 8  # planes that tell letters apart


def observe(state: Any) -> NDArray[np.float32]:
    """Planes (18, 1, n) of the n numbers and letters in the fields of a state.

    Eight planes say whether a number is -1, 0, … 6, eight hold the bits of a letter's code, one says how large a
    number is, and one who is to move.
    """
    import numpy as np

    found = np.array(numbers_in(fields_of(state)), np.float64)
    if len(found) == 0:
        raise LudusError(
            f"no numbers were found in the fields of {type(state).__name__}; give it planes(), "
            "an array (planes, rows, columns) of what the player to move sees"
        )
    letters = np.where(found >= LETTER, found - LETTER, 0).astype(np.int64)
    numbers = np.where(found >= LETTER, np.nan, found)
    marks = [numbers == value for value in SMALL]
    bits = [(letters >> bit) & 1 for bit in range(BITS)]
    size, player = np.clip(np.nan_to_num(numbers, nan=0.0), -1e3, 1e3) / 8, np.full_like(found, state.player)
    planes: NDArray[np.float32] = np.stack([*marks, *bits, size, player]).astype(np.float32)[:, None, :]
    return planes


def code_of(letter: str) -> int:
    """The code of a letter, below 256: every ASCII character has one of its own, and that of a full stop is 0.

    Other characters share the codes from 128 up, those of one alphabet or set of symbols seldom the same.
    """
    number = ord(letter)
    return number ^ ord(".") if number < 128 else 128 + number % 128


def fields_of(state: Any) -> list[Any]:
    """The values of a state's own attributes, by their names."""
    named = dict(getattr(state, "__dict__", {}))
    for kind in type(state).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        named |= {name: getattr(state, name, None) for name in ((slots,) if isinstance(slots, str) else slots)}
    return [named[name] for name in sorted(named) if not name.startswith("__")]


def numbers_in(value: Any) -> list[float]:
    """All numbers in a value, in order. Letters of a text are numbers from LETTER up; None counts as 0."""
    import numpy as np

    if value is None:
        return [0.0]
    if isinstance(value, bool | int | float | np.number):
        return [min(float(value), LETTER - 1.0)]
    if isinstance(value, str):
        return [float(LETTER + code_of(letter)) for letter in value]
    if isinstance(value, np.ndarray):
        return [number for part in value.reshape(-1).tolist() for number in numbers_in(part)]
    if isinstance(value, list | tuple):
        return [number for part in value for number in numbers_in(part)]
    if isinstance(value, dict):
        return [number for key in sorted(value, key=str) for number in numbers_in(value[key])]
    return []
