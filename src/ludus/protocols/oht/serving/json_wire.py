"""The JSON protocol of 2022 to 2024: four bytes that say how long, in the machine's own order, then JSON."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Sequence
from typing import Any

from ludus.game import Game
from ludus.games.hex import Hex
from ludus.protocols.oht.serving.line import Line, Nonsense
from ludus.protocols.oht.serving.wire import Stats
from ludus.protocols.oht.table import Move
from ludus.system import read_json

LENGTH = struct.Struct("=i")
QUALIFYING = -200  # the id of every player in the qualifiers, as clients of this protocol know it


class JsonWire:
    """A client of the JSON protocol, told of a game that is not Hex: these are our own addition, and so is the name.

    `called` is the id by which this client is called, if that is not its own.
    """

    def __init__(self, line: Line, game: Game | None = None, called: int | None = None) -> None:
        self.line, self.called = line, called
        self._own: int | None = None  # the client's id, once a series has begun
        self._which = {} if game is None or isinstance(game, Hex) else {"game": game.name}

    async def say(self, topic: str, **fields: Any) -> None:
        await self.line.send(pack({"topic": topic, **fields}))

    async def hear(self, seconds: float) -> Any:
        """What the client says next, read as JSON."""
        until = time.monotonic() + seconds
        (length,) = LENGTH.unpack(await self.line.receive_exactly(LENGTH.size, seconds))
        if not 0 < length <= self.line.bounds.bytes:
            raise Nonsense(f"a message of {length} bytes")
        said = await self.line.receive_exactly(length, until - time.monotonic())
        try:
            return read_json(said)
        except ValueError:
            raise Nonsense(said.decode("utf-8", "replace")) from None

    async def authenticate(self, seconds: float) -> str:
        """The client's token."""
        await self.say("authentication")
        token = await self.hear(seconds)
        if not isinstance(token, str):
            raise Nonsense("a token that is not a text")
        return token

    async def question(self, key: str, prompt: str, seconds: float) -> bool:
        """The client's yes or no."""
        await self.say("question", question=key, prompt=prompt, **self._which)
        answer = await self.hear(seconds)
        if not isinstance(answer, bool):
            raise Nonsense("an answer that is neither true nor false")
        return answer

    async def refuse(self, why: str) -> None:
        """The client raises its own Error."""
        await self.say("error", error=why)

    async def finish(self) -> None:
        """The client's loop ends."""
        await self.say("finish")

    async def series_start(self, unique_id: int, ids: Sequence[tuple[int, int]], games: int, params: list[int]) -> None:
        self._own = unique_id
        await self.say(
            "series_start",
            unique_player_id=self._id(unique_id),
            player_id_map=[[self._id(one), number] for one, number in ids],
            num_games=games,
            game_params=params,
            **self._which,
        )

    async def game_start(self, starter: int) -> None:
        await self.say("game_start", start_player=starter)

    async def ask(self, flat: list[int], seconds: float) -> Move:
        await self.say("request_action", state=flat)
        said = await self.hear(seconds)
        whole = isinstance(said, list) and len(said) == 2 and all(type(number) is int for number in said)
        if not whole or not all(abs(number) < 10**6 for number in said):
            raise Nonsense(json.dumps(said))
        return said[0], said[1]

    async def game_over(self, winner: int, flat: list[int]) -> None:
        await self.say("game_over", winner=winner, end_state=flat)

    async def series_over(self, stats: Stats) -> None:
        await self.say("series_over", stats=[[self._id(one), *row] for one, *row in stats])

    def _id(self, unique_id: int) -> int:
        """How this client is told of somebody."""
        return self.called if self.called is not None and unique_id == self._own else unique_id

    async def tournament_over(self, score: float) -> None:
        await self.say("tournament_over", score=score)

    async def illegal(self, flat: list[int], said: Move | str, why: str) -> None:
        await self.refuse(why)

    async def late(self, winner: int, flat: list[int], stats: Stats, score: float, why: str) -> None:
        await self.refuse(why)

    async def tell(self, message: str, level: str = "INFO") -> None:
        await self.say("message", message=message, level=level)


def pack(message: object) -> bytes:
    """A message with its length in front."""
    text = json.dumps(message).encode()
    return LENGTH.pack(len(text)) + text
