"""One server for a database at a time. The lock ends with the process that holds it, however that ends.

Two servers would both believe that an account plays no official attempt elsewhere, and play one attempt twice. The
teacher's commands do not take the lock: they work beside a server.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import IO, Protocol

from sqlalchemy import Connection, func, select, text

from ludus.errors import LudusError
from ludus.protocols.oht.storage.database import LOCK, Database, DatabaseTrouble
from ludus.system import lock

PATIENCE = 20.0  # seconds until PostgreSQL has noticed, on a busy machine, that a server was killed
# Of a lost machine PostgreSQL hears nothing, so it asks: every 10 seconds, after 30 seconds of silence.
ASK_AFTER = {"tcp_keepalives_idle": 30, "tcp_keepalives_interval": 10, "tcp_keepalives_count": 3}


class Hold(Protocol):
    """A lock that is held."""

    def release(self) -> None:
        """Gives it up. The database must still be open."""


def hold(database: Database) -> Hold:
    """The lock of the server on a database; refuses if another server has it."""
    return FileHold(database) if database.sqlite else PostgresHold(database)


def taken(database: Database, who: str = "") -> LudusError:
    return LudusError(
        f"another server is running on the database {database.name}{who}; stop it first, or use another --database"
    )


class FileHold:
    """A locked file beside a SQLite database. It is not the database itself, whose own locks must not be disturbed."""

    def __init__(self, database: Database) -> None:
        path = Path(database.url.database or "").resolve()
        self.path = path.with_name(path.name + "-server")
        while not self._take(database):
            pass  # the server that had it has just deleted it
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def _take(self, database: Database) -> bool:
        """Opens and locks the file; False if it is no longer the one at its path."""
        try:
            self._file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise DatabaseTrouble(f"cannot lock the database {database.name}: {self.path}: {why}") from None
        if not lock(self._file):
            with self._file:
                raise taken(database, process_in(self._file))
        if not self._is_there():
            self._file.close()
            return False
        return True

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        self.path.unlink(missing_ok=True)
        self._file.close()


def process_in(file: IO[str]) -> str:
    """Which process has a locked file, as it has written itself."""
    file.seek(0)
    number = file.read(20).strip()
    return f" (process {number})" if number.isdecimal() else ""


class PostgresHold:
    """An advisory lock of PostgreSQL, which lasts as long as the connection that took it."""

    def __init__(self, database: Database) -> None:
        with database.told("lock"):
            self._connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            until = time.monotonic() + PATIENCE
            while not self._connection.execute(select(func.pg_try_advisory_lock(LOCK, 1))).scalar():
                if time.monotonic() >= until:
                    self._connection.close()
                    raise taken(database)
                time.sleep(0.1)
            watch_connection(self._connection)

    def release(self) -> None:
        with contextlib.suppress(Exception):  # the connection may be lost, and with it the lock
            self._connection.execute(select(func.pg_advisory_unlock(LOCK, 1)))
        with contextlib.suppress(Exception):
            self._connection.close()


def watch_connection(connection: Connection) -> None:
    for name, value in ASK_AFTER.items():
        connection.execute(text(f"SET {name} = {value}"))
