"""The league: connected players meet each other, in rounds that begin at set times."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby

from ludus.game import Game
from ludus.monitor.logs import about, logger
from ludus.protocols.oht.results import Number, Planned, Played, Round, Series, percent
from ludus.protocols.oht.serving.archive import Archive
from ludus.protocols.oht.serving.league_plan import next_time, pairings
from ludus.protocols.oht.serving.line import Gone
from ludus.protocols.oht.serving.progress import Playing, Progress
from ludus.protocols.oht.serving.series import Left, play_series, stats_of, tell
from ludus.protocols.oht.serving.sides import Client
from ludus.protocols.oht.settings import LeagueSettings
from ludus.protocols.oht.storage.store import DatabaseTrouble

LOG = logger("oht")
REMIND = 30.0  # seconds between the messages to players who wait
REPLACED = "this account has joined the league on another connection, which takes the place of this one"


class League:
    """The players who are connected, and the rounds they play."""

    def __init__(self, settings: LeagueSettings, game: Game, archive: Archive, log: logging.Logger = LOG) -> None:
        self.settings, self.game, self.archive, self.log = settings, game, archive, log
        self.players: dict[int, Client] = {}  # by account
        self.next: datetime | None = next_time(settings, datetime.now())
        self.progress = Progress()

    async def stay(self, client: Client) -> None:
        """A player is in the league until the connection is lost. A new connection takes the place of the old one."""
        account = client.seat.account
        assert account is not None
        old = self.players.get(account)
        self.players[account] = client
        try:
            if old:
                await dismiss(old, REPLACED)
            await client.wire.tell(await self.news())
            while await client.wire.line.lasts(REMIND):
                await client.wire.tell(await self.news())
        finally:
            if self.players.get(account) is client:
                del self.players[account]

    async def news(self) -> str:
        """What a waiting player is told."""
        others = "1 other player" if len(self.players) == 2 else f"{len(self.players) - 1} other players"
        return f"You are in the league with {others}; {await self._when()}."

    async def _when(self) -> str:
        """When the next round begins, in words."""
        if self.progress.players:
            return "a round is being played"
        if self.next is None:
            return "the next round has not been set"
        with contextlib.suppress(DatabaseTrouble):
            if await self.archive.ask(self.archive.store.status) == "paused":
                return "the tournament is paused, and no round begins until it is open again"
        return f"the next round begins at {self.next:%H:%M:%S}"

    async def run(self) -> None:
        """Plays a round whenever it is time for one. A time that passes while a round is played is not forgotten.

        A closed tournament has no more official attempts, but its league goes on.
        """
        while self.next:
            while (left := (self.next - datetime.now()).total_seconds()) > 0:
                await asyncio.sleep(min(left, REMIND))  # the clock may be set, or the machine sleep
                soonest = next_time(self.settings, datetime.now())
                self.next = min(self.next, soonest) if soonest else self.next  # the clock may have been set back
            begun = self.next
            try:
                if await self.archive.ask(self.archive.store.status) != "paused":
                    await self.play_round()
            except Exception as error:
                self.log.error(f"a round of the league has failed: {type(error).__name__}: {error}", exc_info=True)
            following = next_time(self.settings, begun)
            self.next = following and max(following, datetime.now())

    async def play_round(self) -> Round | None:
        """One round among those who are connected now; None if there are fewer than two."""
        clients = [client for client in self.players.values() if not client.lost]
        if len(clients) < 2:
            return None
        self.log.info("a round of the league begins", extra=about(players=len(clients)))
        round = await self.archive.ask(self.archive.store.begin, "league", None, self.plan(clients))
        playing = LeagueRound(round, self.game, self.players, self.archive)
        with self.progress.follow(*playing.now.values()):
            await playing.play()
        played = await self.archive.ask(self.archive.store.round, round.id)
        self.log.info("a round of the league has ended", extra=about(round=round.id, games=len(played.played)))
        scores = league_scores(played)
        await asyncio.gather(*(self._end(client.seat.account, scores) for client in clients))
        return played

    async def _end(self, account: int | None, scores: Mapping[int, float]) -> None:
        """Tells a player how the round went; one who is gone, or does not read, holds up nobody else."""
        client = self.players.get(account) if account is not None else None
        if client and account is not None:
            with contextlib.suppress(Gone):
                await client.wire.tournament_over(scores.get(account, 0.0))

    def plan(self, clients: Sequence[Client]) -> tuple[Series, ...]:
        """Who meets whom: each player as many others as the settings say, everybody in a small league."""
        pairs = pairings(len(clients), self.settings.league_opponents)
        return tuple(Series(clients[a].seat, clients[b].seat, self.settings.league_games) for a, b in pairs)


class LeagueRound:
    """A round that is being played. A player plays one series at a time; those who are free do not wait for others.

    The series of players who are gone are left to the end: until then they can come back.
    """

    def __init__(self, round: Round, game: Game, players: Mapping[int, Client], archive: Archive) -> None:
        self.round, self.game, self.players, self.archive = round, game, players, archive
        self.waiting = list(range(len(round.plan)))
        self.busy: set[int] = set()
        planned = round.planned()
        self.series = [game.series for game in planned]  # of each game
        self.games = [list(games) for _, games in groupby(planned, lambda game: game.series)]  # of each series
        self.now = {account: Playing(account, "league", games) for account, games in games_of(round).items()}

    async def play(self) -> None:
        running: set[asyncio.Task[None]] = set()
        try:
            while self.waiting or running:
                running |= {asyncio.create_task(self._series(index, sides)) for index, sides in self._ready()}
                if not running:
                    break
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            for task in running:
                task.cancel()
        for index in self.waiting:
            await self._walkover(index, self.games[index])

    def _ready(self) -> list[tuple[int, tuple[Client, Client]]]:
        """The series that can begin now, which they do: both players are here and free."""
        ready = []
        for index in list(self.waiting):
            pair = accounts_of(self.round.plan[index])
            one, two = map(self._here, pair)
            if one and two and self.busy.isdisjoint(pair):
                self.busy |= set(pair)
                self.waiting.remove(index)
                ready.append((index, (one, two)))
        return ready

    def _here(self, account: int) -> Client | None:
        client = self.players.get(account)
        return client if client and not client.lost else None

    async def _series(self, index: int, sides: tuple[Client, Client]) -> None:
        series = self.round.plan[index]
        try:
            played, ended = await play_series(self.game, series, self.games[index], sides, (), self._record)
            if ended and ended.loser and ended.forfeit:
                await dismiss(sides[ended.loser - 1], ended.forfeit.why)
                await self._cut_short(index, played, ended.loser, sides)
        except Left as left:
            await self._cut_short(index, left.played, left.number, sides)
        finally:
            self.busy -= set(accounts_of(series))

    async def _cut_short(
        self, index: int, played: Sequence[Played], gone: Number, sides: tuple[Client, Client]
    ) -> None:
        """A series ends early since a player is gone; the other one hears how."""
        series = self.round.plan[index]
        left = await self._walkover(index, self.games[index][len(played) :], accounts_of(series)[gone - 1])
        await tell(sides[2 - gone].series_over(stats_of(series, [*played, *left])))

    async def _walkover(self, index: int, games: Sequence[Planned], gone: int | None = None) -> list[Played]:
        """Games that are not played because a player is gone: the other one wins them, nobody if both are gone."""
        one, two = (account == gone or not self._here(account) for account in accounts_of(self.round.plan[index]))
        lost = [Played(game.number, 0 if one and two else 2 if one else 1, (), "gone") for game in games]
        for game in lost:
            await self._record(game)
        return lost

    async def _record(self, played: Played) -> None:
        await self.archive.record(self.round.id, played)
        for account in accounts_of(self.round.plan[self.series[played.number]]):
            self.now[account].done += 1


async def dismiss(client: Client, why: str) -> None:
    """Ends the connection of a player, who may come back."""
    with contextlib.suppress(Gone):
        await client.wire.refuse(why)
    client.wire.line.drop()


def league_scores(round: Round) -> dict[int, float]:
    """For every player, the share of its games in a round that it has won, in percent."""
    series_of = [round.plan[planned.series] for planned in round.planned()]
    games, won = Counter[int](), Counter[int]()
    for played in round.played:
        pair = accounts_of(series_of[played.number])
        games.update(pair)
        if played.winner:
            won[pair[played.winner - 1]] += 1
    return {account: percent(won[account], games[account]) for account in games}


def games_of(round: Round) -> Counter[int]:
    """How many games each player has in a round."""
    games: Counter[int] = Counter()
    for series in round.plan:
        for account in accounts_of(series):
            games[account] += series.games
    return games


def accounts_of(series: Series) -> tuple[int, int]:
    assert series.one.account is not None and series.two.account is not None
    return series.one.account, series.two.account
