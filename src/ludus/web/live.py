"""A table that pages are looking at: machines think, clocks run, and every change is told to all pages.

The table itself (table.py) only knows events; whoever watches it and what is being searched for it lives here. When the
last page leaves, searches stop and clocks stand still.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from ludus.agents import TimeLeft
from ludus.errors import IllegalAction, LudusError
from ludus.game import Player
from ludus.play import talk
from ludus.web.searching.jobs import Move
from ludus.web.searching.tasks import Facts, Place
from ludus.web.table import PERSON, Event, Table
from ludus.web.tables import NotKept

if TYPE_CHECKING:
    from ludus.web.searching.pool import Job, Report
    from ludus.web.site import Site

LONGEST_PAUSE = 10.0  # seconds between the moves of machines


class Watcher(Protocol):
    """What a table needs to know of a page."""

    node: int

    def refresh(self) -> None: ...
    def warn(self, sentence: str) -> None: ...
    def thought(self, node: int, report: Report) -> None: ...


class LiveTable:
    """One table, its pages, and the search of the machine that is to move."""

    def __init__(self, site: Site, table: Table) -> None:
        self.site, self.table = site, table
        self.pages: set[Watcher] = set()
        self.running = PERSON in table.seats  # machines that play each other wait to be started
        self.pause = 0.5
        self._job: Job | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._later: asyncio.TimerHandle | None = None
        self._began: float | None = None  # when the turn at the head began, on the loop's clock
        self._spent = 0.0  # of this turn before pages left
        self._steps = 0  # moves that machines may still make although they do not run

    # ----------------------------------------------------------------------------------- pages come and go

    def join(self, page: Watcher) -> None:
        self.pages.add(page)
        page.node = self.table.head
        self.wake()
        page.refresh()

    def leave(self, page: Watcher) -> None:
        self.pages.discard(page)
        if not self.pages:
            self._stop()

    def wake(self) -> None:
        """Sets everything in motion that should be: the clock, and the machine that is to move."""
        if not self.pages or self.table.over(self.table.head):
            return
        if self._later is not None or not (self._person_to_move() or self._machine_may_move()):
            return  # machines that wait lose no time
        if self._began is None:
            self._began = self._now() - self._spent
        if self.table.timing and self._flag is None:
            self._flag = asyncio.get_running_loop().call_later(max(0.0, self._left()), self._fall)
        if self._machine_may_move() and self._job is None:
            self._think()

    def _stop(self) -> None:
        """Nobody looks, or something has changed: no search goes on, and the clock stands."""
        self._stop_clock()
        if self._later is not None:
            self._later.cancel()
        if self._job is not None:
            self._job.cancel()
        self._job = self._later = None

    def _stop_clock(self) -> None:
        if self._began is not None:
            self._spent = self._now() - self._began
        if self._flag is not None:
            self._flag.cancel()
        self._flag = self._began = None

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    # ----------------------------------------------------------------------------------- what people do

    def play(self, node: int, move: int | str) -> None:
        """A person makes a move after a node; anywhere but at the head it begins a branch."""
        state = self.table.node(node).state
        if self.table.over(node):
            raise IllegalAction("The game is over here; go back to try another move")
        if node == self.table.head and self.table.seats[state.player] != PERSON and self.running:
            raise IllegalAction("It is not your turn yet")
        action = talk.read(self.table.game, state, move) if isinstance(move, str) else move
        if action not in state.actions():
            raise IllegalAction("This move is not legal here")
        timed = node == self.table.head and self.table.timing is not None and self._began is not None
        seconds = round(self._now() - (self._began or 0.0), 3) if timed else 0.0
        self.change({"event": "move", "parent": node, "action": action, "seconds": seconds})

    def undo(self) -> None:
        """Back to where a person was to move before. Machines that play each other stop there."""
        event = self.table.undoing()
        if event is None:
            raise LudusError("There is nothing to take back")
        self.running = self.running and PERSON in self.table.seats
        self.change(event)

    def resign(self) -> None:
        person = self.table.person(self.table.head)
        if person is None or self.table.over(self.table.head):
            raise LudusError("Only somebody who is playing can resign")
        self.change({"event": "end", "node": self.table.head, "end": "resign", "fault": person})

    def sit(self, seats: list[str]) -> None:
        """Other people or machines take the seats."""
        self.running = self.running or PERSON in seats
        self.change({"event": "seats", "seats": seats})

    def run(self, on: bool, pause: float) -> None:
        """Machines play on, or wait."""
        self.running, self.pause = on, min(max(0.0, pause), LONGEST_PAUSE)
        self._stop()
        self._tell_all()
        self.wake()

    def step(self) -> None:
        """One move of the machine that is to move."""
        self.running, self._steps = False, 1
        self.wake()
        self._tell_all()

    def change(self, event: Event) -> None:
        """Something happens: it is kept, pages that followed the game go with it, and machines take notice."""
        old = self.table.head
        trouble = ""
        try:
            self.site.tables.add(self.table, event)
        except NotKept as error:  # the game goes on, and is kept when there is room again
            trouble = str(error)
        self._stop()
        self._spent = 0.0
        for page in self.pages:
            if page.node == old or event["event"] in ("head", "go_on") or event.get("parent") == page.node:
                page.node = self.table.head
        self.wake()
        self._tell_all()
        for page in self.pages if trouble else ():
            page.warn(trouble)

    def _tell_all(self) -> None:
        for page in self.pages:
            page.refresh()

    # ----------------------------------------------------------------------------------- what machines do

    @property
    def thinking(self) -> bool:
        return self._job is not None

    def _person_to_move(self) -> bool:
        return self.table.seats[self.table.node(self.table.head).state.player] == PERSON

    def _machine_may_move(self) -> bool:
        return not self._person_to_move() and (self.running or self._steps > 0)

    def _think(self) -> None:
        """Starts the search of the machine that is to move."""
        table, head = self.table, self.table.head
        player = table.node(head).state.player
        try:
            agent = self.site.opponents.find(table.game, table.seats[player])["agent"]
            seed = (table.seed + 1_000_003 * head) % 2**63
            task = Move(self.place(head), agent, seed, table.key, self._time_left())
            self._job = self.site.pool.start(task, lambda report: self._hear(head, player, report))
        except LudusError as error:
            self._fail(player, "exception", str(error))

    def place(self, node: int) -> Place:
        """The position after a node, as workers know it."""
        table = self.table
        return Place(self.site.library.texts[table.name], table.game.chosen_options(), table.actions(node))

    def _hear(self, node: int, player: Player, report: Report) -> None:
        """The machine's search has something to say; in the end its move."""
        if node != self.table.head or self._job is None:
            return  # of a search that was stopped
        if report.failed:
            self._job = None
            self._fail(player, report.facts["failure"], report.facts["sentence"])
            return
        for page in self.pages:
            page.thought(node, report)
        if report.done:
            self._job = None
            self._stop_clock()
            alone = PERSON not in self.table.seats
            rest = max(0.0, self.pause - self._spent) if alone and not self._steps else 0.0
            later = asyncio.get_running_loop().call_later(rest, self._move, node, report.facts, round(self._spent, 3))
            self._later = later
            if rest > 0:
                self._tell_all()

    def _move(self, node: int, facts: Facts, seconds: float) -> None:
        self._later = None
        self._steps = max(0, self._steps - 1)
        known = {key: facts[key] for key in ("value", "simulations", "depth") if facts.get(key) is not None}
        timed = seconds if self.table.timing else 0.0
        self.change({"event": "move", "parent": node, "action": facts["action"], "seconds": timed, **known})

    def _fail(self, player: Player, kind: str, why: str) -> None:
        self.change({"event": "end", "node": self.table.head, "end": kind, "fault": player, "why": why})

    # ----------------------------------------------------------------------------------- clocks

    @property
    def clock_runs(self) -> bool:
        return self._began is not None

    def clock_left(self) -> list[float] | None:
        """Seconds that both clocks show now."""
        left = self.table.node(self.table.head).left
        if left is None:
            return None
        shown = list(left)
        if not self.table.over(self.table.head):
            spent = self._now() - self._began if self._began is not None else self._spent
            shown[self.table.node(self.table.head).state.player] -= spent
        return [round(max(0.0, seconds), 2) for seconds in shown]

    def _left(self) -> float:
        """Seconds that the player to move has left."""
        left = self.clock_left()
        return 1e9 if left is None else left[self.table.node(self.table.head).state.player]

    def _time_left(self) -> TimeLeft | None:
        timing = self.table.timing
        if timing is None:
            return None
        return TimeLeft(max(0.01, self._left()), timing.increment, 1 if timing.per_move else None)

    def _fall(self) -> None:
        """The flag of the player to move has fallen."""
        player = self.table.node(self.table.head).state.player
        self.change({"event": "end", "node": self.table.head, "end": "flag", "fault": player})
