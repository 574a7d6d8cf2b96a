"""The processes of `oht_class.py`: the server with a watch on its event loop, and many clients in one process each.

The first argument says which; what it is to do comes as JSON in the second.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.oht.crowd import Heard, play_json, play_text
from tests.oht.hostile import WAYS, Target, misbehave
from tests.oht.link import Closed, trusting

PASSWORD = "correct horse battery"
EVERY = 0.02  # seconds between two looks at the event loop


def serve(task: dict[str, Any]) -> None:
    """`ludus oht serve` itself, with one task more on its event loop, which measures how late it wakes up."""
    from ludus.cli.oht import serve as command

    real, late = command.run, []

    async def measured(*args: Any) -> None:
        watch = asyncio.create_task(watch_loop(late))
        try:
            await real(*args)
        finally:
            watch.cancel()

    command.run = measured
    try:
        if task["profile"]:
            import cProfile

            names = {"command": command, "arguments": task["arguments"]}
            cProfile.runctx("command.main('serve', arguments)", names, {}, task["profile"])
        else:
            command.main("serve", task["arguments"])
    finally:
        Path(task["lag"]).write_text(json.dumps(late))


async def watch_loop(late: list[tuple[float, float]]) -> None:
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(EVERY)
        late.append((time.time(), time.perf_counter() - begun - EVERY))


async def crowd(task: dict[str, Any]) -> None:
    """Clients that log in, wait for the word, play for some time, and print what they have seen."""
    context, gate, begun = trusting(task["certificate"]), asyncio.Event(), time.perf_counter()
    clients = [Client(task, context, one, gate) for one in task["clients"]]
    while not all(client.heard.first for client in clients):
        await asyncio.sleep(0.01)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    cpu, start = time.process_time(), time.perf_counter()
    gate.set()
    targets = [Target(task["text"], task["json"], context, **enemy) for enemy in task["hostile"]]
    hostile = [asyncio.create_task(misbehave(WAYS[n % len(WAYS)], target)) for n, target in enumerate(targets)]
    if task["rounds"]:
        await asyncio.gather(*(client.task for client in clients))
    await asyncio.sleep(0 if task["rounds"] else task["seconds"])
    took = time.perf_counter() - start
    seen = [client.seen(begun) for client in clients]
    for running in (*hostile, *(client.task for client in clients)):
        running.cancel()
    print(json.dumps({"clients": seen, "cpu": time.process_time() - cpu, "seconds": took}))


class Client:
    """One client, which plays verification rounds: one, or one after the other until it is stopped."""

    def __init__(self, task: dict[str, Any], context: Any, who: dict[str, Any], gate: asyncio.Event) -> None:
        self.options, self.context, self.who = task, context, who
        self.heard, self.rounds, self.lost = Heard(gate=gate), 0, 0
        self.task = asyncio.create_task(self.play())

    async def play(self) -> None:
        while not (self.options["rounds"] and self.rounds):
            try:
                await self.play_round()
                self.rounds += self.heard.score is not None
            except (Closed, OSError):
                self.lost += 1
                await asyncio.sleep(0.2)

    async def play_round(self) -> None:
        rest = (False, self.who["seed"], self.heard, self.options["think"])
        if self.who["text"]:
            await play_text(self.options["text"], self.context, self.who["name"], PASSWORD, *rest)
        else:
            await play_json(self.options["json"], self.context, self.who["token"], *rest)

    def seen(self, begun: float) -> dict[str, Any]:
        return {
            "text": self.who["text"],
            "games": len(self.heard.winners),
            "answers": self.heard.answers,
            "waits": time.perf_counter() - self.heard.asked if self.heard.asked else 0.0,
            "login": self.heard.first - begun,
            "rounds": self.rounds,
            "refused": self.heard.refused,
            "lost": self.lost,
        }


if __name__ == "__main__":
    what, task = sys.argv[1], json.loads(sys.argv[2])
    serve(task) if what == "server" else asyncio.run(crowd(task))
