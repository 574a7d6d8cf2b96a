"""A PostgreSQL of our own for tests: in a temporary folder, reached through a socket in it, gone afterwards."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

# A crash of the machine is not tested, so nothing has to reach the disk.
QUICK = ("fsync=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=60")


def programs() -> Path | None:
    """The folder of PostgreSQL's programs: Debian keeps them away from the path."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return folders[-1].parent if folders else None


def user() -> str | None:
    """Who runs it: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


class Postgres:
    """A running server. `new_database` gives the address of an empty database."""

    def __init__(self, folder: Path, bin: Path) -> None:
        self.folder, self.bin, self.databases = folder, bin, 0

    def call(self, program: str, *arguments: str) -> None:
        who = user()
        groups = {} if who is None else {"user": who, "group": pwd.getpwnam(who).pw_gid, "extra_groups": []}
        with (self.folder / "log").open("a") as log:
            done = subprocess.run(
                [self.bin / program, *arguments],
                cwd=self.folder, env=os.environ | {"HOME": str(self.folder), "LC_ALL": "C"},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=600, **groups,
            )  # fmt: skip
        assert done.returncode == 0, (self.folder / "log").read_text()

    def control(self, action: str, *arguments: str) -> None:
        """pg_ctl start, stop or restart; waits until it is done."""
        settings = " ".join(f"-c {setting}" for setting in QUICK)
        options = () if action == "stop" else ("-o", f"-k {self.folder} -h '' {settings}")
        self.call("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "300", *options, *arguments, action)

    def new_database(self) -> str:
        import psycopg

        self.databases += 1
        with psycopg.connect(f"host={self.folder} user=postgres dbname=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE test{self.databases}")
        return f"postgresql://postgres@/test{self.databases}?host={self.folder}"


@contextlib.contextmanager
def running() -> Iterator[Postgres]:
    """A server while the block lasts; skips the test, with the reason, where there cannot be one."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'ludus[postgres]')")
    bin = programs()
    if bin is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt install postgresql)")
    if os.geteuid() == 0 and user() is None:
        pytest.skip("PostgreSQL does not run as root, and there is no other user here")
    folder = Path(tempfile.mkdtemp(prefix="ludus-pg-"))
    who = user()
    if who is not None:
        os.chown(folder, pwd.getpwnam(who).pw_uid, pwd.getpwnam(who).pw_gid)
    server = Postgres(folder, bin)
    try:
        server.call("initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        server.control("start")
        try:
            yield server
        finally:
            server.control("stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
