"""Games and series between two sides. A game is stored before anybody hears how it ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from ludus.game import Game
from ludus.protocols.oht.results import Number, Planned, Played, Series
from ludus.protocols.oht.serving.sides import Forfeit, Side
from ludus.protocols.oht.serving.wire import Stats
from ludus.protocols.oht.table import Table, params_of

Record = Callable[[Played], Awaitable[None]]  # returns when the game is safely stored


class Left(Exception):
    """A side was gone before a game of a series began."""

    def __init__(self, number: Number, played: list[Played]) -> None:
        super().__init__(f"player {number} is gone")
        self.number, self.played = number, played  # who is gone, and the games of the series until then


@dataclass(frozen=True)
class Ended:
    """A game that is over, and how: the table as it stands, and who forfeited, if somebody did."""

    played: Played
    table: Table
    loser: Number | None = None  # the side that forfeited
    forfeit: Forfeit | None = None


async def play_game(game: Game, planned: Planned, sides: tuple[Side, Side]) -> Ended:
    """One game. A side that forfeits loses it."""
    table = Table(game, planned.starter)
    for side in sides:
        await tell(side.game_start(planned.starter))
    try:
        while not table.state.over:
            table.play(await sides[table.mover - 1].choose(table))
    except Forfeit as forfeit:
        loser = table.mover
        played = Played(planned.number, 2 if loser == 1 else 1, tuple(table.moves), forfeit.ended)
        return Ended(played, table, loser, forfeit)
    winner = table.winner
    return Ended(Played(planned.number, 1 if winner == 1 else 2 if winner == 2 else 0, tuple(table.moves)), table)


async def play_series(
    game: Game,
    series: Series,
    games: Sequence[Planned],
    sides: tuple[Side, Side],
    before: Sequence[Played],
    record: Record,
) -> tuple[list[Played], Ended | None]:
    """Plays these games of a series, up to the first forfeit; the games played, and the one that was forfeited.

    `before` are the games of this series that were played earlier: they count in its statistics. No game begins
    with a side that is gone: raises Left.
    """
    ids = [(series.one.unique_id, 1), (series.two.unique_id, 2)]
    played: list[Played] = []
    for side in sides:
        await tell(side.series_start(ids, len(games), params_of(game)))
    for planned in games:
        if sides[0].lost or sides[1].lost:
            raise Left(1 if sides[0].lost else 2, played)
        ended = await play_game(game, planned, sides)
        await record(ended.played)
        played.append(ended.played)
        for number, side in enumerate(sides, 1):
            if number != ended.loser:
                await tell(side.game_over(ended.played.winner, ended.table))
        if ended.loser:
            return played, ended
    for side in sides:
        await tell(side.series_over(stats_of(series, [*before, *played])))
    return played, None


async def tell(message: Awaitable[None]) -> None:
    """Sends a message; a client that is gone is noticed when it is next asked for a move."""
    try:
        await message
    except Forfeit:
        return


def stats_of(series: Series, played: Sequence[Played]) -> Stats:
    """For each side: its unique id, its number in the series, wins and losses."""
    won = [sum(game.winner == number for game in played) for number in (1, 2)]
    return [(series.one.unique_id, 1, won[0], won[1]), (series.two.unique_id, 2, won[1], won[0])]
