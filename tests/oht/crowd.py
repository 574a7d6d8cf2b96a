"""Clients for trying the server: of both protocols, many at once, and with access to every TLS record."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import struct
import time
from dataclasses import dataclass, field
from typing import Any

from tests.oht.link import Link

LENGTH = struct.Struct("=i")


@dataclass
class Heard:
    """What a client was told."""

    winners: list[int] = field(default_factory=list)  # of the games that it heard the end of
    won: list[bool] = field(default_factory=list)
    score: float | None = None  # of a round that was played to its end
    refused: str = ""
    answers: list[float] = field(default_factory=list)  # seconds from sending a move to the next request
    stats: list[Any] = field(default_factory=list)  # of the series that ended
    asked: float = 0.0  # when the last move was sent
    gate: asyncio.Event | None = None  # the first move waits for it
    first: float = 0.0  # when the first move was asked for
    question: str = ""  # whether to play an official round
    series_id: int = 0
    opponent: int = 0  # its unique id
    params: list[int] = field(default_factory=list)
    planned: list[int] = field(default_factory=list)  # how many games each series would have
    starters: list[int] = field(default_factory=list)
    ends: list[tuple[int, int, int]] = field(default_factory=list)  # of games: opponent, games still planned, winner

    def series(self, unique: int, ids: list[list[int]], games: int, params: list[int]) -> None:
        self.series_id = next(number for one, number in ids if one == unique)
        self.opponent = next(one for one, _ in ids if one != unique)
        self.planned.append(games)
        self.params, self.left = params, games

    def over(self, winner: int) -> None:
        self.winners.append(winner)
        self.won.append(winner == self.series_id)
        self.ends.append((self.opponent, self.left, winner))
        self.left -= 1

    async def request(self, pause: float) -> None:
        """The server asks for a move: the client thinks, once everybody may."""
        now = time.perf_counter()
        self.first = self.first or now
        if self.asked:
            self.answers.append(now - self.asked)
            self.asked = 0.0
        if self.gate:
            await self.gate.wait()
        if pause:
            await asyncio.sleep(pause)

    def sent(self) -> None:
        self.asked = time.perf_counter()


def free_cell(state: list[int], rng: random.Random) -> tuple[int, int]:
    """A random empty cell of a square board, as row and column."""
    size = int((len(state) - 1) ** 0.5)
    cell = rng.choice([index for index, stone in enumerate(state[1:]) if stone == 0])
    return divmod(cell, size)


def literal(text: bytes) -> Any:
    """A number, a list or a tuple of numbers, as the text protocol writes them."""
    return json.loads(text.replace(b"(", b"[").replace(b")", b"]"))


# --------------------------------------------------------------------------------------------- the text protocol


async def text_login(
    link: Link, name: str, password: str, official: bool, nickname: str = "nick", heard: Heard | None = None
) -> str:
    """Answers the questions of the login by their keywords; what the server said last."""
    while True:
        said = (await link.record()).decode()
        for word, answer in (
            ("username", name),
            ("password", password),
            ("player-name", nickname),
            ("qualify", "Y" if official else "n"),
        ):
            if word in said:
                if heard and word == "qualify":
                    heard.question = said
                link.send(answer.encode())
                break
        else:
            return said


async def text_round(link: Link, heard: Heard, rng: random.Random, pause: float = 0.0) -> Heard:
    """Plays with random moves until the round ends."""
    while True:
        said = await link.record()
        if said == b"Series start":
            heard.series(*[literal(await link.record()) for _ in range(4)])
        elif said == b"Game start":
            heard.starters.append(literal(await link.record()))
        elif said == b"Game end":
            heard.over(literal(await link.record()))
            await link.record()
        elif said == b"Series end":
            heard.stats.append(literal(await link.record()))
        elif said == b"Tournament end":
            heard.score = literal(await link.record())
            return heard
        elif said == b"Illegal action":
            heard.refused = (await link.record()).decode() + (await link.record()).decode()
            return heard
        else:
            await heard.request(pause)
            move = free_cell(literal(said), rng)
            link.send(str(move).encode())
            heard.sent()


async def play_text(
    port: int,
    context: ssl.SSLContext,
    name: str,
    password: str,
    official: bool = False,
    seed: int = 0,
    heard: Heard | None = None,
    pause: float = 0.0,
    address: str = "127.0.0.1",
    nickname: str = "nick",
) -> Heard:
    """Logs in and plays one round. Raises Closed when the server goes away; `heard` then has what was told so far."""
    heard = Heard() if heard is None else heard
    link = await Link.open(port, context, address)
    try:
        said = await text_login(link, name, password, official, nickname, heard)
        if "Welcome" not in said:
            heard.refused = said
            return heard
        return await text_round(link, heard, random.Random(seed), pause)
    finally:
        link.cut()


# --------------------------------------------------------------------------------------------- the JSON protocol


async def hear(link: Link) -> dict[str, Any]:
    (length,) = LENGTH.unpack(await link.exactly(4))
    message: dict[str, Any] = json.loads(await link.exactly(length))
    return message


def say(link: Link, message: object) -> None:
    """In two records, as the course's client does."""
    text = json.dumps(message).encode()
    link.send(LENGTH.pack(len(text)))
    link.send(text)


async def json_round(
    link: Link, token: str, official: bool, heard: Heard, rng: random.Random, pause: float = 0.0
) -> Heard:
    """Plays with random moves until the server has nothing more to say."""
    while True:
        message = await hear(link)
        match message["topic"]:
            case "authentication":
                say(link, token)
            case "question":
                heard.question = message["prompt"]
                say(link, official)
            case "series_start":
                values = (message[key] for key in ("unique_player_id", "player_id_map", "num_games", "game_params"))
                heard.series(*values)
            case "game_start":
                heard.starters.append(message["start_player"])
            case "request_action":
                await heard.request(pause)
                move = free_cell(message["state"], rng)
                say(link, move)
                heard.sent()
            case "game_over":
                heard.over(message["winner"])
            case "series_over":
                heard.stats.append(message["stats"])
            case "tournament_over":
                heard.score = message["score"]
            case "error":
                heard.refused = message["error"]
                return heard
            case "finish":
                return heard
            case "message":
                pass
            case topic:
                raise AssertionError(f"an unknown topic: {topic}")


async def play_json(
    port: int,
    context: ssl.SSLContext,
    token: str,
    official: bool = False,
    seed: int = 0,
    heard: Heard | None = None,
    pause: float = 0.0,
    address: str = "127.0.0.1",
) -> Heard:
    """Logs in and plays one round, or in the league until the server finishes."""
    heard = Heard() if heard is None else heard
    link = await Link.open(port, context, address)
    try:
        return await json_round(link, token, official, heard, random.Random(seed), pause)
    finally:
        link.cut()
