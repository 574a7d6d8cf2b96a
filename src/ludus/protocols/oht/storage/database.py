"""The connection to the database: SQLite in a file, or PostgreSQL. Transactions, durability, errors in one sentence.

SQLite keeps a write-ahead log and syncs it at every commit; a writing transaction takes the lock when it begins, so
that the server and the teacher's commands wait for each other instead of failing halfway.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, func, insert, inspect, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ludus.errors import LudusError
from ludus.protocols.oht.storage.passwords import without_passwords
from ludus.protocols.oht.storage.tables import SCHEMA, facts, metadata

FIRST_FACTS = {"schema": SCHEMA, "status": "open"}
PATIENCE = 30  # seconds that a writer waits for another one
LOCK = 0x4F4854  # the number of the PostgreSQL lock under which the tables are made


class DatabaseTrouble(LudusError):
    """The database cannot be reached, read or written now."""


class NoTournament(LudusError):
    """There is no tournament at this address, and none was to be begun."""


class Conflict(LudusError):
    """A row would break a rule of the tables: a name that is taken, an account that does not exist."""


class Database:
    """Transactions on one database, from any number of threads."""

    def __init__(self, url: str, create: bool = True) -> None:
        self.url = read_url(url)
        self.name = shown(self.url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._writing = threading.Lock()  # SQLite has one writer at a time; threads wait here, without polling
        if self.sqlite:
            prepare_file(self.url, create)
        self.engine = make_engine(self.url, self.sqlite)
        try:
            self._settle(create)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees the database at one moment."""
        level: dict[str, Any] = {} if self.sqlite else {"isolation_level": "REPEATABLE READ"}
        with self.told("read"), self.engine.connect().execution_options(**level) as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection whose changes are all made, durably, when the block ends, or none of them."""
        turn = self._writing if self.sqlite else contextlib.nullcontext()
        with self.told("write to"), turn, self.engine.connect() as connection:
            level = {} if self.sqlite else {"isolation_level": "READ COMMITTED"}  # whatever the server's default is
            connection.execution_options(writes=True, **level)
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def told(self, what: str) -> Iterator[None]:
        """Errors of the database as one sentence, which never holds a password."""
        try:
            yield
        except IntegrityError as error:
            raise Conflict(f"the database {self.name} refused a row: {reason(error.orig or error)}") from None
        except DBAPIError as error:
            raise DatabaseTrouble(f"cannot {what} the database {self.name}: {reason(error.orig or error)}") from None
        except PoolTimeout:
            raise DatabaseTrouble(f"cannot {what} the database {self.name}: all connections are busy") from None

    def _settle(self, create: bool) -> None:
        """Makes the tables if they are missing, and makes sure that they are those of this version."""
        with self.reading() as connection:
            there = inspect(connection).has_table(facts.name)
        if not there and not create:
            raise NoTournament(f"there is no tournament in the database {self.name}; {HOW_TO_BEGIN}")
        if not there:
            with self.writing() as connection:
                if not self.sqlite:
                    connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
                metadata.create_all(connection)
                if get_fact(connection, "schema") is None:
                    connection.execute(insert(facts), [{"name": n, "value": v} for n, v in FIRST_FACTS.items()])
        with self.reading() as connection:
            found = get_fact(connection, "schema")
        if found != SCHEMA:
            raise LudusError(
                f"the database {self.name} was made by another version of Ludus "
                f"(tables of version {found}, this one has {SCHEMA})"
            )


HOW_TO_BEGIN = "`ludus oht add-player`, `add-class` and `serve` begin one, and --database says where it is"


# --------------------------------------------------------------------------------------------- addresses


def read_url(text: str) -> URL:
    """An address of a database; a path alone is one of SQLite."""
    if "://" not in text:
        if not text.strip():
            raise LudusError("say which database: sqlite:///oht.db or postgresql://user@host/name")
        return URL.create("sqlite", database=str(Path(text).expanduser()))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # their messages hold the address with its password
        raise LudusError(
            "this address of a database cannot be read: write sqlite:///oht.db or postgresql://user:password@host/name"
        ) from None
    if url.get_backend_name() in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "sqlite+pysqlite"):
        raise LudusError(f"results are kept in SQLite or PostgreSQL, not in {url.drivername}")
    if not url.database or url.database == ":memory:":
        raise LudusError("results in memory would be lost: say a file, such as sqlite:///oht.db")
    return url


def shown(url: URL) -> str:
    """The address for people: no password, and nothing of what may follow a question mark."""
    if url.get_backend_name() == "sqlite":
        return url.database or ""
    return url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)


def reason(error: BaseException) -> str:
    """What a database says was wrong, as the rest of a sentence."""
    words = " ".join(str(error).split()) or type(error).__name__
    return without_passwords(words)


# --------------------------------------------------------------------------------------------- connections


def prepare_file(url: URL, create: bool) -> None:
    """Makes the file of a SQLite database, for its owner only: it holds hashes of passwords."""
    path = Path(url.database or "")
    if path.exists():
        return
    if not create:
        raise NoTournament(f"there is no database {path}; {HOW_TO_BEGIN}")
    try:
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise DatabaseTrouble(f"cannot make the database {path}: {(error.strerror or str(error)).lower()}") from None


def make_engine(url: URL, sqlite: bool) -> Engine:
    """The pool of connections, set up for durable commits."""
    try:
        if sqlite:
            engine = create_engine(url, pool_size=5, max_overflow=20, connect_args={"timeout": PATIENCE})
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        return create_engine(url, pool_size=5, max_overflow=10, pool_pre_ping=True)
    except ImportError as error:
        missing = error.name or "its library"
        raise LudusError(
            f"PostgreSQL needs the extra `postgres` ({missing} is missing): pip install 'ludus[postgres]'"
        ) from None
    except (SQLAlchemyError, TypeError, ValueError):
        raise LudusError(f"the address of the database {shown(url)} has parts that cannot be used") from None


def _set_up_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver begins no transactions by itself; _begin_sqlite does
    for pragma in (
        "foreign_keys = ON",
        f"busy_timeout = {PATIENCE * 1000}",
        "synchronous = FULL",
    ):
        connection.execute(f"PRAGMA {pragma}")
    _keep_a_log(connection)


def _keep_a_log(connection: Any) -> None:
    """Turns the write-ahead log on. Where two do so at once, SQLite refuses one of them without waiting: we wait."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


# --------------------------------------------------------------------------------------------- facts


def get_fact(connection: Connection, name: str) -> str | None:
    value: str | None = connection.execute(select(facts.c.value).where(facts.c.name == name)).scalar()
    return value


def set_fact(connection: Connection, name: str, value: str) -> None:
    row = new_row(connection, facts).values(name=name, value=value)
    connection.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


def first_fact(connection: Connection, name: str, value: str) -> str:
    """The value that was set first: this one, if there was none."""
    row = new_row(connection, facts).values(name=name, value=value)
    connection.execute(row.on_conflict_do_nothing(index_elements=["name"]))
    return get_fact(connection, name) or value


def new_row(connection: Connection, table: Table) -> Any:
    """An INSERT that can say what happens if the row is there already."""
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
