"""One game on a page: its tree of moves, its seats and its clock. Everything that happens is an event.

A table is what its events say, so it can be written down line by line and read again after the server was killed.
Nothing here waits, thinks or talks to pages; live.py does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ludus.errors import LudusError
from ludus.game import Action, Game, Player, State, seen_by
from ludus.play import talk
from ludus.play.clock import Timing, read_clock
from ludus.play.record import RULES, UNFINISHED, Record, Turn

PERSON = "person"
MOST_NODES = 5_000  # moves in the tree of one table
Event = dict[str, Any]


class BadTable(LudusError):
    """These events are not those of a game."""


@dataclass
class Node:
    """A position in the tree of moves, and the turn that led to it."""

    parent: int
    state: State
    turn: Turn | None = None  # None: the root
    name: str = ""  # the move as people write it
    children: list[int] = field(default_factory=list)
    latest: int | None = None  # the child that was looked at last
    left: tuple[float, float] | None = None  # on the clocks of both players, once this move was made
    share: float | None = None  # of the points for player 0, as the machine or an analysis sees it
    end: str = ""  # the game ended here: "resign", "flag", or how an agent failed
    fault: Player | None = None  # who lost by it
    why: str = ""

    def go_on(self) -> None:
        """Somebody plays on here, although the game had been given up, lost on time or broken off."""
        self.end, self.fault, self.why = "", None, ""


class Table:
    """The fold of the events of one game."""

    def __init__(self, key: str, game: Game, begin: Event) -> None:
        self.key, self.game = key, game
        self.name: str = begin["game"]
        self.seats: list[str] = list(begin["seats"])
        self.visitor: str = begin.get("visitor", "")
        self.made: str = begin.get("made", "")
        self.seed: int = begin.get("seed", 0)
        self.timing: Timing | None = read_clock(begin.get("clock"))
        full = (self.timing.seconds, self.timing.seconds) if self.timing else None
        self.nodes = [Node(-1, game.start(), left=full)]
        self.head = 0

    # ----------------------------------------------------------------------------------- events

    def apply(self, event: Event) -> None:
        """Something happened. An event that does not fit is refused and changes nothing."""
        match event["event"]:
            case "move":
                self._move(event)
            case "head":
                self.node(event["node"])
                self.head = event["node"]
            case "seats":
                self.seats = list(event["seats"])
            case "end":
                node = self.node(event["node"])
                node.end, node.fault, node.why = event["end"], event["fault"], event.get("why", "")
            case "go_on":
                self.node(event["node"]).go_on()
            case other:
                raise BadTable(f"there is no event {other!r}")

    def _move(self, event: Event) -> None:
        parent, action = self.node(event["parent"]), event["action"]
        if action not in parent.state.actions():
            raise BadTable(f"action {action} is not legal after node {event['parent']}")
        known = self.child(event["parent"], action)
        if known is None:
            if len(self.nodes) >= MOST_NODES:
                raise BadTable(f"a game keeps at most {MOST_NODES} moves with all its branches")
            known = len(self.nodes)
            self.nodes.append(
                Node(
                    event["parent"],
                    parent.state.play(action),
                    Turn(
                        parent.state.player, action, event.get("seconds", 0.0), value=event.get("value"),
                        simulations=event.get("simulations", 0), depth=event.get("depth"),
                    ),
                    talk.write(self.game, parent.state, action),
                    left=self._left_after(parent, event.get("seconds", 0.0)),
                    share=share_of(parent.state.player, event.get("value")),
                )
            )  # fmt: skip
            parent.children.append(known)
        parent.latest = known
        self.head = known
        self.nodes[known].go_on()

    def _left_after(self, parent: Node, seconds: float) -> tuple[float, float] | None:
        """What the clocks show when a move was made after so many seconds."""
        if self.timing is None or parent.left is None:
            return None
        left = list(parent.left)
        mover = parent.state.player
        left[mover] = self.timing.seconds if self.timing.per_move else left[mover] - seconds + self.timing.increment
        return left[0], left[1]

    # ----------------------------------------------------------------------------------- the tree

    def node(self, number: int) -> Node:
        if not 0 <= number < len(self.nodes):
            raise BadTable(f"there is no node {number}; there are 0 to {len(self.nodes) - 1}")
        return self.nodes[number]

    def child(self, number: int, action: Action) -> int | None:
        """The node after an action, if it was played before."""
        for child in self.node(number).children:
            turn = self.nodes[child].turn
            if turn is not None and turn.action == action:
                return child
        return None

    def path(self, number: int) -> list[int]:
        """The nodes from the root to a node, without the root."""
        steps = []
        while number > 0:
            steps.append(number)
            number = self.nodes[number].parent
        return steps[::-1]

    def line(self, number: int) -> list[int]:
        """The nodes of the game through a node: from the first move to the end of the branch looked at last."""
        nodes = self.path(number)
        while (latest := self.nodes[number].latest) is not None:
            nodes.append(latest)
            number = latest
        return nodes

    def look(self, number: int) -> None:
        """Somebody looks at a node: from now on its branch is the one that lines go through."""
        self.node(number)
        for step in self.path(number):
            self.nodes[self.nodes[step].parent].latest = step

    def actions(self, number: int) -> tuple[Action, ...]:
        """The actions that lead to a node."""
        return tuple(turn.action for turn in self.turns(number))

    def turns(self, number: int) -> Iterator[Turn]:
        for step in self.path(number):
            turn = self.nodes[step].turn
            assert turn is not None  # only the root has none
            yield turn

    # ----------------------------------------------------------------------------------- how it stands

    def over(self, number: int) -> bool:
        """Is the game over at a node, by its rules or otherwise?"""
        node = self.node(number)
        return node.state.over or bool(node.end)

    def score(self, number: int) -> float:
        """The result for player 0 of a game that is over at a node."""
        node = self.node(number)
        return seen_by(0, node.fault, -1.0) if node.fault is not None else node.state.score(0)

    def person(self, number: int) -> Player | None:
        """The person who plays: to move at a node, or whose turn it will be; None if machines play each other."""
        player = self.node(number).state.player
        if self.seats[player] == PERSON:
            return player
        return 1 - player if self.seats[1 - player] == PERSON else None

    def before(self, number: int) -> int | None:
        """The node to which `undo` goes back: where the same person was to move before; None if there is none."""
        people = [player for player in (0, 1) if self.seats[player] == PERSON]
        while number > 0:
            number = self.nodes[number].parent
            if not people or self.nodes[number].state.player in people:
                return number
        return None

    def undoing(self) -> Event | None:
        """What undo does: a person who gave up or ran out of time goes on, else moves are taken back."""
        fault = self.node(self.head).fault
        if fault is not None and self.seats[fault] == PERSON:
            return {"event": "go_on", "node": self.head}
        before = self.before(self.head)
        return None if before is None else {"event": "head", "node": before}

    def record(self, number: int) -> Record:
        """The record of the game that leads to a node."""
        node = self.node(number)
        end = node.end or (RULES if node.state.over else UNFINISHED)
        score = self.score(number) if self.over(number) else 0.0
        return Record(
            self.game.identity(), (self.seats[0], self.seats[1]), self.seed, str(self.timing) if self.timing else None,
            (), tuple(self.turns(number)), score, end, node.fault, node.why,
        )  # fmt: skip


def share_of(player: Player, value: float | None) -> float | None:
    """A value for a player as the share of the points for player 0."""
    return None if value is None else (seen_by(0, player, value) + 1) / 2


def fold(key: str, game: Game, events: Iterable[Event]) -> Table:
    """The table that a list of events describes; the first one begins it."""
    rest = iter(events)
    table = Table(key, game, next(rest))
    for event in rest:
        table.apply(event)
    return table
