"""Addresses of databases, and databases that are not as they should be."""

import stat
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from ludus.errors import LudusError
from ludus.protocols.oht.results import Played
from ludus.protocols.oht.storage.database import read_url
from ludus.protocols.oht.storage.store import DatabaseTrouble, Store
from tests.oht.rounds import CHEAP, MOVES, plan_for, play


def test_a_database_that_is_not_there_is_made_only_if_wanted(url):
    with pytest.raises(LudusError, match="there is no"):
        Store(url, create=False)
    Store(url).close()
    Store(url, create=False).close()


def test_tables_of_another_version_are_refused(url, store):
    engine = create_engine(read_url(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE oht_facts SET value = '99' WHERE name = 'schema'"))
    engine.dispose()
    with pytest.raises(LudusError, match="made by another version of Ludus"):
        Store(url)


def test_a_path_alone_is_an_address_and_the_file_is_for_its_owner_only(tmp_path):
    store = Store(str(tmp_path / "oht.db"))
    store.add_account("Anna")
    for file in tmp_path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    store.close()
    again = Store(f"sqlite:///{tmp_path}/oht.db", create=False)
    assert again.account("Anna") and again.name == str(tmp_path / "oht.db")
    again.close()


@pytest.mark.parametrize("start", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_every_spelling_of_postgresql_means_psycopg(start):
    assert read_url(f"{start}://anna@host/name").drivername == "postgresql+psycopg"


@pytest.mark.parametrize(
    "url",
    [
        "mysql://anna:topsecret@host/name",
        "postgresql://anna:topsecret@host:port/name",
        "postgresql://anna:topsecret@localhost:1/name",
        "postgresql://anna@localhost:1/name?password=topsecret",
        "postgresql://anna@localhost:1/name?no_such_option=topsecret",
        "postgresql://anna:topsecret@localhost:99999/name",
        "postgresql://anna:top:secret@local host/name",
        "sqlite://",
        "sqlite:///:memory:",
        "",
        "sqlite:////nowhere/at/all/oht.db",
        "://anna:topsecret@",
    ],
)
def test_an_address_that_leads_nowhere_gets_a_sentence_without_the_password(url):
    with pytest.raises(LudusError) as caught:
        Store(url)
    assert "topsecret" not in str(caught.value) and "top:secret" not in str(caught.value)
    assert caught.value.__cause__ is None and "\n" not in str(caught.value)


def test_without_psycopg_there_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(LudusError, match=r"pip install 'ludus\[postgres\]'"):
        Store("postgresql://anna@localhost:1/name")


def test_a_file_that_is_no_database_gets_a_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("not a database " * 100)
    with pytest.raises(DatabaseTrouble, match=r"notes.txt: file is not a database"):
        Store(str(tmp_path / "notes.txt"))
    assert Path(tmp_path / "notes.txt").read_text().startswith("not a database")


def test_postgresql_may_restart(postgres_server):
    store = Store(postgres_server.new_database(), cost=CHEAP)
    anna = store.add_account("Anna").id
    begun = play(store, store.begin_official(anna, plan_for(anna)), wins=1, until=3)
    postgres_server.control("stop", "-m", "immediate")
    with pytest.raises(DatabaseTrouble, match="cannot write to the database"):
        store.record(begun.id, [Played(3, 1, MOVES)])
    postgres_server.control("start")
    store.record(begun.id, [Played(3, 1, MOVES)])
    assert len(store.round(begun.id).played) == 4
    store.close()
