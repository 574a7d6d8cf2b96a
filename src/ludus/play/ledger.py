"""The folder of a tournament: its settings, and every finished game as a line. It survives kill -9.

settings.json   what is played; another tournament is refused here
games.jsonl     one record a line, written when its game ends; a line that was cut off is dropped
games-1.jsonl   the records from before a tournament was played anew, with settings-1.json; then games-2.jsonl, …
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import IO, Any

from ludus.errors import LudusError
from ludus.play.record import BadRecord, Record, read_record
from ludus.system import lock, read_json, write_whole


class BadFolder(LudusError):
    """A folder holds another tournament, or another process is writing to it."""


class Ledger:
    """The records of one tournament, on disk. Open it with `with`."""

    def __init__(self, folder: Path, settings: dict[str, Any], anew: bool = False) -> None:
        self.folder, self.settings = folder, settings
        self.records: dict[int, Record] = {}
        self.kept: Path | None = None  # the records from before, if it was begun anew
        self._anew = anew
        self._file: IO[str] | None = None

    def __enter__(self) -> Ledger:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file = self._open()
        try:
            if self._anew:
                self._put_aside()
            self._check_settings()
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def _open(self) -> IO[str]:
        """The file of records, for us alone."""
        file = (self.folder / "games.jsonl").open("a+", encoding="utf-8")
        if not lock(file):
            file.close()
            raise BadFolder(f"another tournament is being played in {self.folder}; wait for it, or say --out")
        return file

    def _put_aside(self) -> None:
        """Gives the records that are there, and their settings, a name with a number that is free."""
        assert self._file is not None
        if self._file.tell() == 0:
            return
        number = 1
        while (self.folder / f"games-{number}.jsonl").exists():
            number += 1
        self.kept = self.folder / f"games-{number}.jsonl"
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "settings.json").rename(self.folder / f"settings-{number}.json")
        old = self._file
        (self.folder / "games.jsonl").rename(self.kept)
        self._file = self._open()
        old.close()

    def __exit__(self, *_: object) -> None:
        assert self._file is not None
        with contextlib.suppress(OSError):  # a disk that is full has been told of already
            self._file.close()

    def add(self, record: Record) -> None:
        """Appends a finished game to the file, and makes sure that it is on the disk."""
        assert self._file is not None and record.number not in self.records
        self._file.write(record.line() + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.records[record.number] = record

    def _check_settings(self) -> None:
        path = self.folder / "settings.json"
        if path.exists():
            try:
                before = read_json(path.read_text(encoding="utf-8"))
            except ValueError:
                before = {}
            wrong = [key for key in self.settings if before.get(key) != json.loads(json.dumps(self.settings[key]))]
            if wrong:
                raise BadFolder(
                    f"{self.folder} holds a tournament with other settings ({', '.join(wrong)}); "
                    "choose another folder with --out, or play anew there with --again, which keeps the old records"
                )
        write_whole(path, json.dumps(self.settings, indent=1) + "\n")

    def _read(self) -> None:
        """Reads what was played; cuts off a line that was not finished."""
        assert self._file is not None
        self._file.seek(0)
        good = 0
        for line in self._file.read().splitlines(keepends=True):
            if not line.endswith("\n"):
                break
            try:
                record = read_record(line)
            except BadRecord as error:
                raise BadFolder(f"{self.folder / 'games.jsonl'} is damaged: {error}") from None
            self.records[record.number] = record
            good += len(line.encode())
        self._file.truncate(good)
