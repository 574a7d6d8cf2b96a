"""Every test of the store runs on SQLite and on a real PostgreSQL."""

import pytest

from ludus.protocols.oht.storage.store import Store
from tests.oht import postgres
from tests.oht.rounds import CHEAP
from tests.oht.scripted import folder
from tests.web.conftest import browser, faults_of

__all__ = ["browser", "faults_of", "folder"]  # fixtures from elsewhere; those of pages are for the standings


@pytest.fixture(scope="session")
def postgres_server():
    with postgres.running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The address of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/oht.db"
    return request.getfixturevalue("postgres_server").new_database()


@pytest.fixture
def store(url):
    """An empty store, whose passwords are quick to hash."""
    store = Store(url, cost=CHEAP)
    yield store
    store.close()


@pytest.fixture
def anna(store):
    """The number of an account."""
    return store.add_account("Anna", "a good secret", "anna@example.org").id
