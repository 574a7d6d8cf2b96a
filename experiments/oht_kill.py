"""Kills the tournament server (kill -9) fifty times in the middle of play: is what clients heard in the database?

python experiments/oht_kill.py
python experiments/oht_kill.py --kills 200 --clients 40
python experiments/oht_kill.py --database postgresql://me@localhost/oht_kill     an empty database

Twenty clients of both protocols play their official attempts, and go on with them after every kill. Stops at once when
a game that somebody heard of is not in the database, or is there with another winner, or when an attempt was charged
twice or is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.oht.server_kills import Plan, run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--games", type=int, default=50, help="against each of the two opponents")
    parser.add_argument("--database", help="where results live; a file that is deleted afterwards, if not given")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = options.database or f"sqlite:///{folder}/oht.db"
        plan = Plan(url, Path(folder), options.kills, options.clients, games=options.games, seed=options.seed)
        for when, counts in asyncio.run(run(plan, print)).items():
            print(f"{when}: " + ", ".join(f"{value} {name}" for name, value in counts.items()))
    print("Every game that a client heard of is in the database, once and as it was heard.")
    print("No attempt was lost or charged twice.")


if __name__ == "__main__":
    main()
