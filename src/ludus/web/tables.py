"""The kept games: a file of events for each table, so that a reload or a killed server loses nothing."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ludus.errors import LudusError
from ludus.monitor.logs import about, logger
from ludus.monitor.metrics import Counter
from ludus.system import json_lines, trouble_of, write_whole
from ludus.web.library import Library
from ludus.web.link import Linked
from ludus.web.table import BadTable, Event, Table

LOG = logger("web")
MOST_OPEN = 400  # tables in memory; the files of others stay
MOST_LISTED = 100


class NotKept(LudusError):
    """What happened at a table could not be written down now."""


class NoTable(LudusError):
    """There is no such game."""


@dataclass(frozen=True)
class Kept:
    """A kept game, for a list."""

    table: str
    changed: float  # seconds since 1970
    events: list[Event]


class Tables:
    """All tables of a server."""

    def __init__(self, folder: Path, library: Library) -> None:
        self.folder, self.library = folder, library
        self.begun, self.finished, self.moves = Counter("game"), Counter("ended"), Counter()
        self._open: dict[str, Table] = {}
        self._files: dict[str, IO[str]] = {}

    def begin(
        self, name: str, options: dict[str, Any], seats: list[str], clock: str | None = None, visitor: str = ""
    ) -> Table:
        """A new table, kept from its first moment on."""
        game = self.library.make(name, options)
        key = secrets.token_hex(6)
        made = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
        begin = {
            "event": "begin", "game": name, "options": options, "seats": seats, "clock": clock, "visitor": visitor,
            "made": made, "seed": secrets.randbits(48),
        }  # fmt: skip
        table = Table(key, game, begin)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._hold(table)
        self._write(key, begin)
        self.begun.add(name)
        LOG.info("a game has begun", extra=about(table=key, game=name, seats=seats))
        return table

    def from_link(self, linked: Linked, seats: list[str], visitor: str = "") -> Table:
        """A new table with the moves of a link."""
        table = self.begin(linked.name, self.library.changed(linked.game), seats, None, visitor)
        for action in linked.actions:
            self.add(table, {"event": "move", "parent": table.head, "action": action})
        return table

    def add(self, table: Table, event: Event) -> None:
        """Something happened at a table: it is applied, and written down."""
        table.apply(event)
        self._count(table, event)
        self._write(table.key, event)

    def _count(self, table: Table, event: Event) -> None:
        self.moves.add(amount=event["event"] == "move")
        if event["event"] in ("move", "end") and table.over(table.head):
            ended = table.node(table.head).end or "rules"
            self.finished.add(ended)
            LOG.info("a game has ended", extra=about(table=table.key, ended=ended))

    def get(self, key: str) -> Table:
        """The table of a key, from memory or from its file."""
        if key in self._open:
            return self._open[key]
        if not re.fullmatch("[0-9a-f]{12}", key) or not self._path(key).exists():
            raise NoTable("this game is not kept here any more; begin a new one")
        table = self._read(key)
        self._hold(table)
        return table

    def _read(self, key: str) -> Table:
        """A table from its file; a damaged event and all after it are dropped, also from the file."""
        events = list(json_lines(self._path(key)))
        try:
            table = Table(key, self.library.make(events[0]["game"], events[0]["options"]), events[0])
        except (LookupError, TypeError, ValueError) as error:
            raise NoTable(f"this game cannot be opened: {error}") from None
        good = [events[0]]
        for event in events[1:]:
            try:
                table.apply(event)
            except (BadTable, LookupError, TypeError):
                break
            good.append(event)
        text = "".join(line_of(event) for event in good)
        if text != self._path(key).read_text(encoding="utf-8", errors="replace"):
            write_whole(self._path(key), text)  # so that what is added next begins on a line of its own
        return table

    def _hold(self, table: Table) -> None:
        """Keeps a table in memory; the one that was used least recently goes when there are too many."""
        while len(self._open) >= MOST_OPEN:
            oldest = next(iter(self._open))
            self._open.pop(oldest)
            if file := self._files.pop(oldest, None):
                with contextlib.suppress(OSError):
                    file.close()
        self._open[table.key] = table

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl"

    def _write(self, key: str, event: Event) -> None:
        """Adds a line to the file. It survives a kill of the server; a crash of the system may cost the last moves."""
        try:
            if key not in self._files:
                self._files[key] = self._path(key).open("a", encoding="utf-8")
            self._files[key].write(line_of(event))
            self._files[key].flush()
        except OSError as error:  # what was not written stays in the file's buffer and comes before the next event
            LOG.error(f"a game cannot be written down: {trouble_of(error)}", extra=about(table=key))
            raise NotKept(f"This game cannot be kept at the moment: {trouble_of(error)}") from None

    def listed(self, visitor: str | None = None) -> list[Kept]:
        """The kept games, the latest first; with a visitor, those that this visitor began."""
        found = sorted(self.folder.glob("*.jsonl"), key=lambda path: -path.stat().st_mtime)
        rows: list[Kept] = []
        for path in found:
            if len(rows) >= MOST_LISTED:
                break
            events = list(json_lines(path))
            if len(events) > 1 and (visitor is None or events[0].get("visitor") == visitor):
                rows.append(Kept(path.stem, path.stat().st_mtime, events))
        return rows

    def close(self) -> None:
        for file in self._files.values():
            with contextlib.suppress(OSError):  # a disk that is full has been told of already
                file.close()


def line_of(event: Event) -> str:
    return json.dumps(event, separators=(",", ":")) + "\n"
