"""The text protocol of 2020 and 2021: one TLS record per item, no newline, Python literals; login by prompts.

The course's client picks what to do by words in the server's text, in a fixed order (username, password, Welcome,
Invalid credentials, player-name, qualify, stress, Sorry). So no text may contain a word that comes before its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludus.protocols.oht.serving.line import Line, Nonsense
from ludus.protocols.oht.serving.wire import Stats
from ludus.protocols.oht.table import Move

ASK_NAME = "Please enter your username: "
ASK_PASSWORD = "Please enter your password: "
REFUSED = "Invalid credentials"
ASK_NICKNAME = "Please choose a player-name (at least one letter): "  # TLS sends nothing for an empty answer
# No two runs of white space stand side by side: there would be many ways to divide one between them, and a pattern
# tries all of them before it gives up.
MOVE = re.compile(r"[(\[]?\s*(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})\s*(?:,\s*)?[)\]]?")


class TextWire:
    """A client of the text protocol."""

    def __init__(self, line: Line) -> None:
        self.line = line

    async def say(self, *items: object) -> None:
        """Sends each item as a record of its own."""
        await self.line.send(*(str(item).encode() for item in items))

    async def question(self, prompt: str, seconds: float) -> str:
        """The client's answer to a prompt, one short line. Spaces belong to it: it may be a password."""
        await self.say(prompt)
        said = await self.line.receive(seconds)
        if len(said) > self.line.bounds.bytes:
            raise Nonsense("more than one answer")
        return said.decode("utf-8", "replace").strip("\r\n")

    async def welcome(self, text: str) -> None:
        """After this record the client plays."""
        await self.say(f"Welcome {text}")

    async def refuse(self, why: str) -> None:
        """The client leaves."""
        await self.say(f"Sorry, {why}")

    async def series_start(self, unique_id: int, ids: Sequence[tuple[int, int]], games: int, params: list[int]) -> None:
        await self.say("Series start", unique_id, list(ids), games, params)

    async def game_start(self, starter: int) -> None:
        await self.say("Game start", starter)

    async def ask(self, flat: list[int], seconds: float) -> Move:
        await self.say(tuple(flat))
        return read_move((await self.line.receive(seconds)).decode("utf-8", "replace"))

    async def game_over(self, winner: int, flat: list[int]) -> None:
        await self.say("Game end", winner, tuple(flat))

    async def series_over(self, stats: Stats) -> None:
        await self.say("Series end", stats)

    async def tournament_over(self, score: float) -> None:
        await self.say("Tournament end", score)

    async def illegal(self, flat: list[int], said: Move | str, why: str) -> None:
        await self.say("Illegal action", tuple(flat), repr(said))

    async def late(self, winner: int, flat: list[int], stats: Stats, score: float, why: str) -> None:
        """There is no word for it, so the client is led to the end of its loop: its handlers still hear the result."""
        await self.game_over(winner, flat)
        await self.series_over(stats)
        await self.tournament_over(score)

    async def tell(self, message: str) -> None:
        """There is no message in this protocol: whatever comes unexpectedly would be read as a state."""


def read_move(said: str) -> Move:
    """The row and column that a client has written, as a tuple, a list, or two numbers; raises Nonsense."""
    match = MOVE.fullmatch(said.strip())
    if not match:
        raise Nonsense(said)
    return int(match[1]), int(match[2])
