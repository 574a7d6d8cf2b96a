"""The messages between a page and the server, as JSON texts over one WebSocket. docs/web.md explains each of them.

A page asks ({"ask": "play", …}) and the server tells ({"tell": "table", …}). What comes from a page is checked field by
field against these types. codec.py turns them into text and back, and writes them down for JavaScript.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

# ------------------------------------------------------------------------------------------- what a page asks


@dataclass(frozen=True)
class Open:
    """Go on with a kept game, looking at the position after some of its moves; without `selected` after all."""

    table: str
    selected: int | None = None


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
    unit: str | None  # of the margin: "disc", "point"
    files: list[str]  # in which formats it can be saved: "sgf", "json"


class Seat(TypedDict):
    key: str  # "person", or that of an opponent
    name: str  # "You", "Beginner"
    agent: str | None  # the agent as text, to paste into a terminal


class LineMove(TypedDict):
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
    line: list[LineMove]
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
    value: int | None  # of the position, for the player to move
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
