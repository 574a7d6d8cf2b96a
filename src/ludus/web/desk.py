"""One WebSocket: what a page asks is checked and done, and the page is told what has changed.

A page is a view of a table. It has its own place in the tree of moves, and its own analysis of that place, which ends
when it looks elsewhere or is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ludus.agents.levels import friendly
from ludus.errors import LudusError
from ludus.monitor.logs import logger
from ludus.web import messages as m
from ludus.web.analysis import Analysis
from ludus.web.codec import read_ask, write_tell
from ludus.web.link import nearest_link, read_link
from ludus.web.live import LiveTable
from ludus.web.table import PERSON
from ludus.web.telling import tell_table
from ludus.web.words import sentence_from

if TYPE_CHECKING:
    from ludus.web.searching.pool import Report
    from ludus.web.site import Site

LOG = logger("web")
USUAL = "hex"  # the game that a page shows first
MOST_PAGES = 200
RATE, BURST = 40.0, 80.0  # messages a second that a page may send, and how many at once


class Desk:
    """The server's end of one page."""

    def __init__(self, site: Site, socket: WebSocket) -> None:
        self.site, self.socket = site, socket
        self.live: LiveTable | None = None
        self.node = 0
        self.layouts: set[str] = set()  # that the page has
        self.analysis = Analysis(self)
        self._outbox: dict[str, Any] = {}  # what is to be told, the latest of each kind
        self._wake = asyncio.Event()
        self._budget, self._last = BURST, time.monotonic()

    async def serve(self) -> None:
        """Talks with the page until it is closed."""
        await self.socket.accept()
        sender = asyncio.create_task(self._send_all())
        try:
            while True:
                text = await self.socket.receive_text()
                if await self._too_fast():
                    self.tell(m.Refused("This page asks more than it should; wait a moment."))
                else:
                    self._hear(text)
        except (WebSocketDisconnect, KeyError):  # a KeyError: bytes came instead of text
            pass
        finally:
            sender.cancel()
            self._leave()

    def _hear(self, text: str) -> None:
        """One message of the page. Whatever is wrong with it is a sentence for the page."""
        try:
            ask = read_ask(text)
            getattr(self, f"on_{type(ask).__name__.lower()}")(ask)
        except LudusError as error:
            self.tell(m.Refused(sentence_from(error)))
        except Exception as error:  # a visitor's game may raise anything; the page stays
            self.site.meters.errors.add("message")
            LOG.exception("a page's message failed: %s: %s", type(error).__name__, str(error)[:200])
            self.tell(m.Refused(f"That went wrong: {type(error).__name__}: {str(error)[:200]}."))

    async def _too_fast(self) -> bool:
        """A page that sends more than its rate is slowed down; one that goes on is not heard."""
        now = time.monotonic()
        self._budget = min(BURST, self._budget + RATE * (now - self._last)) - 1
        self._last = now
        if self._budget < 0:
            await asyncio.sleep(0.2)
            return True
        return False

    # ----------------------------------------------------------------------------------- telling

    def tell(self, tell: Any, kind: str | None = None) -> None:
        """Queues a message; a later one of the same kind takes its place."""
        self._outbox[kind or f"{type(tell).__name__} {len(self._outbox)}"] = tell
        self._wake.set()

    def refresh(self) -> None:
        """The table has changed, or the page looks elsewhere."""
        self.analysis.follow()
        self.tell(None, "table")

    def warn(self, sentence: str) -> None:
        """Something is wrong that the page should know of."""
        self.tell(m.Refused(sentence_from(LudusError(sentence))))

    def thought(self, node: int, report: Report) -> None:
        """The machine that is to move thinks aloud."""
        if node == self.node:
            self.analysis.tell_thought(node, "move", report)

    async def _send_all(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while self.socket.client_state == WebSocketState.CONNECTED:
                await self._wake.wait()
                self._wake.clear()
                while self._outbox:
                    kind = next(iter(self._outbox))
                    tell = self._outbox.pop(kind)
                    if kind == "table":
                        tell = tell_table(self) if self.live else None
                    if tell is not None:
                        await self.socket.send_text(write_tell(tell))

    # ----------------------------------------------------------------------------------- opening

    def on_open(self, ask: m.Open) -> None:
        table = self.site.tables.get(ask.table)
        self._join(self.site.live_table(table))
        if ask.selected is not None:
            places = [0, *table.line(table.head)]
            self.node = places[max(0, min(ask.selected, len(places) - 1))]

    def on_follow(self, ask: m.Follow) -> None:
        """A link. One without moves begins a game against a friendly level; one with moves is there to look at."""
        library = self.site.library
        try:
            linked = read_link(library, ask.link)
        except LudusError as error:
            near = nearest_link(library, ask.link, USUAL)
            linked = replace(read_link(library, near), wrong=sentence_from(error))
        seats = [PERSON, PERSON] if linked.actions else [PERSON, f"level:{friendly(linked.game).key}"]
        table = self.site.tables.from_link(linked, seats, ask.visitor)
        self._join(self.site.live_table(table))
        self.node = table.path(table.head)[linked.selected - 1] if linked.selected else 0
        if linked.wrong:
            self.tell(m.Refused(linked.wrong))

    def on_new(self, ask: m.New) -> None:
        game = self.site.library.make(ask.game, ask.options)
        seats = self._seats(ask.seats, game)
        table = self.site.tables.begin(ask.game, ask.options, seats, ask.clock, ask.visitor)
        self._join(self.site.live_table(table))

    def on_sit(self, ask: m.Sit) -> None:
        live = self._at_table()
        live.sit(self._seats(ask.seats, live.table.game))

    def _seats(self, keys: list[str], game: Any) -> list[str]:
        """Two seats; an empty key is a friendly level, and whoever else is named must be there."""
        if len(keys) != 2:
            raise LudusError("A game has two seats")
        seats = [key or f"level:{friendly(game).key}" for key in keys]
        for key in seats:
            if key != PERSON:
                self.site.opponents.find(game, key)
        return seats

    def _join(self, live: LiveTable) -> None:
        self._leave()
        self.live = live
        live.join(self)

    def _leave(self) -> None:
        self.analysis.close()
        if self.live is not None:
            self.live.leave(self)
            self.site.forget(self.live)
        self.live = None

    def _at_table(self) -> LiveTable:
        if self.live is None:
            raise LudusError("Open a game first")
        return self.live

    # ----------------------------------------------------------------------------------- playing

    def on_look(self, ask: m.Look) -> None:
        table = self._at_table().table
        table.look(ask.node)
        self.node = ask.node
        self.refresh()

    def on_play(self, ask: m.Play) -> None:
        try:
            self._at_table().play(ask.node, ask.move)
        except LudusError as error:
            self.tell(m.Refused(sentence_from(error), ask.move if isinstance(ask.move, int) else None))

    def on_undo(self, ask: m.Undo) -> None:
        self._at_table().undo()

    def on_resign(self, ask: m.Resign) -> None:
        self._at_table().resign()

    def on_run(self, ask: m.Run) -> None:
        self._at_table().run(ask.on, ask.pause)

    def on_step(self, ask: m.Step) -> None:
        self._at_table().step()

    # ----------------------------------------------------------------------------------- thinking

    def on_think(self, ask: m.Think) -> None:
        self._at_table()
        self.analysis.switch(ask.on)

    def on_ask(self, ask: m.Ask) -> None:
        self.analysis.open_branch(ask.path)

    def on_hint(self, ask: m.Hint) -> None:
        self._at_table()
        self.analysis.hint()

    def on_review(self, ask: m.Review) -> None:
        self._at_table()
        self.analysis.review(ask.on)
