"""Kills training, tournament, tournament server and page (kill -9) a hundred times each, at random instants.

    python experiments/storm.py                        all four, a hundred times each
    python experiments/storm.py --kills 20 --only training page
    make storm

After every kill the same command goes on. A part is played in blocks of ten kills, each in a new folder; at its end the
block is finished and looked at: no finished game may be lost or be there twice, no file may be broken. A finished block
is a line in `--keep` (storm.jsonl), and the same command goes on after the last one. Exit code 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.oht.server_kills import Plan
from tests.oht.server_kills import run as kill_servers
from tests.storms.kills import Counts, Tell, end_all, page, tournament, train

from ludus.system import json_lines

BLOCK = 10  # kills in one folder


def tournament_block(folder: Path, kills: int, seed: int, tell: Tell) -> Counts:
    return tournament(folder, kills, seed, tell, games=500)


def oht_block(folder: Path, kills: int, seed: int, tell: Tell) -> Counts:
    """Clients of both protocols play all their official attempts; what they heard is compared with the database."""
    plan = Plan(f"sqlite:///{folder}/oht.db", folder, kills, clients=8, games=20, between=(0.0, 3.0), seed=seed)
    counts = asyncio.run(kill_servers(plan, lambda line: tell(f"oht: {line.partition(':')[0]}")))  # raises on a loss
    last, end = counts["after the last kill"], counts["at the end"]
    assert end["exit code"] == 0, counts
    return Counts(last["kills"], last["kills"], last["games stored"], end["games stored"])


PARTS: dict[str, Callable[[Path, int, int, Tell], Counts]] = {
    "training": train,
    "tournament": tournament_block,
    "oht": oht_block,
    "page": page,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100, help="of each part")
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    parser.add_argument(
        "--keep", type=Path, default=Path("storm.jsonl"), help="what was done; the storm goes on after it"
    )
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    for seed in range(-(-options.kills // BLOCK)):  # a block of each part in turn
        for part in options.only:
            kills = min(BLOCK, options.kills - seed * BLOCK)
            if not any(
                (row["part"], row["seed"], row["kills"]) == (part, seed, kills) for row in json_lines(options.keep)
            ):
                with options.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(block(part, kills, seed)) + "\n")
    rows = [row for row in json_lines(options.keep) if row["part"] in options.only]
    print(table_of(rows))
    return int(any(row["wrong"] or row["lost"] or row["twice"] or row["broken"] for row in rows))


def block(part: str, kills: int, seed: int) -> dict[str, object]:
    """One block, as a line to keep."""
    begun, counts, wrong = time.monotonic(), Counts(), ""
    with tempfile.TemporaryDirectory(prefix=f"storm-{part}-") as folder:
        try:
            counts = PARTS[part](Path(folder), kills, seed, lambda line: print(line, flush=True))
        except (AssertionError, OSError, RuntimeError) as error:
            wrong = f"{type(error).__name__}: {error}"
            print(f"{part}: {wrong}", flush=True)
        finally:
            end_all()
    seconds = round(time.monotonic() - begun, 1)
    return {"part": part, "seed": seed, "kills": kills, "seconds": seconds, "wrong": wrong, **asdict(counts)}


def table_of(rows: list[dict[str, object]]) -> str:
    """A line for each part."""
    names = [field.name for field in fields(Counts)]
    lines = [f"{'':12}" + "".join(f"{name.replace('_', ' '):>10}" for name in (*names, "wrong", "minutes"))]
    for part in dict.fromkeys(str(row["part"]) for row in rows):
        own = [row for row in rows if row["part"] == part]
        sums = [sum(int(str(row[name])) for row in own) for name in names]
        wrong, minutes = sum(bool(row["wrong"]) for row in own), sum(float(str(row["seconds"])) for row in own) / 60
        lines.append(f"{part:12}" + "".join(f"{number:>10}" for number in (*sums, wrong)) + f"{minutes:>10.1f}")
    return "\n".join(lines)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nstopped: the same command goes on after the last block", file=sys.stderr)
        sys.exit(130)
