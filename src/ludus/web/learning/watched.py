"""Files that other processes are writing: read when they have changed, and of growing ones only what is new."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

from ludus.system import read_json

MOST = 200_000  # lines of one file that are read
STEP = 32 << 20  # bytes that are read at once

Value = TypeVar("Value")


def changed_at(path: Path) -> float:
    """When a file was last changed, in seconds since 1970; 0 if there is none."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


class Watched(Generic[Value]):
    """What a file says, read again when it has changed; None where it is missing or cannot be read."""

    def __init__(self, path: Path, read: Callable[[Path], Value]) -> None:
        self.path, self.read = path, read
        self.changed = 0.0
        self._value: Value | None = None

    def value(self) -> Value | None:
        changed = changed_at(self.path)
        if changed != self.changed:
            self.changed = changed
            try:
                self._value = self.read(self.path)
            except (OSError, ValueError, TypeError, KeyError):
                self._value = None
        return self._value


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    row = read_json(path.read_text(encoding="utf-8"))
    if not isinstance(row, dict):
        raise TypeError(f"{path} holds no JSON object")
    return row


class Lines:
    """The finished lines of a growing file. A file that was replaced or cut is read anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.generation = 0  # grows when the file was replaced, so that what was read before is void
        self._ends = array("Q")  # where each line ends
        self._inode = 0

    def __len__(self) -> int:
        return len(self._ends)

    def new(self) -> list[bytes]:
        """The lines that have been finished since the last time."""
        try:
            with self.path.open("rb") as file:
                about = os.fstat(file.fileno())
                if about.st_ino != self._inode or about.st_size < self._end:
                    self._forget(about.st_ino)
                if about.st_size == self._end or len(self) >= MOST:
                    return []
                file.seek(self._end)
                return self._keep(file.read(STEP))
        except OSError:
            if self._inode:
                self._forget(0)
            return []

    def line(self, number: int) -> bytes:
        """One line, from the disk."""
        begin = self._ends[number - 1] if number else 0
        with self.path.open("rb") as file:
            file.seek(begin)
            return file.read(self._ends[number] - begin)

    @property
    def _end(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _forget(self, inode: int) -> None:
        self._inode = inode
        if self._ends:
            self.generation += 1
            self._ends = array("Q")

    def _keep(self, content: bytes) -> list[bytes]:
        """The whole lines of what was just read; one that is not finished is left for the next time."""
        whole = content.split(b"\n")[:-1][: MOST - len(self)]
        for line in whole:
            self._ends.append(self._end + len(line) + 1)
        return whole


def objects(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """The JSON objects in some lines; what is damaged is left out."""
    found = []
    for line in lines:
        try:
            row = read_json(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            found.append(row)
    return found
