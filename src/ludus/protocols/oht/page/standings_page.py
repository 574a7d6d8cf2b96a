"""The standings as a page and as JSON, made at most once a second for all who watch."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.play.rating import Rating
from ludus.protocols.oht.page.public import Board, Entry, Live, board_of, look, rate
from ludus.protocols.oht.serving.server import Server
from ludus.protocols.oht.settings import PageSettings
from ludus.protocols.oht.storage.standings import Meeting, Standing
from ludus.show.explanation import plural

FILES = Path(__file__).parent / "static"
FRESH = 1.0  # seconds for which the page is not made anew
PATIENCE = 0.2  # seconds that a visitor waits for a new page before being shown the last one
# Of the time, at most this share is spent on making the page anew, and on rating the league: both take longer in a
# large class, where they happen less often.
PAGE_SHARE, RATING_SHARE = 0.1, 0.05
STATUS = {
    "open": "Players may begin official attempts and verification rounds.",
    "paused": "The tournament is paused: no new rounds begin; games that are being played go on.",
    "closed": "The time for official attempts is over. Verification rounds and the league go on.",
}


@dataclass(frozen=True)
class Content:
    """A document, ready to be sent."""

    type: str
    data: bytes
    zipped: bytes
    tag: str  # another one whenever the data are others

    @classmethod
    def of(cls, type: str, data: bytes) -> Content:
        tag = f'W/"{hashlib.sha256(data).hexdigest()[:20]}"'
        return cls(type, data, gzip.compress(data, 6, mtime=0), tag)


@dataclass(frozen=True)
class Shown:
    """The standings at one moment."""

    page: Content
    json: Content
    standings: dict[int, Standing]


class Noticeboard:
    """Makes the page when somebody asks and the last one is no longer fresh."""

    def __init__(self, server: Server, settings: PageSettings) -> None:
        self.server, self.settings = server, settings
        self._thread = ThreadPoolExecutor(1, "page")  # not that of the store, where games wait to be stored
        self._making: asyncio.Task[None] | None = None
        self._shown: Shown | None = None
        self._until = 0.0
        self._ratings = Ratings()

    async def current(self) -> Shown:
        """The standings now; the last ones, while it takes long to make new ones or the database cannot be read."""
        if self._making is None or (self._making.done() and time.monotonic() >= self._until):
            self._making = asyncio.create_task(self._renew())
        await asyncio.wait({self._making}, timeout=PATIENCE if self._shown else None)
        if self._making.done():
            self._making.result()
        assert self._shown is not None
        return self._shown

    async def _renew(self) -> None:
        began, live = time.monotonic(), look(self.server)
        try:
            self._shown = await asyncio.get_running_loop().run_in_executor(self._thread, self._make, live)
        except LudusError:
            if self._shown is None:
                raise
        finally:
            took = time.monotonic() - began
            self._until = began + took + max(FRESH, took / PAGE_SHARE)

    def _make(self, live: Live) -> Shown:
        """Reads the database and draws the page, in the thread."""
        store = self.server.archive.store
        standings, status = store.standings(), store.status()
        ratings = self._ratings.of(store.meetings()) if any(one.league_games for one in standings) else {}
        board = board_of(self.server, live, status, standings, ratings, self.settings.public_names)
        page = Content.of("text/html; charset=utf-8", draw(board, datetime.now()).encode())
        data = Content.of("application/json", json.dumps(asdict(board), ensure_ascii=False).encode())
        return Shown(page, data, {one.account: one for one in standings})

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class Ratings:
    """The ratings of the league, computed anew when games were added, but not all the time."""

    def __init__(self) -> None:
        self._meetings: list[Meeting] = []
        self._ratings: dict[int, Rating] = {}
        self._until = 0.0

    def of(self, meetings: list[Meeting]) -> dict[int, Rating]:
        began = time.monotonic()
        if meetings != self._meetings and began >= self._until:
            self._meetings, self._ratings = meetings, rate(meetings)
            self._until = began + (time.monotonic() - began) / RATING_SHARE
        return self._ratings


def draw(board: Board, now: datetime) -> str:
    """The page. All that comes from players is escaped by the template."""
    league = [entry for entry in board.players if entry.league]
    league.sort(key=lambda one: (one.rating is None, -one.rating.elo if one.rating else 0, one.name))
    page: str = template().render(
        board=board,
        status=STATUS[board.status],
        news=news(board.players),
        qualifying=[entry for entry in board.players if not_only_league(entry)],
        league=league,
        playing=sum(bool(entry.playing) for entry in board.players),
        next_round=when(board.next_round, now),
        plural=plural,
    )
    return page


@cache
def template() -> Any:
    from jinja2 import Environment, StrictUndefined

    text = (FILES / "standings.html.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return environment.from_string(text)


def not_only_league(entry: Entry) -> bool:
    return bool(entry.attempts_used or entry.verification_rounds or any(now.kind != "league" for now in entry.playing))


def news(players: Sequence[Entry]) -> str:
    """Who leads, in a sentence that is read out when it changes."""
    first = [one for one in players if one.place == 1 and one.best]
    if not first or first[0].best is None:
        return "No official attempt has been finished yet."
    score = f"{first[0].best.percent:.1f}%"
    if len(first) == 1:
        return f"{first[0].name} leads with {score}."
    if len(first) == 2:
        return f"{first[0].name} and {first[1].name} lead with {score}."
    return f"{len(first)} players lead with {score}."


def when(moment: str | None, now: datetime) -> str | None:
    """A time of the next days in words, by the clock of the server."""
    if moment is None:
        return None
    then = datetime.fromisoformat(moment).replace(tzinfo=None)
    day = {now.date(): "", now.date() + timedelta(days=1): "tomorrow "}.get(then.date(), f"on {then:%d %B} ")
    return f"{day}at {then:%H:%M}"


def files() -> dict[str, Content]:
    """What the page consists of besides the standings, by its address."""
    kinds = {"standings.css": "text/css", "standings.js": "text/javascript", "icon.svg": "image/svg+xml"}
    return {
        f"/{name}": Content.of(f"{kind}; charset=utf-8", (FILES / name).read_bytes()) for name, kind in kinds.items()
    }
