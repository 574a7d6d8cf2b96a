"""How quick the tournament's store is: games recorded per second, standings of a large class, the cost of a password.

    python benchmarks/oht_store.py [--url postgresql://me@/oht] [--seconds 3]

The database must be empty; without an address it is SQLite on the disk of the current folder.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from ludus.protocols.oht.results import Played, Seat, Series
from ludus.protocols.oht.storage.passwords import Cost, hash_password
from ludus.protocols.oht.storage.store import NewAccount, Store

ACCOUNTS, GAMES = 200, 100_000
MOVES = tuple((i // 7, i % 7) for i in range(35))  # a game of usual length on 7×7


def seconds_of(call, times=5):
    """The median time of a call."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return sorted(taken)[times // 2]


def recorded(store, account, batch, threads, seconds):
    """Games per second, recorded so many at a time by so many threads."""

    def work(_):
        begun = store.begin("verification", account, [Series(Seat("me", account), Seat("random"), 10**6)])
        number, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            store.record(begun.id, [Played(number + i, 1, MOVES) for i in range(batch)])
            number += batch
        return number

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(work, range(threads))) / seconds


def fill(store, accounts):
    """A large class: five official attempts and many verification rounds of 100 games, some of the league."""
    dice = random.Random(0)
    for number in range(GAMES // 100):
        account = accounts[number % len(accounts)].id
        seat = Seat("me", account)
        plan = [Series(seat, Seat("random"), 50), Series(Seat("mcts"), seat, 50)]
        if number % 10 == 9:
            other = accounts[(number * 7 + 1) % len(accounts)].id
            begun = store.begin("league", None, [Series(seat, Seat("you", other), 2)] * 50)
        elif number % 2:
            begun = store.begin("verification", account, plan)
        else:
            begun = store.begin_official(account, plan)
        store.record(begun.id, [Played(i, dice.choice((1, 2)), MOVES) for i in range(100)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url")
    parser.add_argument("--seconds", type=float, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        store = Store(options.url or f"sqlite:///{folder}/oht.db", cost=Cost(n=2, r=1, p=1))
        accounts = store.add_accounts([NewAccount(f"player {i}", attempts=10) for i in range(ACCOUNTS)])
        rows = {"seconds for a password": seconds_of(lambda: hash_password("a good secret"))}
        fill(store, accounts)
        rows[f"seconds for standings, {ACCOUNTS} accounts and {GAMES:,} games"] = seconds_of(store.standings)
        rows["seconds for the best score of one account"] = seconds_of(lambda: store.best(accounts[0].id))
        rows["seconds for attempts_left"] = seconds_of(lambda: store.attempts_left(accounts[0].id))
        for batch, threads in ((1, 1), (1, 8), (10, 1), (100, 1)):
            name = f"games/s, {batch} at a time, {threads} thread{'s' * (threads > 1)}"
            rows[name] = round(recorded(store, accounts[0].id, batch, threads, options.seconds))
        store.close()
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
