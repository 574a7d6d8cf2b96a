"""Several threads and processes use one database at the same time, and some of them are killed."""

import json
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludus.errors import LudusError
from ludus.protocols.oht.storage.database import _set_up_sqlite
from ludus.protocols.oht.storage.store import NewAccount, Store
from tests.oht.rounds import CHEAP, MOVES, plan_for, play
from tests.oht.rounds import result_for as result

ROOT = Path(__file__).parents[2]
# Another process: records the games of a verification round one by one, and says what it has done.
WRITER = """
import sys
from ludus.protocols.oht.storage.store import Store
from tests.oht.rounds import plan_for, result_for
store = Store(sys.argv[1], create=False)
account = store.account(sys.argv[2]).id
begun = store.begin("verification", account, plan_for(account, 50))
print(begun.id, flush=True)
for number in range(100):
    store.record(begun.id, [result_for(begun, number, won=True)])
print("done", flush=True)
"""


def at_once(times, call):
    """The results of calls that are made by so many threads at the same moment."""
    barrier = threading.Barrier(times)

    def wait_and_call(number):
        barrier.wait()
        return call(number)

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(wait_and_call, range(times)))


def test_twenty_logins_at_once_with_one_attempt_left_get_the_same_round(store):
    account = store.add_account("Anna", attempts=1).id
    rounds = at_once(20, lambda _: store.begin_official(account, plan_for(account)))
    assert len({begun.id for begun in rounds}) == 1
    assert len(store.results(account)) == 1 and store.attempts_left(account) == 0


def test_twenty_logins_at_once_without_an_attempt_get_nothing(store):
    account = store.add_account("Anna", attempts=1).id
    play(store, store.begin_official(account, plan_for(account)), wins=3)
    assert at_once(20, lambda _: store.begin_official(account, plan_for(account))) == [None] * 20


def test_logins_through_stores_of_their_own_get_the_same_round(url, store):
    """As if several servers ran: nothing but the database holds them together."""
    account = store.add_account("Anna", attempts=3).id
    stores = [Store(url, cost=CHEAP) for _ in range(8)]
    rounds = at_once(8, lambda i: stores[i].begin_official(account, plan_for(account)))
    for one in stores:
        one.close()
    assert len({begun.id for begun in rounds}) == 1 and store.attempts_left(account) == 2


def test_the_same_games_recorded_by_many_threads_are_there_once(store):
    account = store.add_account("Anna").id
    begun = store.begin_official(account, plan_for(account, 20))
    games = [result(begun, number, won=True) for number in range(40)]
    at_once(10, lambda i: store.record(begun.id, games[i:] + games[:i]))  # each in another order
    assert store.round(begun.id).played == tuple(games) and store.best(account) == 100


def test_many_threads_use_one_store_for_everything(store):
    accounts = [store.add_account(f"player {i}", "a good secret") for i in range(10)]

    def session(number):
        account = accounts[number % 10]
        assert store.by_password(account.name, "a good secret") == store.account(account.name)
        store.set_handle(account.id, account.handle)
        begun = store.begin("verification", account.id, plan_for(account.id))
        play(store, begun, wins=number % 8)
        return store.standings()

    assert all(len(rows) == 10 for rows in at_once(20, session))
    assert [row.verification_rounds for row in store.standings()] == [2] * 10


def test_a_name_that_is_taken_at_the_same_moment_is_taken_once(store):
    def add(_):
        try:
            return store.add_accounts([NewAccount("Anna"), NewAccount("Bob")])
        except LudusError:
            return None

    assert sum(made is not None for made in at_once(8, add)) == 1
    assert [row.name for row in store.standings()] == ["Anna", "Bob"]


def test_a_temporary_token_is_good_for_one_of_many_threads(store):
    store.add_account("Anna", email="anna@example.org")
    temporary = store.begin_reset("anna@example.org")
    tokens = [token for token in at_once(10, lambda _: store.finish_reset(temporary)) if token]
    assert len(tokens) == 1 and store.by_token(tokens[0]).name == "Anna"


def test_a_database_may_be_made_by_many_at_once(url):
    stores = at_once(8, lambda _: Store(url, cost=CHEAP))
    stores[0].add_account("Anna")
    assert [one.account("Anna").name for one in stores] == ["Anna"] * 8
    for one in stores:
        one.close()


def test_many_turn_the_log_of_a_new_database_on_at_once(tmp_path):
    """SQLite by itself refuses one of eight in every seventh try."""

    def begin(path):
        connection = sqlite3.connect(path)
        _set_up_sqlite(connection, None)
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        connection.close()
        return mode

    for number in range(40):
        path = tmp_path / f"{number}.db"
        assert at_once(8, lambda _, path=path: begin(path)) == ["wal"] * 8


def test_two_processes_write_while_the_teacher_gives_back_and_pauses(url, store):
    names = ["Anna", "Bob"]
    for name in names:
        store.add_account(name)
    teacher = store.account("Anna").id
    command = [sys.executable, "-c", WRITER, url]
    writers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True, cwd=ROOT) for name in names]
    rounds = [int(writer.stdout.readline()) for writer in writers]
    while any(writer.poll() is None for writer in writers):
        store.begin_official(teacher, plan_for(teacher))
        store.give_back(teacher)
        store.set_status("paused")
        store.standings()
    assert [writer.communicate()[0] for writer in writers] == ["done\n"] * 2
    assert all(store.round(number).finished for number in rounds)
    assert store.attempts_left(teacher) == 5


@pytest.mark.parametrize("writers", [1, 3])
def test_killed_writers_lose_nothing_and_charge_nothing_twice(url, writers):
    command = [sys.executable, "-m", "tests.oht.killing", "--url", url, "--kills", "20", "--writers", str(writers)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    counted = json.loads(done.stdout)
    assert counted["kills"] >= 20
    assert counted["games stored after the last kill"] >= counted["games noted after the last kill"] > 0
    assert counted["games stored in the end"] == 40 * counted["attempts in the end"] == 200 * counted["accounts"]


def test_a_killed_writer_leaves_no_half_of_a_batch(url, store):
    """A process that dies inside a transaction has written nothing of it."""
    account = store.add_account("Anna").id
    begun = store.begin_official(account, plan_for(account))
    dying = (
        "import os, sys\nfrom ludus.protocols.oht.storage import rounds\n"
        "from ludus.protocols.oht.storage.store import Store\n"
        "from ludus.protocols.oht.results import Played\n"
        "rounds.record = lambda connection, *rest, record=rounds.record: (record(connection, *rest), os._exit(9))\n"
        "Store(sys.argv[1], create=False).record(int(sys.argv[2]), [Played(i, 1, ()) for i in range(5)])\n"
    )
    done = subprocess.run([sys.executable, "-c", dying, url, str(begun.id)], timeout=300, cwd=ROOT)
    assert done.returncode == 9 and store.round(begun.id).played == ()
    store.record(begun.id, [result(begun, 0, won=True)])
    assert store.round(begun.id).played[0].moves == MOVES
