"""The messages between a page and the server, as JSON texts over one WebSocket. docs/web.md explains each of them.

A page asks ({"ask": "play", ...}) and the server tells ({"tell": "table", ...}). What comes from a page is checked field
by field against these types. `typedefs()` writes the same types for JavaScript, into static/messages.js.
"""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

from ludus.errors import LudusError

LARGEST = 64 << 10  # bytes of a message from a page


class BadMessage(LudusError):
    """This is no message that a page may send."""


# ------------------------------------------------------------------------------------------- what a page asks


@dataclass(frozen=True)
class Open:
    """Go on with a kept game."""

    table: str


@dataclass(frozen=True)
class Follow:
    """Open the game that an address holds."""

    link: str
    visitor: str = ""


@dataclass(frozen=True)
class New:
    """Begin a game. A seat is "person" or the key of an opponent."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: list[str] = field(default_factory=lambda: ["person", ""])
    clock: str | None = None
    visitor: str = ""


@dataclass(frozen=True)
class Look:
    """Show the position after a node of the tree of moves."""

    node: int


@dataclass(frozen=True)
class Play:
    """Make a move where the page looks. The move is an action's number, or a text that a person typed."""

    node: int
    move: int | str


@dataclass(frozen=True)
class Undo:
    """Take back: to where the person who asks was to move before."""


@dataclass(frozen=True)
class Resign:
    """The person who is to move, or who plays the machine, gives up."""


@dataclass(frozen=True)
class Sit:
    """Somebody else takes the seats: people or opponents."""

    seats: list[str]


@dataclass(frozen=True)
class Run:
    """Let the machines play, or stop them; `pause` is the least number of seconds between their moves."""

    on: bool
    pause: float = 0.0


@dataclass(frozen=True)
class Step:
    """One move of the machine that is to move, then stop."""


@dataclass(frozen=True)
class Think:
    """Show what a search thinks of the position on the page, or stop."""

    on: bool


@dataclass(frozen=True)
class Ask:
    """Open the search's tree below some actions."""

    path: list[int]


@dataclass(frozen=True)
class Hint:
    """What would you play here?"""


@dataclass(frozen=True)
class Review:
    """Judge every move of the line on the page, or stop."""

    on: bool


ASKS: dict[str, type] = {
    "open": Open, "follow": Follow, "new": New, "look": Look, "play": Play, "undo": Undo, "resign": Resign, "sit": Sit,
    "run": Run, "step": Step, "think": Think, "ask": Ask, "hint": Hint, "review": Review,
}  # fmt: skip


# ------------------------------------------------------------------------------------------- what it is told


class AboutGame(TypedDict):
    name: str  # as links and forms write it
    title: str  # as people say it: "Hex 7×7"
    options: dict[str, Any]
    players: list[str]  # "Red" and "Blue"
    colors: list[str]  # of the players: "warm", "cool", "black", "white"
    aim: str
    files: list[str]  # in which formats it can be saved: "sgf", "json"


class Seat(TypedDict):
    key: str  # "person", or that of an opponent
    name: str  # "You", "Beginner"
    agent: str | None  # the agent as text, to paste into a terminal


class Move(TypedDict):
    node: int
    player: int
    name: str
    share: float | None  # of the win for player 0, as far as somebody has judged it
    others: list[list[Any]]  # other moves that were tried here: [node, name]


class ClockFace(TypedDict):
    text: str  # "15+1"
    left: list[float]  # seconds of each player
    running: int | None  # whose time runs


class Status(TypedDict):
    sentence: str  # "Your move.", "You win: your chain joins both sides."
    over: bool
    winner: int | None
    person: int | None  # for whom the page plays: the person who is to move, or who plays the machine
    thinking: bool  # a machine
    running: bool  # machines may move
    can_undo: bool
    can_resign: bool


@dataclass(frozen=True)
class TableTold:
    """Everything a page needs to draw a game. It is told again whenever something has changed."""

    table: str
    link: str
    game: AboutGame
    seats: list[Seat]
    clock: ClockFace | None
    pause: float
    line: list[Move]
    node: int  # where the page looks
    head: int  # where the game stands
    status: Status
    position: dict[str, Any]
    layout: dict[str, Any] | None  # the board, if the page does not know it yet


@dataclass(frozen=True)
class Thought:
    """What a search thinks so far. Shares, values and the line are for the player to move at the node."""

    node: int
    why: Literal["move", "analysis"]
    visits: dict[str, float]  # the share of the visits, by action
    wins: dict[str, float]  # the share of the points that each action is expected to bring, by action
    proven: dict[str, int]  # true scores that the search has found, by action
    line: list[list[int]]  # what it expects: cell (-1: none), player and number of each move
    words: list[str]  # the same line as text
    win: float | None  # the share of the points for player 0
    simulations: int
    per_second: float
    nodes: int
    done: bool
    busy: bool  # others are searching, too, so this search got less than usual


