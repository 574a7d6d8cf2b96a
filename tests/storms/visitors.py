"""Visitors of the page without a browser, who play on after every kill and remember what they were told."""

from __future__ import annotations

import json
import random
import threading
import time
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

import ludus

SIZE = 4
SEATS = (["person", "person"], ["person", "level:first_steps"])


class Visitor(threading.Thread):
    """One page. It plays game after game, against itself or a machine, and notes every move that the server told."""

    def __init__(self, port: int, number: int, seed: int = 0) -> None:
        super().__init__(daemon=True)
        self.port, self.seats = port, SEATS[number % len(SEATS)]
        self.dice = random.Random(1000 * seed + number)
        self.game = ludus.make("hex", size=SIZE)
        self.table = ""
        self.told: list[int] = []  # the moves of the game in hand that the server has told
        self.finished: dict[str, list[int]] = {}  # by table
        self.moves = 0
        self.asked = -1  # the moves that there were when it last asked for one on this connection
        self.wrong = ""  # a move that was told and is not there any more
        self._end = threading.Event()

    def stop(self) -> None:
        self._end.set()

    def run(self) -> None:
        while not self._end.is_set() and not self.wrong:
            try:
                with connect(f"ws://localhost:{self.port}/ws", open_timeout=20, close_timeout=1) as socket:
                    self.play(socket)
            except (OSError, WebSocketException, TimeoutError, EOFError):
                time.sleep(0.05)

    def play(self, socket: ClientConnection) -> None:
        """Goes on with the game in hand, or begins one, until the server is gone."""
        self.asked = -1
        if self.table:
            ask(socket, "open", table=self.table)
        while not self._end.is_set() and not self.wrong:
            if not self.table:
                ask(socket, "new", game="hex", options={"size": SIZE}, seats=self.seats)
            self.play_one(socket)

    def play_one(self, socket: ClientConnection) -> None:
        while not self._end.is_set():
            table = hear(socket)
            if table is None:
                continue
            self.look(table)
            if self.wrong:
                return
            if table["status"]["over"]:
                self.finished[self.table] = self.told
                self.table, self.told, self.asked = "", [], -1
                return
            own = len(self.told) % 2 == 0 or self.seats[1] == "person"
            if own and len(self.told) != self.asked:
                self.asked = len(self.told)
                free = [int(action) for action in table["position"]["names"]]
                time.sleep(0.03)
                ask(socket, "play", node=table["head"], move=self.dice.choice(free))

    def look(self, table: dict[str, Any]) -> None:
        """The game as it is told now begins as it was told before, with at most a move of each side that was not."""
        line = [self.action(move) for move in table["line"]]
        if line[: len(self.told)] != self.told or len(line) > len(self.told) + 2:
            self.wrong = f"table {table['table']} had {self.told} and has {line}"
        self.moves += max(0, len(line) - len(self.told))
        self.table, self.told = table["table"], line

    def action(self, move: dict[str, Any]) -> int:
        """A move by the name that the page shows."""
        return int(self.game.read(move["name"]))


def ask(socket: ClientConnection, kind: str, **fields: Any) -> None:
    socket.send(json.dumps({"ask": kind, **fields}))


def hear(socket: ClientConnection) -> dict[str, Any] | None:
    """What the server tells next, if it is about the table."""
    try:
        told = json.loads(socket.recv(timeout=5.0))
    except TimeoutError:
        return None
    return told if told["tell"] == "table" else None
