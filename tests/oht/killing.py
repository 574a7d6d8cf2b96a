"""Processes that write to the store are killed (kill -9) in the middle, many times; then the accounts must be right.

    python -m tests.oht.killing --kills 50
    python -m tests.oht.killing --url postgresql://me@/oht --kills 1000 --writers 4

A writer does what the server does: it begins the official attempt of an account, or goes on with it, and records game
by game. After every call that has returned it notes so in a file. Whatever was noted must be in the database, once,
as it was written; and when the writers are left alone in the end, every account has had its attempts, no more and no
fewer.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

from ludus.errors import LudusError
from ludus.protocols.oht.results import Played, Round
from ludus.protocols.oht.storage.store import DatabaseTrouble, Store
from tests.oht.rounds import CHEAP, plan_for

ACCOUNTS, ATTEMPTS, GAMES = 6, 5, 20  # games in each of two series
WATCH = os.WEXITED | os.WNOWAIT | os.WNOHANG


def game_of(round_id: int, number: int) -> Played:
    """What is played is known beforehand, so it can be compared with what is stored."""
    dice = random.Random(1000 * round_id + number)
    moves = tuple((dice.randrange(7), dice.randrange(7)) for _ in range(dice.randrange(5, 40)))
    return Played(number, dice.choice((1, 2)), moves, dice.choice(("rules", "rules", "illegal", "time", "gone")))


def write(url: str, notes: Path, seed: int) -> None:
    """One writer. Ends when no account has an attempt left."""
    dice = random.Random(seed)
    store = Store(url, cost=CHEAP)
    file = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    going = {row.account for row in store.standings()}
    while going:
        account = dice.choice(sorted(going))
        begun = store.begin_official(account, plan_for(account, GAMES))
        if begun is None:
            going.remove(account)
            continue
        os.write(file, f"round {account} {begun.id}\n".encode())
        record_some(store, begun, dice, file)
    store.close()


def record_some(store: Store, begun: Round, dice: random.Random, file: int) -> None:
    """Records missing games, one at a time or several; sometimes the connection is lost before the last."""
    missing = [game.number for game in begun.missing()]
    missing = missing[: dice.choice((1, 5, len(missing)))]
    while missing:
        batch, missing = missing[: (size := dice.choice((1, 1, 1, 4)))], missing[size:]
        store.record(begun.id, [game_of(begun.id, number) for number in batch])
        os.write(file, "".join(f"game {begun.id} {number}\n" for number in batch).encode())


def start(url: str, notes: Path, seed: int) -> int:
    """Forks a writer; gives its process id."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            write(url, notes, seed)
            code = 0
        except DatabaseTrouble as error:
            print(error, flush=True)
        finally:
            os._exit(code)
    return child


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def kill_one(url: str, notes: Path, seed: int, writers: int) -> int:
    """Lets writers work for a moment, and kills them all. Returns how many were killed before they were done."""
    dice, before = random.Random(seed), size_of(notes)
    children = [start(url, notes, 100 * seed + i) for i in range(writers)]
    while size_of(notes) == before and any(os.waitid(os.P_PID, child, WATCH) is None for child in children):
        time.sleep(0.001)
    time.sleep(dice.uniform(0, 0.05))
    killed = 0
    for child in children:
        os.kill(child, signal.SIGKILL)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert ended in (0, -signal.SIGKILL), f"a writer failed with {ended}"
        killed += ended == -signal.SIGKILL
    return killed


def compare(url: str, notes: Path, finished: bool) -> dict[str, int]:
    """Compares the database with the notes. Raises if they disagree; gives the counts."""
    store = Store(url, cost=CHEAP, create=False)
    results, standings = store.results(), store.standings()
    stored = {one.round: store.round(one.round) for one in results}
    store.close()
    lines = [line.split() for line in notes.read_text().splitlines(keepends=True) if line.endswith("\n")]
    noted = {(int(line[1]), int(line[2])) for line in lines if line[0] == "game"}
    begun = {(int(line[1]), int(line[2])) for line in lines if line[0] == "round"}
    there = Counter((round_id, game.number) for round_id, one in stored.items() for game in one.played)
    need(not noted - set(there), f"games are lost: {sorted(noted - set(there))}")
    need(all(count == 1 for count in there.values()), "a game is stored twice")
    for round_id, one in stored.items():
        need(all(game == game_of(round_id, game.number) for game in one.played), f"round {round_id} has other games")
    owners = {(one.account, one.round) for one in results}
    need(begun <= owners, f"attempts are lost: {sorted(begun - owners)}")
    for row in standings:
        own = [one for one in results if one.account == row.account]
        need(sum(not one.finished for one in own) <= 1, f"{row.name} was charged for a second attempt")
        need(row.attempts_used == len(own) <= ATTEMPTS, f"{row.name} has {len(own)} attempts")
        need(row.attempts_used + row.attempts_left == ATTEMPTS, f"{row.name} has lost an attempt")
        need(not finished or (len(own) == ATTEMPTS and all(one.finished for one in own)), f"{row.name} is not done")
    return {"attempts": len(results), "games stored": len(there), "games noted": len(noted)}


def need(true: bool, complaint: str) -> None:
    if not true:
        raise LudusError(complaint)


def run(url: str, folder: Path, kills: int, writers: int, seed: int = 0) -> dict[str, int]:
    """Kills writers as often as said, compares in between (a hundred times at most), then lets them finish.

    When the writers have used up all attempts, another set of accounts joins them. Gives the counts.
    """
    notes, done, stopped, sets = folder / "notes", 0, 0, 0
    while done < kills:
        if sets == 0 or not work_left(url):
            join(url, sets)
            sets += 1
        done += kill_one(url, notes, seed + stopped, writers)
        stopped += 1
        if stopped % max(1, kills // 100) == 0:
            compare(url, notes, finished=False)
    before = compare(url, notes, finished=False)
    children = [start(url, notes, 10**6 + i) for i in range(writers)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    need(codes == [0] * writers, f"writers ended with {codes}")
    after = compare(url, notes, finished=True)
    counted = {"kills": done, "accounts": sets * ACCOUNTS}
    counted |= {f"{name} after the last kill": value for name, value in before.items()}
    return counted | {f"{name} in the end": value for name, value in after.items()}


def join(url: str, sets: int) -> None:
    """Adds a set of accounts."""
    store = Store(url, cost=CHEAP)
    for i in range(ACCOUNTS):
        store.add_account(f"player {sets}.{i}", attempts=ATTEMPTS)
    store.close()


def work_left(url: str) -> bool:
    store = Store(url, cost=CHEAP)
    results = store.results()
    left = any(row.attempts_left for row in store.standings()) or not all(one.finished for one in results)
    store.close()
    return left


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="an empty database; SQLite in a temporary folder if not given")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--writers", type=int, default=2, help="processes that write at the same time")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = options.url or f"sqlite:///{folder}/oht.db"
        print(json.dumps(run(url, Path(folder), options.kills, options.writers, options.seed), indent=1))


if __name__ == "__main__":
    main()
