"""What both protocols say to a client, in the words of neither: the server plays through this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ludus.protocols.oht.serving.line import Line
from ludus.protocols.oht.table import Move

Stats = list[tuple[int, int, int, int]]  # unique id, number in the series, wins, losses


class Wire(Protocol):
    """One client that is logged in. Every method raises Gone when the connection is lost."""

    line: Line

    async def series_start(self, unique_id: int, ids: Sequence[tuple[int, int]], games: int, params: list[int]) -> None:
        """A series begins: the client's own unique id, both ids with their numbers, how many games, the board."""

    async def game_start(self, starter: int) -> None: ...

    async def ask(self, flat: list[int], seconds: float) -> Move:
        """The row and column that the client answers; raises Late or Nonsense."""

    async def game_over(self, winner: int, flat: list[int]) -> None: ...

    async def series_over(self, stats: Stats) -> None: ...

    async def tournament_over(self, score: float) -> None:
        """The round is over: the score in percent. The client expects nothing more."""

    async def illegal(self, flat: list[int], said: Move | str, why: str) -> None:
        """The last answer was not a legal move: the session ends."""

    async def late(self, winner: int, flat: list[int], stats: Stats, score: float, why: str) -> None:
        """The client took too long: the session ends."""

    async def refuse(self, why: str) -> None:
        """The client may not go on: the session ends."""

    async def tell(self, message: str) -> None:
        """A message for the person who watches, where the protocol has one."""