@dataclass(frozen=True)
class Perfect:
    """The true score of every action as far as it is proven, for the player to move."""

    node: int
    scores: dict[str, int]
    known: bool  # a solver knows this game at all
    done: bool
    sentence: str


@dataclass(frozen=True)
class Opinion:
    """What a network thinks without any search: its policy, and its win share for player 0."""

    node: int
    name: str
    policy: dict[str, float]
    win: float | None


@dataclass(frozen=True)
class Branch:
    """The search's tree below some actions: [action, name, share of visits, win share of the mover, visits] of each."""

    node: int
    path: list[int]
    player: int
    children: list[list[Any]]


@dataclass(frozen=True)
class Hinted:
    """A suggestion."""

    node: int
    action: int
    sentence: str


@dataclass(frozen=True)
class Judged:
    """The review so far: one row for every move that has been judged, turning points, and a summary."""

    rows: list[dict[str, Any]]
    points: list[dict[str, Any]]
    summary: str
    progress: float
    done: bool


@dataclass(frozen=True)
class Refused:
    """Something could not be done, and what would be right. `action` is the move that was refused."""

    sentence: str
    action: int | None = None
    link: str | None = None  # the nearest good one, if an address was wrong


TELLS: dict[str, type] = {
    "table": TableTold, "thought": Thought, "perfect": Perfect, "opinion": Opinion, "branch": Branch, "hint": Hinted,
    "judged": Judged, "refused": Refused,
}  # fmt: skip
NAMES = {kind: name for name, kind in TELLS.items()}


# ------------------------------------------------------------------------------------------- to and from text


def read_ask(text: str | bytes) -> Any:
    """The message that a page has sent; refuses anything else with a sentence."""
    if len(text) > LARGEST:
        raise BadMessage(f"a message may have {LARGEST} bytes, not {len(text)}")
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("a message is one JSON object") from None
    kind = ASKS.get(str(row.pop("ask", ""))) if isinstance(row, dict) else None
    if kind is None:
        raise BadMessage(f"a message has a field ask, which is one of {', '.join(ASKS)}")
    hints = get_type_hints(kind)
    for name, value in row.items():
        if name not in hints or not fits(value, hints[name]):
            raise BadMessage(f"{kind.__name__.lower()} has no field {name!r} with such a value")
    missing = [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
    if lacks := [name for name in missing if name not in row]:
        raise BadMessage(f"{kind.__name__.lower()} needs a field {lacks[0]}")
    return kind(**row)


def fits(value: object, hint: Any) -> bool:
    """Is a value from JSON of this type?"""
    kind, inside = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if kind in (types.UnionType, Union):
        return any(fits(value, option) for option in inside)
    if kind is Literal:
        return value in inside
    if kind is list:
        return isinstance(value, list) and all(fits(item, inside[0]) for item in value)
    if kind is dict:
        return isinstance(value, dict) and all(fits(item, inside[1]) for item in value.values())
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


def write_tell(tell: Any) -> str:
    """A message for a page, as text."""
    return json.dumps({"tell": NAMES[type(tell)], **vars(tell)}, separators=(",", ":"), allow_nan=False)


# ------------------------------------------------------------------------------------------- for JavaScript


def typedefs() -> str:
    """The content of static/messages.js: the same types for JavaScript, as JSDoc."""
    shapes: list[type] = [AboutGame, Seat, Move, ClockFace, Status]
    lines = ["// The types of all messages, written by `python -m ludus.web.messages` from messages.py. Not edited by hand.", ""]
    lines += [typedef(kind, kind.__name__) for kind in shapes]
    lines += [typedef(kind, f"{name.capitalize()}Ask", f'ask: "{name}"') for name, kind in ASKS.items()]
    lines += [typedef(kind, f"{name.capitalize()}Told", f'tell: "{name}"') for name, kind in TELLS.items()]
    return "\n".join([*lines, "export {};", ""])


def typedef(kind: type, name: str, first: str = "") -> str:
    about = "" if is_typeddict(kind) else " " + (kind.__doc__ or "").strip().splitlines()[0]
    parts = [first] if first else []
    parts += [f"{key}: {in_javascript(hint)}" for key, hint in get_type_hints(kind).items()]
    return f"/**{about} @typedef {{{{ {', '.join(parts)} }}}} {name} */"


def in_javascript(hint: Any) -> str:
    """A Python type as JSDoc writes it."""
    kind, inside = get_origin(hint), get_args(hint)
    if kind in (types.UnionType, Union):
        return " | ".join(in_javascript(option) for option in inside)
    if kind is Literal:
        return " | ".join(json.dumps(word) for word in inside)
    if kind is list:
        return f"Array<{in_javascript(inside[0])}>"
    if kind is dict:
        return f"Record<string, {in_javascript(inside[1])}>"
    simple = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "any"}
    return simple.get(hint) or str(hint.__name__)


if __name__ == "__main__":
    print(typedefs(), end="")
