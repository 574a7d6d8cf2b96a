"""A class of clients at once against `ludus oht serve`: how long they wait for the next request, and who waits longest.

python experiments/oht_class.py                      200 clients log in, then play for 30 seconds and answer at once
python experiments/oht_class.py --think 0.2          … and think 0.2 seconds about every move
python experiments/oht_class.py --hostile 22         … with 22 others among them that misbehave
python experiments/oht_class.py --rounds             … until each has played a verification round of 100 games
python experiments/oht_class.py --source OLD/src     … against another copy of the sources, to compare with

Half of the clients speak the text protocol, half the JSON protocol. The server and the clients are processes of their
own on this machine, and share its cores. Prints a table; `--out FILE` adds it to a file of JSON lines.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from ludus.protocols.oht.storage.accounts import NewAccount
from ludus.protocols.oht.storage.passwords import new_token
from ludus.protocols.oht.storage.store import Store

PROCESSES = Path(__file__).with_name("oht_processes.py")
PASSWORD = "correct horse battery"
KEPT = ("label", "clients", "hostile", "think", "opponents", "rounds", "board")
ENDS = ("games", "rounds_played", "connections_lost")


def main() -> None:
    options = read_options()
    result = measure(options)
    print(table(result))
    if options.out:
        with Path(options.out).open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--hostile", type=int, default=0, help="clients that misbehave, besides the others")
    parser.add_argument("--seconds", type=float, default=30.0, help="of play, after everybody has logged in")
    parser.add_argument("--rounds", action="store_true", help="play one verification round each, however long it takes")
    parser.add_argument("--think", type=float, default=0.0, help="seconds that a client thinks about a move")
    parser.add_argument("--board", type=int, default=7)
    parser.add_argument("--opponents", nargs="+", default=["random", "mcts:simulations=30"])
    parser.add_argument("--source", help="a folder with another copy of the package ludus, for the server")
    parser.add_argument("--out", help="a file of JSON lines to which the result is added")
    parser.add_argument("--label", default="", help="what is measured, for the table")
    parser.add_argument("--profile", help="write a profile of the server's event loop to this file")
    return parser.parse_args()


def measure(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        people = make_accounts(options, folder)
        load = os.getloadavg()[0]
        server, ports = start_server(options, folder)
        crowds = [start_crowd(task) for task in tasks_of(options, folder, people, ports)]
        try:
            result = play(psutil.Process(server.pid), crowds)
        finally:
            for process in (server, *crowds):
                process.terminate()
            code = server.wait()
        late = [lag for when, lag in json.loads((folder / "lag").read_text()) if when >= result["begun"]]
        log = (folder / "log").read_text()
    kept = {key: getattr(options, key) for key in KEPT}
    return kept | result | {"load_before": load, "exit_code": code, "lag": spread(late), "log": log[-1000:]}


def make_accounts(options: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """An account for everybody. Only clients of the text protocol need a password, which takes a while to hash."""
    count = options.clients + options.hostile
    people = [{"name": f"player{n}", "token": new_token(), "text": n % 2 == 0, "seed": n} for n in range(count)]
    print(f"making {count} accounts …", file=sys.stderr, flush=True)
    store = Store(str(folder / "oht.db"))
    with_password = [one["text"] or n >= options.clients for n, one in enumerate(people)]
    store.add_accounts(
        [
            NewAccount(one["name"], password=PASSWORD if wanted else None, token=one["token"])
            for one, wanted in zip(people, with_password, strict=True)
        ]
    )
    store.close()
    return people


def start_server(options: argparse.Namespace, folder: Path) -> tuple[subprocess.Popen[str], dict[str, int]]:
    """The server, on ports that are free, which are read from its greeting."""
    arguments = ["--port", "0", "--json-port", "0", "--league-port", "None", "--api-port", "None"]
    arguments += ["--board", str(options.board), "--verification", *options.opponents, "--verification-games", "100"]
    arguments += ["--database", f"sqlite:///{folder}/oht.db", "--certificate", str(folder / "server.crt")]
    arguments += ["--key", str(folder / "server.key"), "--move-seconds", "600"]
    task = {"arguments": arguments, "lag": str(folder / "lag"), "profile": options.profile}
    command, environment = [sys.executable], dict(os.environ)
    if options.source:  # without the hook by which an editable installation finds its own sources
        command.append("-S")
        environment["PYTHONPATH"] = os.pathsep.join([options.source, str(Path(np.__file__).parent.parent)])
    command += [str(PROCESSES), "server", json.dumps(task)]
    log = (folder / "log").open("w")
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
    ports = {}
    assert server.stdout
    for line in server.stdout:
        if found := re.match(r" +port +(\d+)  the (text|JSON) protocol", line):
            ports[found[2].lower()] = int(found[1])
        if line.startswith("Results are in"):
            return server, ports
    raise SystemExit((folder / "log").read_text())


def tasks_of(
    options: argparse.Namespace, folder: Path, people: list[dict[str, Any]], ports: dict[str, int]
) -> list[dict[str, Any]]:
    """Two processes of clients, and one of those that misbehave."""
    clients, enemies = people[: options.clients], people[options.clients :]
    hostile = [{"name": one["name"], "password": PASSWORD, "token": one["token"]} for one in enemies]
    common = {**ports, "certificate": str(folder / "server.crt"), "think": options.think}
    common |= {"seconds": options.seconds, "rounds": options.rounds, "clients": [], "hostile": []}
    halves = [[one for one in clients if one["seed"] // 2 % 2 == half] for half in (0, 1)]
    return [common | {"clients": half} for half in halves] + [common | {"hostile": hostile}] * bool(hostile)


def start_crowd(task: dict[str, Any]) -> subprocess.Popen[str]:
    command = [sys.executable, str(PROCESSES), "crowd", json.dumps(task)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def play(server: psutil.Process, crowds: list[subprocess.Popen[str]]) -> dict[str, Any]:
    """Lets everybody log in, then play."""
    for one in crowds:
        assert one.stdout and one.stdout.readline() == "ready\n"
    begun, before, start = time.time(), cpu_of(server), time.perf_counter()
    for one in crowds:
        assert one.stdin
        one.stdin.write("go\n")
        one.stdin.flush()
    time.sleep(5)
    memory = server.memory_info().rss / 2**20
    parts = [json.loads(one.stdout.readline()) for one in crowds if one.stdout]
    took = time.perf_counter() - start
    used = {name: round((value - before[name]) / took, 3) for name, value in cpu_of(server).items()}
    clients = [one for part in parts for one in part["clients"]]
    seconds = max(part["seconds"] for part in parts)
    seen = summary(clients, seconds)
    per_move = round(1e6 * used["server"] * took / max(1, seen["moves"]))
    used["clients"] = round(sum(part["cpu"] for part in parts) / took, 3)
    more = {"begun": begun, "seconds": round(seconds, 1), "cpu": used, "server_us_per_move": per_move}
    return seen | more | {"memory_mb": round(memory)}


def cpu_of(process: psutil.Process) -> dict[str, float]:
    own, workers = process.cpu_times(), [child.cpu_times() for child in process.children()]
    return {"server": own.user + own.system, "opponents": sum(one.user + one.system for one in workers)}


def spread(seconds: Any) -> dict[str, float]:
    """Median, 90 and 99 of a hundred, and the longest, in milliseconds."""
    if not len(seconds):
        return {}
    values = (*np.percentile(seconds, (50, 90, 99)), max(seconds))
    return {name: round(1000 * float(v), 1) for name, v in zip(("median", "p90", "p99", "max"), values, strict=True)}


def summary(clients: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """How long clients waited, together and one by one."""
    medians = [1000 * float(np.median(one["answers"])) if one["answers"] else None for one in clients]
    known = sorted(median for median in medians if median is not None)
    games = sorted(one["games"] for one in clients)
    every = [answer for one in clients for answer in one["answers"]]
    return {
        "answers": spread(every),
        "moves": len(every),
        "moves_per_second": round(len(every) / seconds),
        "medians_of_clients": [round(known[0], 1), round(known[-1], 1)] if known else [],
        "clients_without_answer": medians.count(None),
        "longest_wait_at_the_end": round(1000 * max(one["waits"] for one in clients), 1),
        "games": sum(games),
        "games_of_clients": [games[0], games[len(games) // 2], games[-1]],
        "text_logins": spread([one["login"] for one in clients if one["text"]]),
        "json_logins": spread([one["login"] for one in clients if not one["text"]]),
        "rounds_played": sum(one["rounds"] for one in clients),
        "connections_lost": sum(one["lost"] for one in clients),
        "refusals": sorted({one["refused"] for one in clients if one["refused"]}),
    }


def table(result: dict[str, Any]) -> str:
    """The result as a table in Markdown."""
    answers, lag, cpu = result["answers"], result["lag"], result["cpu"]
    low, high = result["medians_of_clients"]
    few, middle, most = result["games_of_clients"]
    think = f", each thinks {result['think']:g} s" if result["think"] else ", each answers at once"
    hostile = f", {result['hostile']} that misbehave" if result["hostile"] else ""
    text, other = result["text_logins"], result["json_logins"]
    rows = {
        result["label"] or "measured": f"{result['clients']} clients{think}{hostile}; {result['seconds']} s",
        "opponents": ", ".join(result["opponents"]),
        "moves a second": result["moves_per_second"],
        "answer: median, 90 %, 99 %, longest": " · ".join(f"{value:g}" for value in answers.values()) + " ms",
        "median of the quickest and the slowest client": f"{low:g} · {high:g} ms",
        "games of a client: fewest, median, most": f"{few} · {middle} · {most}",
        "games, rounds finished, connections lost": " · ".join(str(result[key]) for key in ENDS),
        "logged in, all at once: text, JSON (last)": f"{text['max'] / 1000:.1f} · {other['max'] / 1000:.1f} s",
        "cores used: server, opponents, clients": " · ".join(f"{value:.2f}" for value in cpu.values()),
        "server's time for a move": f"{result['server_us_per_move']} µs",
        "event loop late: median, 90 %, 99 %, longest": " · ".join(f"{value:g}" for value in lag.values()) + " ms",
        "memory of the server": f"{result['memory_mb']} MB",
        "load of the machine before": f"{result['load_before']:.1f}",
    }
    return "\n".join(f"| {name} | {value} |" for name, value in rows.items())


if __name__ == "__main__":
    main()
