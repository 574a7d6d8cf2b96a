"""Who sits at a table: a client over its wire, or an agent of the house. A series is played between two sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, Protocol

from ludus.game import Action
from ludus.protocols.oht.results import Seat
from ludus.protocols.oht.serving.house import House
from ludus.protocols.oht.serving.line import Gone, Late, Nonsense
from ludus.protocols.oht.serving.wire import Stats, Wire
from ludus.protocols.oht.table import Move, Table


class Forfeit(Exception):
    """A side has lost its game without the rules: by an illegal move, by its time, or because it is gone."""

    def __init__(self, ended: Literal["illegal", "time", "gone"], why: str, said: Move | str = "") -> None:
        super().__init__(why)
        self.ended, self.why, self.said = ended, why, said


class Side(Protocol):
    """One of the two that play a series. Methods raise Forfeit when the side can go on no more."""

    seat: Seat

    @property
    def lost(self) -> bool:
        """Is it known to be gone?"""

    async def series_start(self, ids: Sequence[tuple[int, int]], games: int, params: list[int]) -> None: ...
    async def game_start(self, starter: int) -> None: ...
    async def choose(self, table: Table) -> Action: ...
    async def game_over(self, winner: int, table: Table) -> None: ...
    async def series_over(self, stats: Stats) -> None: ...


class HouseSide:
    """An agent of the house. It thinks in another process, and nobody has to tell it anything."""

    def __init__(self, seat: Seat, house: House) -> None:
        self.seat, self.house = seat, house
        self.lost = False

    async def series_start(self, ids: Sequence[tuple[int, int]], games: int, params: list[int]) -> None: ...

    async def game_start(self, starter: int) -> None: ...

    async def choose(self, table: Table) -> Action:
        return await self.house.choose(self.seat.name, table)

    async def game_over(self, winner: int, table: Table) -> None: ...

    async def series_over(self, stats: Stats) -> None: ...


class Client:
    """A player at the other end of a wire."""

    def __init__(self, seat: Seat, wire: Wire, move_seconds: float) -> None:
        self.seat, self.wire, self.move_seconds = seat, wire, move_seconds

    @property
    def lost(self) -> bool:
        return self.wire.line.lost

    async def series_start(self, ids: Sequence[tuple[int, int]], games: int, params: list[int]) -> None:
        with lost_is_forfeit():
            await self.wire.series_start(self.seat.unique_id, ids, games, params)

    async def game_start(self, starter: int) -> None:
        with lost_is_forfeit():
            await self.wire.game_start(starter)

    async def choose(self, table: Table) -> Action:
        try:
            with lost_is_forfeit():
                move = await self.wire.ask(table.flat(), self.move_seconds)
        except Late:
            raise Forfeit("time", f"no answer within {self.move_seconds:g} seconds: the game is lost") from None
        except Nonsense as answer:
            why = f"{answer.said!r} is not a move; a move is a row and a column, such as (2, 3)"
            raise Forfeit("illegal", why, answer.said) from None
        action = table.action_at(move)
        if action is None:
            raise Forfeit("illegal", f"{move} is not a legal move here: the game is lost", move)
        return action

    async def game_over(self, winner: int, table: Table) -> None:
        with lost_is_forfeit():
            await self.wire.game_over(winner, table.flat())

    async def series_over(self, stats: Stats) -> None:
        with lost_is_forfeit():
            await self.wire.series_over(stats)

    async def say_forfeit(self, forfeit: Forfeit, table: Table, winner: int, stats: Stats, score: float) -> None:
        """Tells the client why its session ends, in the way its protocol knows. A lost connection is not told."""
        try:
            if forfeit.ended == "illegal":
                await self.wire.illegal(table.flat(), forfeit.said, forfeit.why)
            elif forfeit.ended == "time":
                await self.wire.late(winner, table.flat(), stats, score, forfeit.why)
        except Gone:
            return


@contextmanager
def lost_is_forfeit() -> Iterator[None]:
    """Inside, a lost connection is a forfeit."""
    try:
        yield
    except Gone:
        raise Forfeit("gone", "the connection was lost: the game is lost") from None
